/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/run_table.h"

#include <string.h>

#include "base/bug.h"
#include "base/count.h"
#include "report/table.h"

/* A column: a field of outcome_record by its path. */
struct column {
	char heading[24], path[48];
	int digits;
};

static const struct column behind[] = {
	{"out tok/s", "throughput.output_tokens_per_s", 4},
	{"saturates\nreq/s", "throughput.saturated_rps", 3},
	{"busy", "utilization.busy", 2},
	{"batch", "utilization.batch_mean", 3},
	{"KV max", "utilization.kv_max", 2},
	{"$/h", "cost.usd_per_hour", 4},
	{"$ per 1k\nrequests", "cost.usd_per_1k_requests", 3},
	{"$ per 1M\nout tok", "cost.usd_per_1m_output_tokens", 3},
	{"J per\nrequest", "energy.joules_per_request", 3},
};

#define COLUMNS_MAX (1 + SLO_METRICS * (SLO_STATISTICS + 1) + COUNT(behind))

struct columns {
	struct column column[COLUMNS_MAX];
	size_t n;
};

static void add_latency(struct columns *c, enum slo_metric metric, enum slo_statistic statistic)
{
	static const char *const name[SLO_METRICS] = {"TTFT", "TPOT", "ITL", "E2E"};
	struct column *last = &c->column[c->n++];

	snprintf(last->heading, sizeof last->heading, "%s %s\nms", name[metric],
		 slo_statistic_names[statistic]);
	snprintf(last->path, sizeof last->path, "latency.%s.%s", slo_metric_names[metric],
		 slo_statistic_names[statistic]);
	last->digits = 4;
}

/* The median and what the SLO judges, the p99 where it judges nothing else. */
static void add_metric(struct columns *c, const struct slo *slo, enum slo_metric metric)
{
	bool judged = false, always = metric == SLO_TTFT || metric == SLO_TPOT;

	for (int k = 0; k < SLO_STATISTICS; k++)
		judged |= !isnan(slo->limit_s[metric][k]);
	if (!judged && !always)
		return;
	add_latency(c, metric, SLO_P50);
	for (int k = SLO_P50 + 1; k < SLO_STATISTICS; k++)
		if (!isnan(slo->limit_s[metric][k]) || (!judged && k == SLO_P99))
			add_latency(c, metric, (enum slo_statistic)k);
}

static void choose_columns(struct columns *c, const struct slo *slo)
{
	c->column[0] = (struct column){"GPUs", "gpus_total", 0};
	c->n = 1;
	for (int m = 0; m < SLO_METRICS; m++)
		add_metric(c, slo, (enum slo_metric)m);
	for (size_t i = 0; i < COUNT(behind); i++)
		c->column[c->n++] = behind[i];
}

static double field_value(const struct outcome *o, const char *path)
{
	struct diag d;
	void *object = (void *)o;
	const struct field *f;

	diag_init(&d);
	f = record_find(&outcome_record, &object, path, &d);
	if (!f)
		BUG("no field %s in a result: %s", path, d.message);
	const char *at = (const char *)object + f->offset;
	if (f->kind == FIELD_INT)
		return *(const int64_t *)at == RECORD_INT_UNSET ? (double)NAN
								: (double)*(const int64_t *)at;
	return *(const double *)at / (f->scale != 0 ? f->scale : 1);
}

/* Arrivals go on, so that what waits in an overloaded queue has no limit. */
static bool grows(const struct scenario *s, const struct outcome *o, const struct column *c)
{
	return o->verdict == VERDICT_OVERLOADED && !traffic_is_terminating(&s->traffic) &&
	       (strstr(c->path, "ttft") || strstr(c->path, "e2e"));
}

static void fill_row(struct table *t, const struct scenario *s, const struct columns *c,
		     const struct outcome *o)
{
	table_text(t, o->gpu);
	table_text(t, verdict_names[o->verdict]);
	for (size_t i = 0; i < c->n; i++)
		if (grows(s, o, &c->column[i]))
			table_right(t, "grows");
		else
			table_number(t, field_value(o, c->column[i].path), c->column[i].digits);
	table_text(t, bound_names[o->bound]);
}

void run_table_print(const struct scenario *s, const struct outcome *o, size_t n, FILE *to)
{
	struct columns c;
	struct table t;

	choose_columns(&c, &s->slo);
	table_init(&t, c.n + 3);
	table_text(&t, "GPU");
	table_text(&t, "verdict");
	for (size_t i = 0; i < c.n; i++)
		table_text(&t, c.column[i].heading);
	table_text(&t, "bound by");
	for (size_t i = 0; i < n; i++)
		fill_row(&t, s, &c, &o[i]);
	table_print(&t, to);
	table_free(&t);
}
