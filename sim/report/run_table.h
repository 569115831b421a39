/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `run` found as a table, a line a GPU: the median and the judged statistics of each latency,
 * the rest fixed. */
#ifndef REPORT_RUN_TABLE_H
#define REPORT_RUN_TABLE_H

#include <stdio.h>

#include "study/evaluate.h"

void run_table_print(const struct scenario *s, const struct outcome *o, size_t n, FILE *to);

#endif
