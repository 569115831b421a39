/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `sweep` found as JSON and CSV: results, each with its point. */
#ifndef REPORT_SWEEP_DOCUMENT_H
#define REPORT_SWEEP_DOCUMENT_H

#include <stdio.h>

#include "study/sweep.h"

/* `s`: the scenario without the sweep. */
void sweep_document_runs(const struct scenario *s, const struct sweep *w,
			 const struct sweep_runs *r, FILE *to);
/* One replacement a point. */
void sweep_document_replacements(const struct scenario *s, const struct sweep *w,
				 const struct replacement *r, FILE *to);

/* A column a swept path, then the result's; of replacements a row for each of `to`. */
void sweep_csv_runs(const struct sweep *w, const struct sweep_runs *r, FILE *to);
void sweep_csv_replacements(const struct sweep *w, const struct replacement *r, FILE *to);

#endif
