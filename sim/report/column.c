/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/column.h"

#include <string.h>

static struct column latency(enum slo_metric metric, int statistic)
{
	static const char *const name[SLO_METRICS] = {"TTFT", "TPOT", "ITL", "E2E"};
	struct column c = {.digits = 4};

	snprintf(c.heading, sizeof c.heading, "%s %s\nms", name[metric],
		 slo_statistic_names[statistic]);
	snprintf(c.path, sizeof c.path, "latency.%s.%s", slo_metric_names[metric],
		 slo_statistic_names[statistic]);
	return c;
}

static size_t add_metric(struct column *c, const struct slo *slo, enum slo_metric metric,
			 bool medians)
{
	const double *limit = slo->limit_s[metric];
	bool judged = false, always = metric == SLO_TTFT || metric == SLO_TPOT;
	size_t n = 0;

	for (int k = 0; k < SLO_STATISTICS; k++)
		judged |= !isnan(limit[k]);
	if (!judged && !always)
		return 0;
	if (medians || !isnan(limit[SLO_P50]))
		c[n++] = latency(metric, SLO_P50);
	for (int k = SLO_P50 + 1; k < SLO_STATISTICS; k++)
		if (!isnan(limit[k]) || (!judged && k == SLO_P99))
			c[n++] = latency(metric, k);
	return n;
}

size_t column_latencies(struct column *c, const struct slo *slo, bool medians)
{
	size_t n = 0;

	for (int m = 0; m < SLO_METRICS; m++)
		n += add_metric(c + n, slo, (enum slo_metric)m, medians);
	return n;
}

bool column_grows(const struct column *c, const struct scenario *s, const struct outcome *o)
{
	return o->verdict == VERDICT_OVERLOADED && !traffic_is_terminating(&s->traffic) &&
	       (strstr(c->path, "ttft") || strstr(c->path, "e2e"));
}

double column_value(const struct column *c, const struct record *r, const void *object)
{
	return record_number(r, object, c->path);
}
