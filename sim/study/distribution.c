/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/distribution.h"

#include <math.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "study/latency.h"

#define MILLI 1e-3
#define LIST(text, member, unit_s, unit)                                                           \
	{                                                                                          \
		.key = (text), .kind = FIELD_LIST, .flags = FIELD_REALS, .scale = (unit_s),        \
		.offset = offsetof(struct distribution, member), .help = (unit)                    \
	}

static const struct field distribution_fields[] = {
	LIST("quantile", quantile, 1, ""),
	LIST("ttft_ms", latency_s[METRIC_TTFT], MILLI, "ms"),
	LIST("queue_ms", latency_s[METRIC_QUEUE], MILLI, "ms"),
	LIST("tpot_ms", latency_s[METRIC_TPOT], MILLI, "ms"),
	LIST("itl_ms", latency_s[METRIC_ITL], MILLI, "ms"),
	LIST("e2e_ms", latency_s[METRIC_E2E], MILLI, "ms"),
};

const struct record distribution_record = {.name = "distribution",
					   .size = sizeof(struct distribution),
					   .fields = COUNT(distribution_fields),
					   .field = distribution_fields};

/* Per cent with finer tails; 1 is the end of both. */
static const double tail[] = {0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008};
#define POINTS (COUNT(tail) + 99 + COUNT(tail))

static struct record_list list_new(void)
{
	return (struct record_list){
		.count = POINTS, .size = sizeof(double), .data = xcalloc(POINTS, sizeof(double))};
}

static void fill_grid(double *q)
{
	for (size_t i = 0; i < COUNT(tail); i++) {
		q[i] = tail[i];
		q[POINTS - 1 - i] = 1 - tail[i];
	}
	for (int percent = 1; percent < 100; percent++)
		q[COUNT(tail) + (size_t)percent - 1] = percent / 100.0;
}

/* Whether n values show where q lies: the least, the largest, or one beyond it on either side. */
static bool is_seen(double q, int64_t n)
{
	double beyond = fmin(q, 1 - q);

	return beyond == 0 || beyond * (double)n >= 1 - 1e-9;
}

static void fill_metric(double *value_s, const double *q, const struct load *l, enum metric metric)
{
	struct latency latency;

	latency_init(&latency, l, metric);
	latency_quantiles(&latency, q, POINTS, value_s);
	for (size_t i = 0; i < POINTS; i++)
		if (!is_seen(q[i], latency_count(&latency)))
			value_s[i] = NAN;
	latency_free(&latency);
}

void distribution_fill(struct distribution *d, const struct load *l)
{
	d->quantile = list_new();
	fill_grid(d->quantile.data);
	for (int m = 0; m < METRICS; m++) {
		d->latency_s[m] = list_new();
		fill_metric(d->latency_s[m].data, d->quantile.data, l, (enum metric)m);
	}
}
