/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated ratio of a replacement beside those that a data sheet would give. */
#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

static bool has(const cJSON *result)
{
	const cJSON *side;

	cJSON_ArrayForEach(
		side, plot_at(result, "to")) if (isfinite(plot_real(side, "ratio"))) return true;
	return false;
}

static void write_side(struct plot_row *row, const cJSON *side, int series)
{
	const cJSON *interval = plot_at(side, "ratio_interval");

	plot_row_real(row, series);
	plot_row_text(row, plot_text(side, "gpu"));
	plot_row_real(row, plot_real(side, "tensor_parallel"));
	plot_row_real(row, plot_real(side, "units"));
	plot_row_real(row, plot_real(side, "count"));
	plot_row_real(row, plot_real(side, "ratio"));
	plot_row_real(row, plot_real(cJSON_GetArrayItem(interval, 0), ""));
	plot_row_real(row, plot_real(cJSON_GetArrayItem(interval, 1), ""));
	plot_row_real(row, plot_real(side, "naive/bandwidth"));
	plot_row_real(row, plot_real(side, "naive/compute"));
	plot_row_real(row, plot_real(side, "naive/memory"));
	plot_row_text(row, plot_text(side, "verdict"));
	plot_row_end(row);
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	const cJSON *side;
	int series = 0;

	fputs("series,gpu,tensor_parallel,units,count,ratio,low,high,bandwidth,compute,memory,"
	      "verdict\n",
	      to);
	cJSON_ArrayForEach(side, plot_at(result, "to")) write_side(&row, side, ++series);
}

/* "13 GPUs", "8 GPUs: 2 x TP4", "cannot". */
static char *need(const cJSON *side)
{
	double count = plot_real(side, "count"), tp = plot_real(side, "tensor_parallel");

	if (!isfinite(count))
		return xstrdup("cannot");
	if (tp > 1)
		return xasprintf("%.0f GPUs: %.0f x TP%.0f", count, plot_real(side, "units"), tp);
	return xasprintf("%.0f GPU%s", count, count > 1 ? "s" : "");
}

static void write_head(const cJSON *result, FILE *to)
{
	struct record_list gpus = {0}, needs = {0};
	const cJSON *side, *from = plot_at(result, "from");
	char *replaced = xasprintf("%.0f %s", plot_real(from, "count"), plot_text(from, "gpu"));

	cJSON_ArrayForEach(side, plot_at(result, "to"))
	{
		record_texts_add(&gpus, xstrdup(plot_text(side, "gpu")));
		record_texts_add(&needs, need(side));
	}
	plot_head_text(to, "FROM", replaced);
	plot_head_texts(to, "GPU", &gpus);
	plot_head_texts(to, "NEED", &needs);
	free(replaced);
	record_texts_free(&gpus);
	record_texts_free(&needs);
}

const struct plot_kind plot_bars = {
	.name = "bars",
	.help = "units that replace the from side: simulated, and by bandwidth, compute, memory",
	.made_by = "replace --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
