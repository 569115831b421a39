/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput against latency as the load grows: what a user's wait buys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_sweep.h"

/* The latency on the axis: of a token if it is limited, else of the whole answer if that is, else
 * of a token at the median. */
static struct plot_limit choose_latency(const cJSON *result)
{
	static const char *const metrics[] = {"tpot_ms", "e2e_ms"};
	struct plot_limit limits[PLOT_LIMITS_MAX];
	size_t n = plot_limits(result, limits);

	for (size_t m = 0; m < 2; m++)
		for (size_t k = 0; k < n; k++)
			if (isfinite(limits[k].limit_ms) && !strcmp(limits[k].metric, metrics[m]))
				return limits[k];
	return (struct plot_limit){"tpot_ms", "p50", NAN};
}

static double throughput(const cJSON *result)
{
	return plot_real(result, "throughput/output_tokens_per_s_per_gpu");
}

static bool has(const cJSON *result)
{
	struct plot_limit latency = choose_latency(result);
	struct plot_sweep s;
	bool any = false;

	plot_sweep_init(&s, result);
	for (size_t i = 0; i < s.points && s.axis.load; i++)
		any |= isfinite(throughput(s.point[i].result)) &&
		       isfinite(plot_latency_ms(s.point[i].result, latency.metric,
						latency.statistic));
	plot_sweep_free(&s);
	return any;
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_limit latency = choose_latency(result);
	struct plot_row row = {.to = to};
	struct plot_sweep s;

	fputs("series,gpu,load,latency_ms,output_tokens_per_s_per_gpu,verdict,overloaded\n", to);
	plot_sweep_init(&s, result);
	for (size_t i = 0; i < s.points; i++) {
		const struct plot_sweep_point *p = &s.point[i];
		plot_row_real(&row, (double)p->series);
		plot_row_text(&row, plot_text(p->result, "gpu"));
		plot_row_real(&row, p->x);
		plot_row_real(&row, plot_latency_ms(p->result, latency.metric, latency.statistic));
		plot_row_real(&row, throughput(p->result));
		plot_row_text(&row, plot_text(p->result, "verdict"));
		plot_row_real(&row, p->overloaded);
		plot_row_end(&row);
	}
	plot_sweep_free(&s);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct plot_limit latency = choose_latency(result);
	struct plot_sweep s;
	char *label = xasprintf("%s, %s [ms]", plot_metric_name(latency.metric), latency.statistic);

	plot_sweep_init(&s, result);
	plot_head_text(to, "LATENCY", label);
	plot_head_real(to, "LIMIT", latency.limit_ms);
	plot_head_text(to, "UNIT", strrchr(s.axis.label, '['));
	plot_head_texts(to, "SERIES", &s.series);
	plot_sweep_free(&s);
	free(label);
}

const struct plot_kind plot_pareto = {
	.name = "pareto",
	.help = "output tokens/s a GPU against latency, as the load grows",
	.made_by = "sweep --over traffic.arrivals.rate=LO:HI:N --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
