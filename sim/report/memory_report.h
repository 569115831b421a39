/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a GPU's memory goes for a model: line by line for one GPU, a line a GPU for many. */
#ifndef REPORT_MEMORY_REPORT_H
#define REPORT_MEMORY_REPORT_H

#include <stdio.h>

#include "base/json_write.h"
#include "study/evaluate.h"

/* The budget of one GPU, concurrency at several lengths, or why it does not fit and what would. */
void memory_report_budget(const struct scenario *s, const struct candidate *c, const struct unit *u,
			  FILE *to);

/* A table, a line a unit; candidates and units side by side. */
void memory_report_table(const struct scenario *s, const struct unit *u, FILE *to);

/* One element of `results`. */
void memory_report_json(const struct scenario *s, const struct candidate *c, const struct unit *u,
			struct json_write *w);

#endif
