/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace holds: rate, burstiness, lengths; and its conversion on the way, in one pass and
 * bounded memory. */
#ifndef STUDY_TRACE_REPORT_H
#define STUDY_TRACE_REPORT_H

#include <stdio.h>

#include "base/record.h"
#include "traffic/trace_format.h"

/* Tokens; percentiles by linear interpolation at (n-1)q, exact. */
struct trace_lengths {
	double mean, p50, p90, p99;
	int64_t max;
};

struct trace_report {
	char *format;
	int64_t requests, skipped;
	int64_t skipped_line; /* of the first one; unset if there is none */
	char *skipped_reason;
	double span_s, rate_rps; /* n - 1 over the span; NAN if that is 0 */
	double cv;		 /* of the gaps; NAN likewise */
	struct trace_lengths input, output;
};
extern const struct record trace_report_record;

/* Reads `file` ("-" is stdin) to its end; writes each usable row to `to` in the format `as` (both
 * may be NULL). False with d filled if it cannot be read or has no usable row. Release with
 * trace_report_free(). */
bool trace_report_read(struct trace_report *t, const char *file, FILE *to,
		       const struct trace_format *as, struct diag *d);
void trace_report_free(struct trace_report *t);

#endif
