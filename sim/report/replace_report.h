/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `replace` found, for people: the answer in a sentence a GPU, a table, and why the naive
 * ratios mislead. */
#ifndef REPORT_REPLACE_REPORT_H
#define REPORT_REPLACE_REPORT_H

#include <stdio.h>

#include "report/run_report.h"
#include "study/replace.h"

void replace_report_print(const struct scenario *s, const struct replacement *r,
			  struct run_report_style style, FILE *to);

#endif
