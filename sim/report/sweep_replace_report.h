/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep of replacements found, for people: the span of each ratio, and a grid of it over two
 * parameters or a line a point. */
#ifndef REPORT_SWEEP_REPLACE_REPORT_H
#define REPORT_SWEEP_REPLACE_REPORT_H

#include "report/run_report.h"
#include "study/sweep.h"

/* `r`: one a point. */
void sweep_replace_report_print(const struct scenario *s, const struct sweep *w,
				const struct replacement *r, struct run_report_style style,
				FILE *to);

#endif
