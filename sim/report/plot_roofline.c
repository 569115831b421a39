/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roof of each GPU of a run, and where its prefill and decode steps work under it. */
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

static bool has_point(const cJSON *roofline)
{
	return cJSON_GetArraySize(plot_at(roofline, "phases")) > 0;
}

static bool has(const cJSON *result)
{
	const cJSON *run, *roofline;

	cJSON_ArrayForEach(run, plot_at(result, "results")) cJSON_ArrayForEach(
		roofline, plot_at(run, "roofline")) if (has_point(roofline)) return true;
	return false;
}

/* A phase, or with `term` one of the terms of its steps. */
static void write_point(struct plot_row *row, const cJSON *roofline, size_t series,
			const cJSON *phase, const cJSON *term)
{
	const cJSON *of = term ? term : phase;

	plot_row_text(row, plot_text(roofline, "gpu"));
	plot_row_real(row, (double)series);
	plot_row_text(row, plot_text(phase, "phase"));
	plot_row_text(row, plot_text(term, "term"));
	plot_row_real(row, plot_real(of, "flop_per_byte"));
	plot_row_real(row, plot_real(of, "flop_per_s"));
	plot_row_real(row, plot_real(of, "busy_share"));
	plot_row_real(row, plot_real(roofline, "peak_flop_per_s"));
	plot_row_real(row, plot_real(roofline, "peak_byte_per_s"));
	plot_row_real(row, plot_real(roofline, "sustained_flop_per_s"));
	plot_row_real(row, plot_real(roofline, "sustained_byte_per_s"));
	plot_row_end(row);
}

static void write_roofline(struct plot_row *row, const cJSON *roofline, size_t series)
{
	const cJSON *phase, *term;

	cJSON_ArrayForEach(phase, plot_at(roofline, "phases"))
	{
		write_point(row, roofline, series, phase, NULL);
		cJSON_ArrayForEach(term, plot_at(phase, "terms"))
			write_point(row, roofline, series, phase, term);
	}
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	const cJSON *run, *roofline;
	size_t series = 0;

	fputs("gpu,series,phase,term,flop_per_byte,flop_per_s,busy_share,peak_flop_per_s,"
	      "peak_byte_per_s,sustained_flop_per_s,sustained_byte_per_s\n",
	      to);
	cJSON_ArrayForEach(run, plot_at(result, "results"))
		cJSON_ArrayForEach(roofline, plot_at(run, "roofline")) if (has_point(roofline))
			write_roofline(&row, roofline, ++series);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct record_list gpus = {.size = sizeof(char *)};
	const cJSON *run, *roofline;

	cJSON_ArrayForEach(run, plot_at(result, "results"))
		cJSON_ArrayForEach(roofline, plot_at(run, "roofline")) if (has_point(roofline))
			record_texts_add(&gpus, xstrdup(plot_text(roofline, "gpu")));
	plot_head_texts(to, "GPU", &gpus);
	record_texts_free(&gpus);
}

const struct plot_kind plot_roofline = {
	.name = "roofline",
	.help = "the roofline of each GPU, and where its prefill and decode steps work under it",
	.made_by = "run --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
