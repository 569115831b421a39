/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published formats of traces: one struct trace_format in a file of its own and a line in
 * trace_formats[]. A format is recognised by the columns of its heading or the keys of its first
 * line; the first in the list wins. A format that is known but cannot be used has a reason in place
 * of a reader.
 */
#ifndef TRAFFIC_TRACE_FORMAT_H
#define TRAFFIC_TRACE_FORMAT_H

#include <stdio.h>

#include "traffic/trace_row.h"

enum trace_field { TRACE_TIME, TRACE_INPUT, TRACE_OUTPUT, TRACE_SIGN };

/* A usable row: time in ns from the first one. */
struct trace_request {
	int64_t arrival_ns, input_tokens, output_tokens;
};

struct trace_format {
	const char *name, *help;
	bool json; /* lines of JSON, else CSV with a heading */
	/* Names of time, input and output, and of one more that gives the format away; NULL: none.
	 * All must be there. */
	const char *field[TRACE_ROW_FIELDS];
	bool (*time)(struct trace_text t, int64_t *ns);
	int64_t wrap_ns;       /* the clock is known to start again after so much; 0: never */
	const char *refused;   /* why it cannot be used, or NULL */
	const char *extension; /* of files written in it, ".csv"; NULL: not written */
	const char *heading;   /* its first line when written, or NULL */
	void (*write)(FILE *to, const struct trace_request *r);
};

extern const struct trace_format trace_azure, trace_burstgpt, trace_vidur, trace_splitwise,
	trace_ragpulse, trace_mooncake;
extern const struct trace_format *const trace_formats[]; /* ends with NULL */

/* The format that `file`'s extension asks for when writing, or NULL. */
const struct trace_format *trace_format_by_extension(const char *file);

#endif
