/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace holds, for people. */
#ifndef REPORT_TRACE_TABLE_H
#define REPORT_TRACE_TABLE_H

#include <stdio.h>

#include "study/trace_report.h"

void trace_table_print(const struct trace_report *t, const char *file, FILE *to);

#endif
