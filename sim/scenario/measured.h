/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of measurements: a scenario, NAME.json, with what all rows have in common, and NAME.csv
 * with a row a measurement. By its heading a column is
 *
 *	source, note	where the row comes from (required), free text
 *	gpu		the candidate, as of --gpu
 *	fact.NAME	what a rule or a person wants to know and no scenario says
 *	=PATH		a figure that was measured, a path of a run's result in its unit:
 *			=latency.ttft_ms.p50
 *	PATH		a condition, a path of the scenario as of --set: traffic.arrivals.rate; the
 *			cell holds JSON or a text
 *
 * An empty cell says nothing. Relative paths in cells refer to the table's folder.
 */
#ifndef SCENARIO_MEASURED_H
#define SCENARIO_MEASURED_H

#include "scenario/scenario.h"

enum measured_kind {
	MEASURED_SOURCE,
	MEASURED_NOTE,
	MEASURED_GPU,
	MEASURED_FACT,
	MEASURED_FIGURE,
	MEASURED_CONDITION
};

struct measured_column {
	char *name; /* its heading */
	enum measured_kind kind;
	int place; /* of the heading in its line, in characters from 1 */
};

/* A cell of a figure that is not empty. */
struct measured_figure {
	const char *path; /* "latency.ttft_ms.p50"; the column's */
	size_t column;
	double value; /* in the file's unit */
};

struct measured_row {
	long line;   /* in the CSV, from 1 */
	char **cell; /* by column; "": empty */
	int *place;  /* by column, where the cell starts in its line, in characters from 1 */
	const char *source, *gpu;  /* cells; "": none */
	struct record_list points; /* the conditions as PATH=VALUE, of char * */
	size_t figures;
	struct measured_figure *figure;
};

struct measured_table {
	char *name, *file, *scenario_file; /* of .../NAME.csv: NAME, itself, .../NAME.json */
	char *folder;
	bool fit; /* in a folder fit/: constants may be fitted to it */
	size_t columns, rows;
	struct measured_column *column;
	struct measured_row *row;
};

/* Reads NAME.csv; false with d filled (file, line, column), and nothing to free. Whether a heading
 * is a path of a scenario or a result is seen where one is read. */
bool measured_read(struct measured_table *t, const char *csv_file, struct diag *d);
/*
 * A user's own table: a source is not asked for, and short headings are understood: rate, requests,
 * concurrency; ttft_ms, tpot_ms, itl_ms, e2e_ms (the median) and ttft_ms.p99 and its like;
 * output_tokens_per_s, total_tokens_per_s, requests_per_s.
 */
bool measured_read_own(struct measured_table *t, const char *csv_file, struct diag *d);

/* A table that is no CSV: named after its file, then its columns, then its rows. */
void measured_begin(struct measured_table *t, const char *file);
void measured_add_column(struct measured_table *t, const char *heading);
/* A row whose cells are empty; good until the next. */
struct measured_row *measured_add_row(struct measured_table *t, long line);
/* Fills an empty cell with a text, then the table's; of a figure a number above 0. */
void measured_fill(const struct measured_table *t, struct measured_row *row, size_t column,
		   char *text);

void measured_free(struct measured_table *t);

/* The row's cell under a heading; "" if it is empty, NULL if there is no such column. */
const char *measured_cell(const struct measured_table *t, const struct measured_row *row,
			  const char *column);

/*
 * The scenario of a row, from `from`, which was opened with the table's scenario_file: the file,
 * `options` but for its file, GPUs and points, then the row's GPU and conditions. NULL with d
 * filled: what is wrong with a cell is placed in the CSV.
 */
struct scenario *measured_scenario(const struct measured_table *t, const struct measured_row *row,
				   const struct scenario_source *from,
				   const struct scenario_options *options, struct diag *d);

#endif
