/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace file, streamed: one line in memory. Time zero is the first used row, equal times keep
 * file order. A row that cannot be used (malformed, no tokens, earlier than its predecessor) is
 * passed over and counted.
 */
#ifndef TRAFFIC_TRACE_READER_H
#define TRAFFIC_TRACE_READER_H

#include "base/csv.h"
#include "traffic/trace_format.h"

struct trace_reader {
	struct csv csv;
	const struct trace_format *format;
	int column[TRACE_ROW_FIELDS], columns; /* of a CSV heading */
	bool pending;			       /* the line in memory is the next row */
	bool started;			       /* a row was used: first_ns and last_ns count */
	int64_t first_ns, last_ns;	       /* as written, wraps added */
	int64_t wrapped_ns;
	int64_t used, skipped;
	long skipped_line; /* of the first one */
	const char *skipped_reason;
};

/* Opens `file` ("-" is stdin) and recognises its format; false with d filled. Release with
 * trace_reader_free(). */
bool trace_reader_init(struct trace_reader *r, const char *file, struct diag *d);
void trace_reader_free(struct trace_reader *r);
/* The next usable row; false at the end. */
bool trace_reader_next(struct trace_reader *r, struct trace_request *request);
/* False with d filled if the end was a read error. */
bool trace_reader_check(const struct trace_reader *r, struct diag *d);
/* Starts again; false if the file cannot (a pipe). */
bool trace_reader_rewind(struct trace_reader *r);

#endif
