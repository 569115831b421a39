/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/slo.h"

#include "base/count.h"

const char *const slo_metric_names[] = {"ttft_ms", "tpot_ms", "itl_ms", "e2e_ms", NULL};
const char *const slo_statistic_names[] = {"p50",   "p90",  "p95", "p99",
					   "p99.9", "mean", "max", NULL};
const double slo_statistic_q[] = {0.5, 0.9, 0.95, 0.99, 0.999, (double)NAN, 1};

/* A metric's limits stand in one row of limit_s. */
#define LIMIT(KEY, INDEX, HELP)                                                                    \
	{                                                                                          \
		.key = (KEY), .kind = FIELD_REAL, .offset = (INDEX) * sizeof(double),              \
		.flags = FIELD_ABOVE_MIN, .max = 1e9, .help = (HELP)                               \
	}

static const struct field limit_fields[] = {
	LIMIT("p50", SLO_P50, "limit of the median [ms]"),
	LIMIT("p90", SLO_P90, "limit of the 90th percentile [ms]"),
	LIMIT("p95", SLO_P95, "limit of the 95th percentile [ms]"),
	LIMIT("p99", SLO_P99, "limit of the 99th percentile [ms]"),
	LIMIT("p99.9", SLO_P999, "limit of the 99.9th percentile [ms]"),
	LIMIT("mean", SLO_MEAN, "limit of the mean [ms]"),
	LIMIT("max", SLO_MAX, "limit of the largest [ms]"),
};

static const struct record limits_record = {
	.name = "limits",
	.number_key = "p99",
	.size = sizeof(double[SLO_STATISTICS]),
	.fields = COUNT(limit_fields),
	.field = limit_fields,
};

#define METRIC(KEY, INDEX, HELP)                                                                   \
	{                                                                                          \
		.key = (KEY), .kind = FIELD_RECORD,                                                \
		.offset = offsetof(struct slo, limit_s[INDEX]), .of = &limits_record,              \
		.scale = 1e-3, .help = (HELP)                                                      \
	}

static const struct field fields[] = {
	METRIC("ttft_ms", SLO_TTFT, "from arrival to the first token"),
	METRIC("tpot_ms", SLO_TPOT, "time per output token after the first, a request's mean"),
	METRIC("itl_ms", SLO_ITL, "between two tokens"),
	METRIC("e2e_ms", SLO_E2E, "from arrival to the last token"),
	{.key = "attainment",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct slo, attainment),
	 .max = 1,
	 .flags = FIELD_ABOVE_MIN,
	 .help = "share of the requests that must meet every limit, in place of the percentiles"},
};

bool slo_is_set(const struct slo *s)
{
	for (int m = 0; m < SLO_METRICS; m++)
		for (int k = 0; k < SLO_STATISTICS; k++)
			if (!isnan(s->limit_s[m][k]))
				return true;
	return false;
}

int64_t slo_auto_requests(const struct slo *s)
{
	const double strictest_q = slo_statistic_q[SLO_P999];
	double q = isnan(s->attainment) ? 0 : s->attainment;

	for (int m = 0; m < SLO_METRICS; m++)
		for (int k = 0; k <= SLO_P999; k++)
			if (!isnan(s->limit_s[m][k]))
				q = fmax(q, slo_statistic_q[k]);
	if (q == 0)
		q = slo_statistic_q[SLO_P99];
	return llround(SLO_TAIL_SAMPLES / (1 - fmin(q, strictest_q)));
}

static bool check(const void *object, struct diag *d)
{
	const struct slo *s = object;

	if (isnan(s->attainment) || slo_is_set(s))
		return true;
	diag_path(d, "attainment");
	return diag_fail(d, "attainment of which limits? none is given");
}

const struct record slo_record = {
	.name = "SLO",
	.size = sizeof(struct slo),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};
