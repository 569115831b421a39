/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of a result document for a picture: what is missing is not drawn. */
#ifndef REPORT_PLOT_VALUE_H
#define REPORT_PLOT_VALUE_H

#include <stdbool.h>
#include <stdio.h>
#include <cjson/cJSON.h>

#include "base/record.h"

/* The value at a path of keys, "latency/ttft_ms/p99" (keys have dots); NULL: there is none. */
const cJSON *plot_at(const cJSON *object, const char *path);
/* The number there, finite; else NAN. */
double plot_real(const cJSON *object, const char *path);
/* The text there; else "". */
const char *plot_text(const cJSON *object, const char *path);
bool plot_is_true(const cJSON *object, const char *path);

/* Place of `name` in a list of texts, to which it is added if it is not there. */
size_t plot_name(struct record_list *names, const char *name);

/* A CSV row, field by field; NAN is empty, and a control character a blank: gnuplot reads a row a
 * line. */
struct plot_row {
	FILE *to;
	bool started;
};
void plot_row_real(struct plot_row *row, double value);
void plot_row_text(struct plot_row *row, const char *text);
/* "true" or "false". */
void plot_row_bool(struct plot_row *row, bool value);
void plot_row_end(struct plot_row *row);

#endif
