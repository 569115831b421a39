/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An aligned text table: a heading of up to two lines, rows of cells, numbers to the right. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stats/interval.h"

struct table_cell {
	char *text;
	bool right;
};

struct table {
	size_t columns, rows;
	struct table_cell
		*cell; /* rows * columns; row 0 is the heading, '\n' splits it over two lines */
	size_t filled;
};

void table_init(struct table *t, size_t columns);
/* The same with the heading, a text a column. */
void table_begin(struct table *t, const char *const *heading, size_t columns);
void table_free(struct table *t);
/* Adds the next cell, row by row. NULL prints as "-". */
void table_text(struct table *t, const char *text);
/* A word in a column of numbers. */
void table_right(struct table *t, const char *text);
/* A number at `digits` significant digits (0: a whole number), thousands grouped; NAN prints as
 * "-". */
void table_number(struct table *t, double value, int digits);
/* "low to high" at `digits` significant digits; "-" where low is NAN, "low or more" where high is
 * infinite. */
void table_interval(struct table *t, struct interval v, int digits);
void table_print(const struct table *t, FILE *to);

#endif
