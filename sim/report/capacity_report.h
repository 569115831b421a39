/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `capacity` found, for people: which GPU holds most a dollar, a table, and what happens
 * beyond each rate. */
#ifndef REPORT_CAPACITY_REPORT_H
#define REPORT_CAPACITY_REPORT_H

#include "report/run_report.h"
#include "study/capacity_result.h"

void capacity_report_print(const struct scenario *s, const struct capacity_result *r, size_t n,
			   struct run_report_style style, FILE *to);

#endif
