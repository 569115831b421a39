/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replacement ratio over two swept parameters, as a map: a panel for each GPU that replaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/xmalloc.h"
#include "report/plot_axis.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

/* The map's axes: keys of `point`, the second NULL where one parameter was swept. */
struct axes {
	const char *x, *y;
};

static struct axes find_axes(const cJSON *result)
{
	const cJSON *results = plot_at(result, "results");
	const cJSON *point = cJSON_IsArray(results) ? plot_at(results->child, "point") : NULL;

	if (!point || !cJSON_IsObject(point) || !point->child)
		return (struct axes){NULL, NULL};
	const cJSON *x = point->child, *y = x->next;
	return (struct axes){x->string, y ? y->string : NULL};
}

static bool has(const cJSON *result)
{
	const cJSON *item, *side;
	struct axes a = find_axes(result);

	if (!a.x)
		return false;
	cJSON_ArrayForEach(item, plot_at(result, "results"))
	{
		cJSON_ArrayForEach(side, plot_at(item, "to"))
		{
			if (isfinite(plot_real(side, "ratio")))
				return true;
		}
	}
	return false;
}

/* Place along an axis, from 1, in the order of the sweep. */
static size_t place(struct record_list *values, const cJSON *result, const char *path)
{
	const cJSON *value = path ? plot_at(plot_at(result, "point"), path) : NULL;
	char number[NUMBER_TEXT];

	if (!value)
		return plot_name(values, "") + 1;
	if (cJSON_IsString(value))
		return plot_name(values, value->valuestring) + 1;
	number_plain(number, value->valuedouble);
	return plot_name(values, number) + 1;
}

/* A map as it is read: what stands along the axes, and the GPUs. */
struct map {
	struct axes axes;
	struct record_list x, y, gpus;
};

static void write_cell(struct plot_row *row, struct map *m, const cJSON *item, const cJSON *side)
{
	size_t panel = plot_name(&m->gpus, plot_text(side, "gpu")) + 1;
	size_t x = place(&m->x, item, m->axes.x), y = place(&m->y, item, m->axes.y);

	if (!row)
		return;
	plot_row_real(row, (double)panel);
	plot_row_text(row, plot_text(side, "gpu"));
	plot_row_real(row, (double)x);
	plot_row_text(row, ((char **)m->x.data)[x - 1]);
	plot_row_real(row, (double)y);
	plot_row_text(row, ((char **)m->y.data)[y - 1]);
	plot_row_real(row, plot_real(side, "ratio"));
	plot_row_real(row, plot_real(side, "count"));
	plot_row_real(row, plot_real(side, "cost_ratio"));
	plot_row_text(row, plot_text(side, "verdict"));
	plot_row_real(row, plot_real(side, "tensor_parallel"));
	plot_row_end(row);
}

/* Reads the map; with a row also writes it. */
static void read_map(struct map *m, const cJSON *result, struct plot_row *row)
{
	const cJSON *item, *side;

	*m = (struct map){.axes = find_axes(result)};
	cJSON_ArrayForEach(item, plot_at(result, "results"))
		cJSON_ArrayForEach(side, plot_at(item, "to")) write_cell(row, m, item, side);
}

static void free_map(struct map *m)
{
	record_texts_free(&m->x);
	record_texts_free(&m->y);
	record_texts_free(&m->gpus);
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	struct map m;

	fputs("panel,gpu,column,x,row,y,ratio,count,cost_ratio,verdict,tensor_parallel\n", to);
	read_map(&m, result, &row);
	free_map(&m);
}

static void write_label(FILE *to, const char *name, const char *path)
{
	char *label = path ? plot_axis_label(path) : xstrdup("");

	plot_head_text(to, name, label);
	free(label);
}

static void write_from(const cJSON *result, FILE *to)
{
	const cJSON *from = plot_at(plot_at(result, "results")->child, "from");
	char *text = xasprintf("%.0f %s", plot_real(from, "count"), plot_text(from, "gpu"));

	plot_head_text(to, "FROM", text);
	free(text);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct map m;
	int across, down;

	read_map(&m, result, NULL);
	across = m.gpus.count < 2 ? 1 : m.gpus.count < 5 ? 2 : 3;
	down = ((int)m.gpus.count - 1) / across + 1;
	fprintf(to, "WIDE = %d\nHIGH = %d\nACROSS = %d\nDOWN = %d\n", 960 + 400 * (across - 1),
		640 + 400 * (down - 1), across, down);
	write_from(result, to);
	write_label(to, "XLABEL", m.axes.x);
	write_label(to, "YLABEL", m.axes.y);
	plot_head_texts(to, "GPU", &m.gpus);
	plot_head_texts(to, "X", &m.x);
	plot_head_texts(to, "Y", &m.y);
	free_map(&m);
}

const struct plot_kind plot_heat = {
	.name = "heat",
	.help = "the replacement ratio over two parameters, as a colour map",
	.made_by = "sweep --over PATH=... --over PATH=... --from N:GPU --to GPU --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
