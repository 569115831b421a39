/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of one line of a trace, found in its text: by place in CSV, by key in JSON. */
#ifndef TRAFFIC_TRACE_ROW_H
#define TRAFFIC_TRACE_ROW_H

#include "traffic/trace_text.h"

enum { TRACE_ROW_FIELDS = 4 };

/* Finds columns[i] (places from 0, -1: none) in a line that must have `fields` fields; NULL, or
 * what is wrong. */
const char *trace_row_csv(struct trace_text line, const int columns[TRACE_ROW_FIELDS], int fields,
			  struct trace_text found[TRACE_ROW_FIELDS]);

/* The place of the column named `name` in a heading, or -1; *fields becomes the number of columns.
 */
int trace_row_column(struct trace_text heading, const char *name, int *fields);

/* Finds keys[i] (NULL: none) in a line that is one JSON object; absent keys get a NULL text. A
 * string's text comes without its quotes. The whole line is checked; NULL, or what is wrong. */
const char *trace_row_json(struct trace_text line, const char *const keys[TRACE_ROW_FIELDS],
			   struct trace_text found[TRACE_ROW_FIELDS]);

#endif
