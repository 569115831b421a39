/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as CSV: a column a leaf field, named by its path ("latency.ttft_ms.p99"), null as an
 * empty field. */
#ifndef REPORT_RECORD_CSV_H
#define REPORT_RECORD_CSV_H

#include <stdio.h>

#include "base/record.h"

void record_csv_heading(const struct record *r, FILE *to);
void record_csv_row(const struct record *r, const void *object, FILE *to);
/* The heading and n rows. */
void record_csv_table(const struct record *r, const void *objects, size_t n, FILE *to);

#endif
