/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency against what was swept: a panel for each limit of the SLO. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_sweep.h"

static bool has(const cJSON *result)
{
	struct plot_limit limits[PLOT_LIMITS_MAX];
	size_t n = plot_limits(result, limits);
	struct plot_sweep s;
	bool any = false;

	plot_sweep_init(&s, result);
	for (size_t i = 0; i < s.points; i++)
		for (size_t k = 0; k < n; k++)
			any |= isfinite(plot_latency_ms(s.point[i].result, limits[k].metric,
							limits[k].statistic));
	plot_sweep_free(&s);
	return any;
}

static void write_point(struct plot_row *row, const struct plot_sweep_point *p, size_t panel,
			const struct plot_limit *limit)
{
	plot_row_real(row, (double)panel);
	plot_row_text(row, limit->metric);
	plot_row_text(row, limit->statistic);
	plot_row_real(row, limit->limit_ms);
	plot_row_real(row, (double)p->series);
	plot_row_text(row, plot_text(p->result, "gpu"));
	plot_row_real(row, p->x);
	plot_row_real(row, plot_latency_ms(p->result, limit->metric, limit->statistic));
	plot_row_real(row, plot_latency_ms(p->result, limit->metric, "p50"));
	plot_row_text(row, plot_text(p->result, "verdict"));
	plot_row_real(row, p->overloaded);
	plot_row_end(row);
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_limit limits[PLOT_LIMITS_MAX];
	size_t n = plot_limits(result, limits);
	struct plot_row row = {.to = to};
	struct plot_sweep s;

	fputs("panel,metric,statistic,limit_ms,series,gpu,x,value_ms,p50_ms,verdict,overloaded\n",
	      to);
	plot_sweep_init(&s, result);
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < s.points; i++)
			write_point(&row, &s.point[i], k + 1, &limits[k]);
	plot_sweep_free(&s);
}

/* The panels' arrays: LABEL of the axis, LIMIT [ms], WHAT the limit says. */
static void write_panels(const struct plot_limit *limits, size_t n, FILE *to)
{
	struct record_list labels = {0}, says = {0};
	char number[NUMBER_TEXT];

	for (size_t k = 0; k < n; k++) {
		number_plain(number, limits[k].limit_ms);
		record_texts_add(&labels, xasprintf("%s [ms]", plot_metric_name(limits[k].metric)));
		record_texts_add(&says, isfinite(limits[k].limit_ms)
						? xasprintf("limit, %s <= %s ms",
							    limits[k].statistic, number)
						: xstrdup(""));
	}
	plot_head_texts(to, "LABEL", &labels);
	plot_head_texts(to, "WHAT", &says);
	fprintf(to, "array LIMIT[%zu]\n", n);
	for (size_t k = 0; k < n; k++) {
		char *place = xasprintf("LIMIT[%zu]", k + 1);
		plot_head_real(to, place, limits[k].limit_ms);
		free(place);
	}
	record_texts_free(&labels);
	record_texts_free(&says);
}

/* The statistics drawn, "p99": of all panels, or "the limited statistic" where they differ. */
static const char *statistic_of(const struct plot_limit *limits, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (strcmp(limits[k].statistic, limits[0].statistic) != 0)
			return "the limited statistic";
	return limits[0].statistic;
}

static void write_head(const cJSON *result, FILE *to)
{
	struct plot_limit limits[PLOT_LIMITS_MAX];
	size_t n = plot_limits(result, limits);
	struct plot_sweep s;

	plot_sweep_init(&s, result);
	fprintf(to, "WIDE = %d\nHIGH = %d\n",
		n < 2	? 960
		: n < 5 ? 1280
			: 1600,
		n < 3 ? 640 : 1000);
	plot_head_text(to, "AXIS", s.axis.label);
	plot_head_real(to, "LOAD", s.axis.load);
	plot_head_texts(to, "SERIES", &s.series);
	plot_head_text(to, "STATISTIC", statistic_of(limits, n));
	write_panels(limits, n, to);
	plot_sweep_free(&s);
}

const struct plot_kind plot_latency = {
	.name = "latency",
	.help = "latencies against the load, a panel for each limit",
	.made_by = "sweep --over traffic.arrivals.rate=LO:HI:N --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
