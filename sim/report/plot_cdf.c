/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of latencies of a run, with the limits of its SLO. */
#include <math.h>

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

static bool has_values(const cJSON *run, const char *metric)
{
	const cJSON *value;

	cJSON_ArrayForEach(value, values(run, metric)) if (cJSON_IsNumber(value)) return true;
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

/* A limit is a point of series 0; that of a mean has no quantile. */
static void write_limits(const cJSON *result, struct plot_row *row)
{
	for (int m = 0; m < SLO_METRICS; m++)
		for (int k = 0; k < SLO_STATISTICS; k++) {
			const cJSON *limits =
				plot_at(plot_at(result, "scenario/slo"), slo_metric_names[m]);
			double limit_ms = plot_real(limits, slo_statistic_names[k]);

			if (isnan(limit_ms))
				continue;
			plot_row_text(row, slo_statistic_names[k]);
			plot_row_real(row, 0);
			plot_row_text(row, "");
			plot_row_text(row, slo_metric_names[m]);
			plot_row_real(row, slo_statistic_q[k]);
			plot_row_real(row, limit_ms);
			plot_row_end(row);
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
	write_limits(result, &row);
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
	plot_head_real(to, "HIGH", 660);
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
