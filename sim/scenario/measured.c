/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/text.h"
#include "base/xmalloc.h"

/* What is being read, and where its mistakes are told. */
struct reading {
	struct measured_table *t;
	struct csv csv;
	struct diag *d;
};

/* ---- places ---- */

/* Of field i in its line, in characters from 1; the field's text is cut in place, its start is not
 * moved. */
static int place_of(const struct csv *c, size_t i)
{
	int place = 1;

	for (const char *at = c->line; at < c->field[i]; at++)
		place += ((unsigned char)*at & 0xc0) != 0x80;
	return place;
}

static bool fail_at(const struct reading *r, size_t field, const char *message)
{
	diag_fail(r->d, "%s", message);
	diag_at(r->d, r->csv.name, (int)r->csv.number, place_of(&r->csv, field));
	return false;
}

static bool fail_line(const struct reading *r, const char *message)
{
	diag_at(r->d, r->csv.name, (int)r->csv.number, 1);
	return diag_fail(r->d, "%s", message);
}

/* ---- the heading ---- */

static enum measured_kind kind_of(const char *name)
{
	if (name[0] == '=')
		return MEASURED_FIGURE;
	if (strncmp(name, "fact.", 5) == 0)
		return MEASURED_FACT;
	if (strcmp(name, "source") == 0)
		return MEASURED_SOURCE;
	if (strcmp(name, "note") == 0)
		return MEASURED_NOTE;
	return strcmp(name, "gpu") == 0 ? MEASURED_GPU : MEASURED_CONDITION;
}

static ptrdiff_t find_column(const struct measured_table *t, const char *name)
{
	for (size_t i = 0; i < t->columns; i++)
		if (strcmp(t->column[i].name, name) == 0)
			return (ptrdiff_t)i;
	return -1;
}

static bool add_column(struct reading *r, size_t field)
{
	struct measured_table *t = r->t;
	const char *name = r->csv.field[field];

	if (!name[strspn(name, "=")])
		return fail_at(r, field, "a column needs a heading");
	if (find_column(t, name) >= 0) {
		diag_found(r->d, name);
		return fail_at(r, field, "two columns have this heading");
	}
	t->column[t->columns++] = (struct measured_column){
		.name = xstrdup(name), .kind = kind_of(name), .place = place_of(&r->csv, field)};
	return true;
}

static bool has_kind(const struct measured_table *t, enum measured_kind kind)
{
	for (size_t i = 0; i < t->columns; i++)
		if (t->column[i].kind == kind)
			return true;
	return false;
}

static bool read_heading(struct reading *r)
{
	if (!csv_row(&r->csv))
		return fail_line(r, "is empty: a table has a heading");
	r->t->column = xcalloc(r->csv.fields, sizeof *r->t->column);
	for (size_t i = 0; i < r->csv.fields; i++)
		if (!add_column(r, i))
			return false;
	if (!has_kind(r->t, MEASURED_SOURCE))
		return fail_line(r, "a table of measurements has a column \"source\"");
	return has_kind(r->t, MEASURED_FIGURE) ||
	       fail_line(r, "no column is a measured figure, as =latency.ttft_ms.p50 is");
}

/* ---- rows ---- */

static bool read_figure(struct reading *r, struct measured_row *row, size_t i)
{
	char *end;
	double value = strtod(row->cell[i], &end);

	if (*end || !isfinite(value) || value <= 0) {
		diag_found(r->d, row->cell[i]);
		return fail_at(r, i, "a measured figure is a number above 0");
	}
	row->figure[row->figures++] = (struct measured_figure){
		.path = r->t->column[i].name + 1, .column = i, .value = value};
	return true;
}

static bool read_cell(struct reading *r, struct measured_row *row, size_t i)
{
	const char *text = row->cell[i];

	switch (r->t->column[i].kind) {
	case MEASURED_SOURCE:
		row->source = text;
		return *text || fail_at(r, i, "a measurement names its source");
	case MEASURED_GPU:
		row->gpu = text;
		return true;
	case MEASURED_FIGURE:
		return !*text || read_figure(r, row, i);
	case MEASURED_CONDITION:
		if (*text)
			record_texts_add(&row->points,
					 xasprintf("%s=%s", r->t->column[i].name, text));
		return true;
	case MEASURED_NOTE:
	case MEASURED_FACT:
		break;
	}
	return true;
}

static struct measured_row *new_row(struct measured_table *t, const struct csv *c)
{
	struct measured_row *row;

	t->row = xrealloc(t->row, (t->rows + 1) * sizeof *t->row);
	row = &t->row[t->rows++];
	*row = (struct measured_row){.line = c->number, .gpu = "", .points.size = sizeof(char *)};
	row->cell = xcalloc(t->columns, sizeof *row->cell);
	row->place = xcalloc(t->columns, sizeof *row->place);
	row->figure = xcalloc(t->columns, sizeof *row->figure);
	for (size_t i = 0; i < t->columns; i++) {
		row->cell[i] = xstrdup(c->field[i]);
		row->place[i] = place_of(c, i);
	}
	return row;
}

