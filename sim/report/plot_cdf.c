/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of latencies of a run, with the limits of its SLO. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"
#include "scenario/slo.h"

static const char *const metrics[] = {"ttft_ms", "queue_ms", "tpot_ms", "itl_ms", "e2e_ms"};

static const cJSON *values(const cJSON *run, const char *metric)
{
	return plot_at(plot_at(run, "distribution"), metric);
}

/* Whether a logarithmic axis shows it, the ends of the distribution left out. */
static bool is_drawn(const cJSON *value)
{
	bool end = !value->prev->next || !value->next;

	return !end && cJSON_IsNumber(value) && value->valuedouble > 0;
}

static bool has_values(const cJSON *run, const char *metric)
{
	const cJSON *value;

	cJSON_ArrayForEach(value, values(run, metric)) if (is_drawn(value)) return true;
	return false;
}

static bool has_line(const cJSON *run)
{
	for (size_t m = 0; m < COUNT(metrics); m++)
		if (has_values(run, metrics[m]))
			return true;
	return false;
}

static bool has(const cJSON *result)
{
	const cJSON *run;

	cJSON_ArrayForEach(run, plot_at(result, "results")) if (has_line(run)) return true;
	return false;
}

static void write_metric(struct plot_row *row, const cJSON *run, size_t series, const char *metric)
{
	const cJSON *quantile = values(run, "quantile"), *value,
		    *q = quantile ? quantile->child : NULL;

	cJSON_ArrayForEach(value, values(run, metric))
	{
		if (cJSON_IsNumber(value) && q) {
			plot_row_text(row, plot_text(run, "gpu"));
			plot_row_real(row, (double)series);
			plot_row_text(row, plot_text(run, "verdict"));
			plot_row_text(row, metric);
			plot_row_real(row, q->valuedouble);
			plot_row_real(row, value->valuedouble);
			plot_row_end(row);
		}
		q = q ? q->next : NULL;
	}
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	const cJSON *run;
	size_t series = 0;

	fputs("gpu,series,verdict,metric,quantile,value_ms\n", to);
	cJSON_ArrayForEach(run, plot_at(result, "results"))
	{
		series += has_line(run);
		for (size_t m = 0; m < COUNT(metrics); m++)
			write_metric(&row, run, series, metrics[m]);
	}
}

static double limit_of(const cJSON *result, const char *metric, int statistic)
{
	return plot_real(plot_at(plot_at(result, "scenario/slo"), metric),
			 slo_statistic_names[statistic]);
}

/* Of a metric, over runs that are not overloaded or over all: the least and the largest value that
 * is drawn, limits too. */
struct range {
	double low, high; /* low > high: none */
};

static struct range find_range(const cJSON *result, const char *metric, bool overloaded)
{
	struct range r = {INFINITY, -INFINITY};
	const cJSON *run, *value;

	cJSON_ArrayForEach(run, plot_at(result, "results"))
	{
		if (!overloaded && !strcmp(plot_text(run, "verdict"), "overloaded"))
			continue;
		cJSON_ArrayForEach(value, values(run, metric)) if (is_drawn(value))
		{
			r.low = fmin(r.low, value->valuedouble);
			r.high = fmax(r.high, value->valuedouble);
		}
	}
	for (int k = 0; k < SLO_STATISTICS && r.low <= r.high; k++) {
		double limit_ms = limit_of(result, metric, k);

		r.low = fmin(r.low, limit_ms);
		r.high = fmax(r.high, limit_ms);
	}
	return r;
}

/* METRIC: those with a line, a panel each, and one more for the key; LOW_ and HIGH_ with the
 * metric's name behind: its range [ms]. */
static void write_ranges(const cJSON *result, FILE *to)
{
	struct record_list drawn = {.size = sizeof(char *)};

	for (size_t m = 0; m < COUNT(metrics); m++) {
		struct range r = find_range(result, metrics[m], false);
		char name[32];

		if (r.low > r.high)
			r = find_range(result, metrics[m], true);
		if (r.low > r.high)
			continue;
		record_texts_add(&drawn, xstrdup(metrics[m]));
		snprintf(name, sizeof name, "LOW_%s", metrics[m]);
		plot_head_real(to, name, r.low);
		snprintf(name, sizeof name, "HIGH_%s", metrics[m]);
		plot_head_real(to, name, r.high);
	}
	plot_head_texts(to, "METRIC", &drawn);
	plot_head_real(to, "ROWS", drawn.count < 3 ? 1 : 2);
	plot_head_real(to, "HIGH", drawn.count < 3 ? 360 : 660);
	record_texts_free(&drawn);
}

static bool any_overloaded(const cJSON *result)
{
	const cJSON *run;

	cJSON_ArrayForEach(run, plot_at(result, "results")) if (has_line(run) &&
								!strcmp(plot_text(run, "verdict"),
									"overloaded")) return true;
	return false;
}

/* The limits of the SLO: metric, name and quantile (of a mean NaN) as texts, and their values. */
struct limits {
	struct record_list metric, name, quantile;
	double value_ms[SLO_METRICS * SLO_STATISTICS];
};

static void add_limit(struct limits *l, const char *metric, int statistic, double limit_ms)
{
	l->value_ms[l->metric.count] = limit_ms;
	record_texts_add(&l->metric, xstrdup(metric));
	record_texts_add(&l->name, xstrdup(slo_statistic_names[statistic]));
	record_texts_add(&l->quantile, isnan(slo_statistic_q[statistic])
					       ? xstrdup("NaN")
					       : xasprintf("%g", slo_statistic_q[statistic]));
}

static void write_limits(const cJSON *result, FILE *to)
{
	struct limits l = {{0}};

	for (int m = 0; m < SLO_METRICS; m++)
		for (int k = 0; k < SLO_STATISTICS; k++) {
			double limit_ms = limit_of(result, slo_metric_names[m], k);

			if (!isnan(limit_ms))
				add_limit(&l, slo_metric_names[m], k, limit_ms);
		}
	plot_head_real(to, "LIMITS", (double)l.metric.count);
	plot_head_texts(to, "LIMIT_METRIC", &l.metric);
	plot_head_texts(to, "LIMIT_NAME", &l.name);
	plot_head_texts(to, "LIMIT_QUANTILE", &l.quantile);
	plot_head_reals(to, "LIMIT_MS", l.value_ms, l.metric.count);
	record_texts_free(&l.metric);
	record_texts_free(&l.name);
	record_texts_free(&l.quantile);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct record_list gpus = {.size = sizeof(char *)};
	const cJSON *run;

	cJSON_ArrayForEach(run, plot_at(result, "results"))
	{
		if (has_line(run))
			record_texts_add(&gpus, xstrdup(plot_text(run, "gpu")));
	}
	write_ranges(result, to);
	write_limits(result, to);
	plot_head_real(to, "OVERLOADED", any_overloaded(result));
	plot_head_texts(to, "GPU", &gpus);
	record_texts_free(&gpus);
}

const struct plot_kind plot_cdf = {
	.name = "cdf",
	.help = "how the latencies are distributed, with the limits of the SLO",
	.made_by = "run --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
