/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/xmalloc.h"

/* What is being read, and where its mistakes are told. */
struct reading {
	struct measured_table *t;
	struct csv csv;
	bool own; /* a user's: short headings, no source */
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

/* What short headings of a user's table stand for. */
static const struct {
	const char *heading, *name;
} short_headings[] = {
	{"rate", "traffic.arrivals.rate"},
	{"requests", "traffic.requests"},
	{"concurrency", "traffic.arrivals.concurrency"},
	{"output_tokens_per_s", "=throughput.output_tokens_per_s"},
	{"total_tokens_per_s", "=throughput.total_tokens_per_s"},
	{"requests_per_s", "=throughput.requests_per_s"},
};
static const char *const times[] = {"ttft_ms", "tpot_ms", "itl_ms", "e2e_ms"};

/* The heading in full, to be released with free(). */
static char *full_heading(const char *heading)
{
	for (size_t i = 0; i < COUNT(short_headings); i++)
		if (strcmp(heading, short_headings[i].heading) == 0)
			return xstrdup(short_headings[i].name);
	for (size_t i = 0; i < COUNT(times); i++) {
		size_t length = strlen(times[i]);

		if (strncmp(heading, times[i], length) != 0)
			continue;
		if (!heading[length])
			return xasprintf("=latency.%s.p50", heading);
		if (heading[length] == '.')
			return xasprintf("=latency.%s", heading);
	}
	return xstrdup(heading);
}

static void put_column(struct measured_table *t, char *name, int place)
{
	t->column = xrealloc(t->column, (t->columns + 1) * sizeof *t->column);
	t->column[t->columns++] =
		(struct measured_column){.name = name, .kind = kind_of(name), .place = place};
}

static bool add_column(struct reading *r, size_t field)
{
	struct measured_table *t = r->t;
	const char *heading = r->csv.field[field];
	char *name = r->own ? full_heading(heading) : xstrdup(heading);
	bool repeated = find_column(t, name) >= 0;

	if (name[strspn(name, "=")] && !repeated) {
		put_column(t, name, place_of(&r->csv, field));
		return true;
	}
	free(name);
	if (!repeated)
		return fail_at(r, field, "a column needs a heading");
	diag_found(r->d, heading);
	return fail_at(r, field, "two columns have this heading");
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
	for (size_t i = 0; i < r->csv.fields; i++)
		if (!add_column(r, i))
			return false;
	if (!r->own && !has_kind(r->t, MEASURED_SOURCE))
		return fail_line(r, "a table of measurements has a column \"source\"");
	return has_kind(r->t, MEASURED_FIGURE) ||
	       fail_line(r, "no column is a measured figure, as =latency.ttft_ms.p50 is");
}

/* ---- rows ---- */

static bool check_figure(struct reading *r, const char *text, size_t i)
{
	char *end;
	double value = strtod(text, &end);

	if (!*end && isfinite(value) && value > 0)
		return true;
	diag_found(r->d, text);
	return fail_at(r, i, "a measured figure is a number above 0");
}

static bool check_cell(struct reading *r, size_t i)
{
	const char *text = r->csv.field[i];

	if (r->t->column[i].kind == MEASURED_SOURCE)
		return *text || r->own || fail_at(r, i, "a measurement names its source");
	return r->t->column[i].kind != MEASURED_FIGURE || !*text || check_figure(r, text, i);
}

void measured_fill(const struct measured_table *t, struct measured_row *row, size_t column,
		   char *text)
{
	const struct measured_column *c = &t->column[column];

	free(row->cell[column]);
	row->cell[column] = text;
	if (c->kind == MEASURED_SOURCE)
		row->source = text;
	else if (c->kind == MEASURED_GPU)
		row->gpu = text;
	else if (c->kind == MEASURED_FIGURE && *text)
		row->figure[row->figures++] = (struct measured_figure){
			.path = c->name + 1, .column = column, .value = strtod(text, NULL)};
	else if (c->kind == MEASURED_CONDITION && *text)
		record_texts_add(&row->points, xasprintf("%s=%s", c->name, text));
}

struct measured_row *measured_add_row(struct measured_table *t, long line)
{
	struct measured_row *row;

	t->row = xrealloc(t->row, (t->rows + 1) * sizeof *t->row);
	row = &t->row[t->rows++];
	*row = (struct measured_row){
		.line = line, .source = "", .gpu = "", .points.size = sizeof(char *)};
	row->cell = xcalloc(t->columns, sizeof *row->cell);
	row->place = xcalloc(t->columns, sizeof *row->place);
	row->figure = xcalloc(t->columns, sizeof *row->figure);
	for (size_t i = 0; i < t->columns; i++) {
		row->cell[i] = xstrdup("");
		row->place[i] = 1;
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
	row = measured_add_row(r->t, r->csv.number);
	for (size_t i = 0; i < r->t->columns; i++) {
		if (!check_cell(r, i))
			return false;
		row->place[i] = place_of(&r->csv, i);
		measured_fill(r->t, row, i, xstrdup(r->csv.field[i]));
	}
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

void measured_begin(struct measured_table *t, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const char *dot = text_ends(name, ".csv") || text_ends(name, ".json") ? strrchr(name, '.')
									      : name + strlen(name);

	*t = (struct measured_table){.file = xstrdup(file)};
	t->folder = slash ? xasprintf("%.*s", (int)(slash - file), file) : xstrdup(".");
	t->name = xasprintf("%.*s", (int)(dot - name), name);
	t->scenario_file = xasprintf("%.*s.json", (int)(dot - file), file);
	t->fit = strcmp(t->folder, "fit") == 0 || text_ends(t->folder, "/fit");
}

void measured_add_column(struct measured_table *t, const char *heading)
{
	put_column(t, xstrdup(heading), 1);
}

static bool read_csv(struct measured_table *t, const char *file, bool own, struct diag *d)
{
	struct reading r = {.t = t, .own = own, .d = d};
	bool fine;

	*t = (struct measured_table){NULL};
	if (!csv_open(&r.csv, file, d))
		return false;
	measured_begin(t, file);
	fine = read_heading(&r) && read_rows(&r);
	csv_close(&r.csv);
	if (!fine)
		measured_free(t);
	return fine;
}

bool measured_read(struct measured_table *t, const char *csv_file, struct diag *d)
{
	return read_csv(t, csv_file, false, d);
}

bool measured_read_own(struct measured_table *t, const char *csv_file, struct diag *d)
{
	return read_csv(t, csv_file, true, d);
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
