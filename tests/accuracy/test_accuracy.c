/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_accuracy [--update]: the errors of every table of measurements, with three replications a
 * row, against tests/accuracy/expected.csv: no median of |error| may have grown by more than half a
 * percentage point, and no figure may have been lost or added unnoticed. --update rewrites the
 * file; a person reads the difference before it is kept.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "study/validation_group.h"

#define EXPECTED     "tests/accuracy/expected.csv"
#define REPLICATIONS 3
#define GROWTH	     0.5 /* percentage points */

static const char *const heading[] = {"set", "table", "load", "metric", "figures", "median"};
enum { SET, TABLE, LOAD, METRIC, FIGURES, MEDIAN, COLUMNS };

static const char *label(const struct validation_group *g, int column)
{
	switch (column) {
	case SET:
		return validation_set_names[g->set];
	case TABLE:
		return g->table;
	case LOAD:
		return validation_load_names[g->load];
	default:
		return g->metric;
	}
}

static void update(const struct validation_groups *g)
{
	FILE *to = fopen(EXPECTED, "w");

	if (!to) {
		perror(EXPECTED);
		exit(3);
	}
	for (int i = 0; i < COLUMNS; i++)
		fprintf(to, "%s%s", heading[i], i + 1 < COLUMNS ? "," : "\n");
	for (size_t k = 0; k < g->n; k++) {
		for (int i = 0; i < FIGURES; i++) {
			csv_write(to, label(&g->group[k], i));
			fputc(',', to);
		}
		fprintf(to, "%lld,%.2f\n", (long long)g->group[k].summary.figures,
			100 * g->group[k].summary.median);
	}
	fclose(to);
}

/* The group of a row of the file, or NULL. */
static const struct validation_group *group_of(const struct validation_groups *g,
					       const struct csv *row)
{
	for (size_t k = 0; k < g->n; k++) {
		int i = 0;

		while (i < FIGURES && !strcmp(label(&g->group[k], i), row->field[i]))
			i++;
		if (i == FIGURES)
			return &g->group[k];
	}
	return NULL;
}

/* How many things are wrong with a row of the file. */
static int compare(const struct validation_groups *g, const struct csv *row)
{
	const struct validation_group *now = group_of(g, row);
	double was = strtod(row->field[MEDIAN], NULL);
	long long figures = strtoll(row->field[FIGURES], NULL, 10);

	if (now && now->summary.figures == figures && 100 * now->summary.median <= was + GROWTH)
		return 0;
	printf("%s, %s, %s, %s: ", row->field[SET], row->field[TABLE], row->field[LOAD],
	       row->field[METRIC]);
	if (!now)
		puts("is gone");
	else
		printf("%lld figures, median error %.2f %%; now %lld, %.2f %%\n", figures, was,
		       (long long)now->summary.figures, 100 * now->summary.median);
	return 1;
}

static int compare_all(const struct validation_groups *g)
{
	struct csv csv;
	struct diag d;
	int wrong = 0;
	size_t rows = 0;

	diag_init(&d);
	if (!csv_open(&csv, EXPECTED, &d) || !csv_row(&csv)) {
		diag_print(&d, stdout);
		return 1;
	}
	for (; csv_row(&csv) && csv.fields == COLUMNS; rows++)
		wrong += compare(g, &csv);
	csv_close(&csv);
	if (rows != g->n) {
		printf("%zu groups are expected, there are %zu\n", rows, g->n);
		wrong++;
	}
	if (wrong)
		puts("where that is meant, test_accuracy --update rewrites " EXPECTED);
	return wrong;
}

int main(int argc, char **argv)
{
	const struct validation_setup setup = {.replications = REPLICATIONS,
					       .seed = RECORD_INT_UNSET,
					       .data_dir = ".",
					       .quiet = true};
	struct measured_tables tables;
	struct validation v;
	struct validation_groups g;
	struct diag d;
	int wrong = 0;

	diag_init(&d);
	if (!measured_tables_read(&tables, ".", NULL, &d) ||
	    !validation_run(&v, &tables, &setup, &d)) {
		diag_print(&d, stdout);
		return 1;
	}
	validation_groups_find(&g, &v, VALIDATION_BY_TABLE);
	if (argc > 1 && !strcmp(argv[1], "--update"))
		update(&g);
	else
		wrong = compare_all(&g);
	validation_groups_free(&g);
	validation_free(&v);
	return wrong != 0;
}
