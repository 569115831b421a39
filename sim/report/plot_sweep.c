/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "report/plot_axis.h"

static bool is_rate(const char *path)
{
	return text_ends(path, ".rate") || text_ends(path, ".rate_scale");
}

static bool is_load(const char *path)
{
	return is_rate(path) || text_ends(path, ".concurrency");
}

static void find_axis(struct plot_sweep_axis *axis, const cJSON *point)
{
	const cJSON *item, *number = NULL;
	int numbers = 0;

	cJSON_ArrayForEach(item, point)
	{
		if (!cJSON_IsNumber(item) || axis->load)
			continue;
		numbers++;
		number = item;
		axis->load = is_load(item->string);
	}
	if (number && (axis->load || numbers == 1))
		axis->path = number->string;
	if (axis->path)
		axis->label = is_rate(axis->path) ? xstrdup("Offered load [requests/s]")
						  : plot_axis_label(axis->path);
}

/* The value that was set; the load that arrived where that is no rate of requests: a trace's rate
 * scaled, a rate that is on and off. */
static double place(const struct plot_sweep *s, const cJSON *result)
{
	if (text_ends(s->axis.path, ".rate_scale") || s->on_and_off)
		return plot_real(result, "throughput/offered_rps");
	return plot_real(plot_at(result, "point"), s->axis.path);
}

/* "l4-24gb, mean=512": the GPU and what was swept beside the axis. */
static char *series_name(const cJSON *result, const char *axis)
{
	char text[256] = "", number[NUMBER_TEXT];
	const cJSON *item;

	text_add(text, sizeof text, "%s", plot_text(result, "gpu"));
	cJSON_ArrayForEach(item, plot_at(result, "point"))
	{
		const char *dot = strrchr(item->string, '.');
		if (!strcmp(item->string, axis))
			continue;
		number_plain(number, item->valuedouble);
		text_add(text, sizeof text, ", %s=%s", dot ? dot + 1 : item->string,
			 cJSON_IsString(item) ? item->valuestring : number);
	}
	return xstrdup(text);
}

static void add_point(struct plot_sweep *s, const cJSON *result)
{
	struct plot_sweep_point *p = &s->point[s->points];
	char *name;

	*p = (struct plot_sweep_point){.result = result, .x = place(s, result)};
	if (!isfinite(p->x))
		return;
	name = series_name(result, s->axis.path);
	p->series = plot_name(&s->series, name) + 1;
	free(name);
	s->points++;
}

/* A series that never ran has no line: its name says why, "t4-16gb, does-not-fit". */
static void name_idle(struct plot_sweep *s)
{
	for (size_t i = 0; i < s->points;) {
		const struct plot_sweep_point *p = &s->point[i];
		char **name = (char **)s->series.data + p->series - 1;
		bool ran = false;
		for (; i < s->points && s->point[i].series == p->series; i++)
			ran |= isfinite(plot_latency_ms(s->point[i].result, "e2e_ms", "p50"));
		if (ran)
			continue;
		char *said = xasprintf("%s, %s", *name, plot_text(p->result, "verdict"));
		free(*name);
		*name = said;
	}
}

static int by_series_and_x(const void *a, const void *b)
{
	const struct plot_sweep_point *p = a, *q = b;

	if (p->series != q->series)
		return p->series < q->series ? -1 : 1;
	return (p->x > q->x) - (p->x < q->x);
}

static void count_overloaded(struct plot_sweep *s)
{
	for (size_t i = 0, series = 0, n = 0; i < s->points; i++) {
		struct plot_sweep_point *p = &s->point[i];
		if (p->series != series)
			n = 0;
		series = p->series;
		if (!strcmp(plot_text(p->result, "verdict"), "overloaded"))
			p->overloaded = s->axis.load ? (int)++n : 1;
	}
}

void plot_sweep_init(struct plot_sweep *s, const cJSON *result)
{
	static const char process[] = "scenario/traffic/arrivals/process";
	const cJSON *item, *results = plot_at(result, "results");

	*s = (struct plot_sweep){0};
	if (!cJSON_IsArray(results) || !cJSON_IsObject(plot_at(results->child, "point")))
		return;
	find_axis(&s->axis, plot_at(results->child, "point"));
	if (!s->axis.path)
		return;
	s->on_and_off = is_rate(s->axis.path) && !strcmp(plot_text(result, process), "onoff");
	s->point = xcalloc((size_t)cJSON_GetArraySize(results), sizeof *s->point);
	for (item = results->child; item; item = item->next)
		if (plot_at(item, "latency") && cJSON_IsObject(plot_at(item, "point")))
			add_point(s, item);
	if (s->points)
		qsort(s->point, s->points, sizeof *s->point, by_series_and_x);
	count_overloaded(s);
	name_idle(s);
}

void plot_sweep_free(struct plot_sweep *s)
{
	record_texts_free(&s->series);
	free(s->axis.label);
	free(s->point);
}

size_t plot_limits(const cJSON *result, struct plot_limit limits[PLOT_LIMITS_MAX])
{
	const cJSON *metric, *limit;
	size_t n = 0;

	cJSON_ArrayForEach(metric, plot_at(result, "scenario/slo"))
	{
		cJSON_ArrayForEach(limit, metric)
		{
			if (n < PLOT_LIMITS_MAX && limit->string && limit->valuedouble > 0)
				limits[n++] = (struct plot_limit){metric->string, limit->string,
								  limit->valuedouble};
		}
	}
	if (n)
		return n;
	limits[0] = (struct plot_limit){"ttft_ms", "p99", NAN};
	limits[1] = (struct plot_limit){"tpot_ms", "p99", NAN};
	return 2;
}

double plot_latency_ms(const cJSON *result, const char *metric, const char *statistic)
{
	double ms = plot_real(plot_at(plot_at(result, "latency"), metric), statistic);

	return ms > 0 ? ms : (double)NAN;
}

const char *plot_metric_name(const char *metric)
{
	static const char *const names[][2] = {{"ttft_ms", "TTFT"},
					       {"tpot_ms", "TPOT"},
					       {"itl_ms", "ITL"},
					       {"e2e_ms", "E2E latency"}};

	for (size_t i = 0; i < COUNT(names); i++)
		if (!strcmp(names[i][0], metric))
			return names[i][1];
	return metric;
}
