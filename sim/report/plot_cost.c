/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost per 1,000 requests against load, from the curve of a replacement. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

#define BETWEEN 8 /* rows that bend the line between two rates: a fleet's cost goes with 1/rate */

static bool has_price(const cJSON *point)
{
	return isfinite(plot_real(point, "usd_per_1k_requests"));
}

static bool has(const cJSON *result)
{
	const cJSON *point;

	cJSON_ArrayForEach(point, plot_at(result, "curve")) if (has_price(point)) return true;
	return false;
}

/* The GPUs with a line, in order of appearance. */
static void list_gpus(const cJSON *result, struct record_list *gpus)
{
	const cJSON *point;

	cJSON_ArrayForEach(point, plot_at(result, "curve")) if (has_price(point))
		plot_name(gpus, plot_text(point, "gpu"));
}

/* One row: `fleet` is the point whose GPUs carry the rate. */
static void write_row(struct plot_row *row, const cJSON *fleet, size_t series, double rate_rps,
		      bool holds, bool simulated)
{
	double usd_per_hour = plot_real(fleet, "usd_per_hour");

	plot_row_real(row, rate_rps);
	plot_row_text(row, plot_text(fleet, "gpu"));
	plot_row_real(row, (double)series);
	plot_row_real(row, plot_real(fleet, "units"));
	plot_row_real(row, plot_real(fleet, "gpus"));
	plot_row_real(row, usd_per_hour);
	plot_row_real(row, usd_per_hour / 3.6 / rate_rps);
	plot_row_bool(row, holds);
	plot_row_bool(row, simulated);
	plot_row_end(row);
}

/* From a rate that was simulated to the next. The fleet of the next stands from the first rate on:
 * nobody has seen the smaller one hold more. Where none holds, the last that did is drawn on. */
static void write_between(struct plot_row *row, const cJSON *before, const cJSON *point,
			  size_t series, const cJSON *fleet)
{
	double from = plot_real(before, "rate_rps"), to = plot_real(point, "rate_rps");

	for (int i = 0; i < BETWEEN; i++)
		write_row(row, fleet, series, from + (to - from) * i / BETWEEN,
			  plot_is_true(point, "holds"), false);
}

static void write_gpu(const cJSON *result, const char *gpu, size_t series, struct plot_row *row)
{
	const cJSON *point, *before = NULL, *fleet = NULL;

	cJSON_ArrayForEach(point, plot_at(result, "curve"))
	{
		if (strcmp(plot_text(point, "gpu"), gpu) != 0)
			continue;
		if (has_price(point))
			fleet = point;
		if (before && fleet)
			write_between(row, before, point, series, fleet);
		if (fleet)
			write_row(row, fleet, series, plot_real(point, "rate_rps"),
				  plot_is_true(point, "holds"), true);
		before = fleet ? point : NULL;
	}
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct record_list gpus = {.size = sizeof(char *)};
	struct plot_row row = {.to = to};

	fputs("rate_rps,gpu,series,units,gpus,usd_per_hour,usd_per_1k_requests,holds,simulated\n",
	      to);
	list_gpus(result, &gpus);
	for (size_t i = 0; i < gpus.count; i++)
		write_gpu(result, ((char **)gpus.data)[i], i + 1, &row);
	record_texts_free(&gpus);
}

static bool is_listed(const struct record_list *gpus, const char *name)
{
	for (size_t i = 0; i < gpus->count; i++)
		if (!strcmp(((char *const *)gpus->data)[i], name))
			return true;
	return false;
}

/* LOST: whether a line goes on where no number of GPUs holds; MISSING: the GPUs without a line, for
 * want of a price or of a number that holds. */
static void write_gaps(const cJSON *result, const struct record_list *gpus, FILE *to)
{
	struct record_list missing = {.size = sizeof(char *)};
	char text[256] = "";
	const cJSON *point;
	bool lost = false;

	cJSON_ArrayForEach(point, plot_at(result, "curve"))
	{
		bool listed = is_listed(gpus, plot_text(point, "gpu"));
		lost |= listed && !plot_is_true(point, "holds");
		if (!listed)
			plot_name(&missing, plot_text(point, "gpu"));
	}
	for (size_t i = 0; i < missing.count; i++)
		text_add(text, sizeof text, "%s%s", i ? ", " : "", ((char **)missing.data)[i]);
	plot_head_real(to, "LOST", lost);
	plot_head_text(to, "MISSING", text);
	record_texts_free(&missing);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct record_list gpus = {.size = sizeof(char *)};

	list_gpus(result, &gpus);
	plot_head_texts(to, "GPU", &gpus);
	write_gaps(result, &gpus, to);
	plot_head_real(to, "LIMIT", plot_real(result, "from/max_rps"));
	record_texts_free(&gpus);
}

const struct plot_kind plot_cost = {
	.name = "cost",
	.help = "cost per 1,000 requests against load, the GPUs added in whole steps",
	.made_by = "replace --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