static bool read_row(struct reading *r)
{
	char message[96];
	struct measured_row *row;

	if (r->csv.fields == 1 && !r->csv.field[0][0])
		return true;
	if (r->csv.fields != r->t->columns) {
		snprintf(message, sizeof message, "the row has %zu cells, the heading %zu",
			 r->csv.fields, r->t->columns);
		return fail_line(r, message);
	}
	row = new_row(r->t, &r->csv);
	for (size_t i = 0; i < r->t->columns; i++)
		if (!read_cell(r, row, i))
			return false;
	return true;
}

static bool read_rows(struct reading *r)
{
	while (csv_row(&r->csv))
		if (!read_row(r))
			return false;
	if (r->csv.failed)
		return fail_line(r, "cannot be read");
	return r->t->rows || fail_line(r, "has no row");
}

/* ---- tables ---- */

/* Names the table after its file: FOLDER/NAME.csv. */
static void name_table(struct measured_table *t, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const char *dot = text_ends(name, ".csv") ? strrchr(name, '.') : name + strlen(name);

	t->file = xstrdup(file);
	t->folder = slash ? xasprintf("%.*s", (int)(slash - file), file) : xstrdup(".");
	t->name = xasprintf("%.*s", (int)(dot - name), name);
	t->scenario_file = xasprintf("%.*s.json", (int)(dot - file), file);
	t->fit = strcmp(t->folder, "fit") == 0 || text_ends(t->folder, "/fit");
}

bool measured_read(struct measured_table *t, const char *csv_file, struct diag *d)
{
	struct reading r = {.t = t, .d = d};
	bool fine;

	*t = (struct measured_table){NULL};
	if (!csv_open(&r.csv, csv_file, d))
		return false;
	name_table(t, csv_file);
	fine = read_heading(&r) && read_rows(&r);
	csv_close(&r.csv);
	if (!fine)
		measured_free(t);
	return fine;
}

static void free_row(const struct measured_table *t, struct measured_row *row)
{
	for (size_t i = 0; i < t->columns; i++)
		free(row->cell[i]);
	free(row->cell);
	free(row->place);
	free(row->figure);
	record_texts_free(&row->points);
}

void measured_free(struct measured_table *t)
{
	for (size_t i = 0; i < t->rows; i++)
		free_row(t, &t->row[i]);
	for (size_t i = 0; i < t->columns; i++)
		free(t->column[i].name);
	free(t->row);
	free(t->column);
	free(t->name);
	free(t->file);
	free(t->scenario_file);
	free(t->folder);
	*t = (struct measured_table){NULL};
}

const char *measured_cell(const struct measured_table *t, const struct measured_row *row,
			  const char *column)
{
	ptrdiff_t i = find_column(t, column);

	return i < 0 ? NULL : row->cell[i];
}

/* ---- scenarios ---- */

/* The column of a layer that messages call "--over PATH=VALUE" or "--gpu ID"; -1: another layer. */
static ptrdiff_t column_of(const struct measured_table *t, const char *layer)
{
	static const char over[] = "--over ", gpu[] = "--gpu ";
	ptrdiff_t column;
	char *path;

	if (strncmp(layer, gpu, sizeof gpu - 1) == 0)
		return find_column(t, "gpu");
	if (strncmp(layer, over, sizeof over - 1) != 0)
		return -1;
	layer += sizeof over - 1;
	path = xasprintf("%.*s", (int)strcspn(layer, "="), layer);
	column = find_column(t, path);
	free(path);
	return column;
}

/* A cell is named by its place in the CSV; a mistake elsewhere tells with which row it was seen. */
static void blame(const struct measured_table *t, const struct measured_row *row, struct diag *d)
{
	ptrdiff_t column = column_of(t, d->file);

	if (column < 0 && d->file[0]) {
		text_add(d->message, sizeof d->message, ", with the row in line %ld of %s",
			 row->line, t->file);
		return;
	}
	snprintf(d->file, sizeof d->file, "%s", t->file);
	d->line = (int)row->line;
	d->column = column < 0 ? 1 : row->place[column];
}

struct scenario *measured_scenario(const struct measured_table *t, const struct measured_row *row,
				   const struct scenario_source *from,
				   const struct scenario_options *options, struct diag *d)
{
	struct scenario_options o = *options;
	const char *gpu[] = {row->gpu, NULL};
	const char **points = xcalloc(row->points.count + 1, sizeof *points);
	struct scenario *s;

	for (size_t i = 0; i < row->points.count; i++)
		points[i] = ((char *const *)row->points.data)[i];
	o.file = t->scenario_file;
	o.points = points;
	o.points_folder = t->folder;

	if (*row->gpu)
		o.gpus = gpu;
	s = scenario_read_from(from, &o, d);
	free(points);
	if (!s)
		blame(t, row, d);
	return s;
}
