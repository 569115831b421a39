/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `sweep` found, for people: how far each GPU holds, and a line a point. */
#ifndef REPORT_SWEEP_REPORT_H
#define REPORT_SWEEP_REPORT_H

#include "report/run_report.h"
#include "report/table.h"
#include "study/sweep.h"

#define SWEEP_REPORT_VALUE 48 /* bytes */

/* A value for people: a number at four digits, else the text. */
void sweep_report_value(char text[SWEEP_REPORT_VALUE], const char *value);

/* "traffic.arrivals.rate 4", "a 4, b fp8": a point in a sentence. */
void sweep_report_point(const struct sweep *w, size_t point, FILE *to);

/* The cells of a point's values and their headings. */
void sweep_report_headings(const struct sweep *w, struct table *t);
void sweep_report_values(const struct sweep *w, size_t point, struct table *t);

void sweep_report_print(const struct scenario *s, const struct sweep *w, const struct sweep_runs *r,
			struct run_report_style style, FILE *to);

#endif
