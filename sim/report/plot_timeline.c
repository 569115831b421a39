/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue, batch and KV use over time, from the sampled run of each GPU. */
#include <math.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

static const char *const columns[] = {"waiting",     "waiting_max", "running",
				      "running_max", "kv",	    "kv_max"};

static bool has_line(const cJSON *run)
{
	return cJSON_GetArraySize(plot_at(run, "timeline/waiting")) > 0;
}

static bool has(const cJSON *result)
{
	const cJSON *run;

	cJSON_ArrayForEach(run, plot_at(result, "results")) if (has_line(run)) return true;
	return false;
}

/* The time of a row is the middle of its interval. */
static void write_run(struct plot_row *row, const cJSON *run, size_t series)
{
	const cJSON *timeline = plot_at(run, "timeline"), *value[COUNT(columns)];
	double interval_s = plot_real(timeline, "interval_s");

	for (size_t k = 0; k < COUNT(columns); k++) {
		const cJSON *list = plot_at(timeline, columns[k]);
		value[k] = list ? list->child : NULL;
	}
	for (size_t i = 0; value[0]; i++) {
		plot_row_text(row, plot_text(run, "gpu"));
		plot_row_real(row, (double)series);
		plot_row_real(row, ((double)i + 0.5) * interval_s);
		for (size_t k = 0; k < COUNT(columns); k++) {
			plot_row_real(row, plot_real(value[k], ""));
			value[k] = value[k] ? value[k]->next : NULL;
		}
		plot_row_end(row);
	}
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	const cJSON *run;
	size_t series = 0;

	fputs("gpu,series,time_s", to);
	for (size_t k = 0; k < COUNT(columns); k++)
		fprintf(to, ",%s", columns[k]);
	fputc('\n', to);
	cJSON_ArrayForEach(run, plot_at(result, "results")) if (has_line(run))
		write_run(&row, run, ++series);
}

static double largest(const cJSON *list)
{
	const cJSON *value;
	double most = 0;

	cJSON_ArrayForEach(value, list) most = fmax(most, plot_real(value, ""));
	return most;
}

/* SPAN_S, WARMUP_S: the longest run and warm-up; WAITING, RUNNING: the most of them. */
static void write_head(const cJSON *result, FILE *to)
{
	struct record_list gpus = {.size = sizeof(char *)};
	double span_s = 0, warmup_s = 0, waiting = 1, running = 1;
	const cJSON *run;

	cJSON_ArrayForEach(run, plot_at(result, "results"))
	{
		if (!has_line(run))
			continue;
		double intervals = cJSON_GetArraySize(plot_at(run, "timeline/waiting"));
		record_texts_add(&gpus, xstrdup(plot_text(run, "gpu")));
		span_s = fmax(span_s, intervals * plot_real(run, "timeline/interval_s"));
		running = fmax(running, largest(plot_at(run, "timeline/running_max")));
		waiting = fmax(waiting, largest(plot_at(run, "timeline/waiting_max")));
		warmup_s = fmax(warmup_s, plot_real(run, "timeline/warmup_s"));
	}
	plot_head_real(to, "HIGH", 720);
	plot_head_texts(to, "GPU", &gpus);
	plot_head_real(to, "SPAN_S", span_s);
	plot_head_real(to, "WARMUP_S", warmup_s);
	plot_head_real(to, "WAITING", waiting);
	plot_head_real(to, "RUNNING", running);
	record_texts_free(&gpus);
}

const struct plot_kind plot_timeline = {
	.name = "timeline",
	.help = "requests that wait, sequences that run and KV in use over time",
	.made_by = "run --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
