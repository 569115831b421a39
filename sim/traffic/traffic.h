/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offered load: arrival processes and length laws drawn with GSL, or a trace. Request i's
 * lengths are a function of (seed, i) and arrivals are drawn at unit rate, then scaled: every GPU,
 * fleet, policy and rate sees the same requests.
 */
#ifndef TRAFFIC_TRAFFIC_H
#define TRAFFIC_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/record.h"
#include "traffic/source.h"

/* One flat struct for all length laws; `dist` (index into length_kinds[]) says which keys apply. */
struct length_law {
	int dist;
	double value, min, max, mean, cv, sd, mu, sigma, theta; /* tokens; NAN: unset */
	struct record_list quantiles;				/* of double[2]: [q, tokens] */
	char *file; /* empirical quantiles from a file */
};

/* One flat struct for all arrival processes; `process` is an index into arrival_kinds[]. */
struct arrivals {
	int process;
	double rate;	   /* requests/s; onoff: while on */
	double cv;	   /* of the gaps */
	double burstiness; /* 1/cv^2, instead of cv */
	double on_s, off_s, slot_s;
	struct record_list rates; /* schedule: requests/s a slot */
	int64_t concurrency;	  /* closed */
	double think_s;
};

struct traffic {
	struct arrivals arrivals;
	struct length_law input, output;
	char *trace;		 /* file, or NULL */
	double rate_scale, rate; /* of a trace; NAN: unset */
	int64_t requests;	 /* RECORD_INT_UNSET: auto */
	int64_t warmup;		 /* requests; RECORD_INT_UNSET: auto */
	int64_t seed;
};

extern const struct record length_law_record, arrivals_record, traffic_record;

bool traffic_is_closed(const struct traffic *t);
bool traffic_is_offline(const struct traffic *t);
bool traffic_is_terminating(
	const struct traffic *t); /* trace or schedule: one run, no warm-up cut */

/* What the traffic can ask for; of a trace after a counting pass. */
struct traffic_facts {
	int64_t requests; /* rows of a trace that can be used; else RECORD_INT_UNSET */
	int64_t skipped;  /* rows that cannot, with the first one's line and reason */
	long skipped_line;
	char skipped_reason[128];
	char format[32];
	double span_s;	 /* of a trace; else NAN */
	double rate_rps; /* long-run mean rate at rate_factor 1; NAN: offline, closed */
	int64_t input_max, output_max,
		total_max;		/* total: input + output; INT64_MAX/4 where unbounded */
	double input_mean, output_mean; /* of the law after truncation, of a trace its own */
	int64_t class_min, class_max;	/* only prompts of so many tokens; class_max 0: all */
};
/* False with d filled: a trace that cannot be read, or has no usable row. Reads a whole trace: once
 * a traffic. */
bool traffic_facts(const struct traffic *t, struct traffic_facts *facts, struct diag *d);

/* By how much a trace's own rate is multiplied: rate_scale, or what makes it `rate`. */
double traffic_trace_factor(const struct traffic *t, const struct traffic_facts *facts);

#endif
