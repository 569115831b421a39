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
#include "traffic/request.h"

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

struct traffic_facts;

/* What a study may change without reading the scenario again. */
struct source_setup {
	const struct traffic *traffic;
	uint64_t seed;
	int replication;
	int64_t requests;   /* how many; a trace may have fewer */
	double rate_factor; /* multiplies the rate; 1 as written */
	bool all_at_once;   /* the saturated run: everything queued at t = 0, a trace repeated */
	const struct traffic_facts
		*facts; /* of the traffic; NULL: a trace is counted first, which reads it whole */
};

struct source; /* a stream of requests in order of time; closed and offline: all at t = 0 */

/* Opens the stream; NULL with d filled (a trace that cannot be read...). Thread-safe for different
 * sources. What setup points to must outlive it. */
struct source *source_new(const struct source_setup *setup, struct diag *d);
/* The next request; false at the end. Arrivals never decrease. Bounded memory: traces are streamed.
 */
bool source_next(struct source *s, struct request *r);
/* False, with d filled, if the trace failed in the middle (a read error). */
bool source_check(const struct source *s, struct diag *d);
void source_del(struct source *s);

/* Input and output tokens of request `number` (not for traces); used by closed-loop clients too. */
void source_lengths(struct source *s, int64_t number, struct request *r);

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
};
/* False with d filled: a trace that cannot be read, or has no usable row. Reads a whole trace: once
 * a traffic. */
bool traffic_facts(const struct traffic *t, struct traffic_facts *facts, struct diag *d);

/* By how much a trace's own rate is multiplied: rate_scale, or what makes it `rate`. */
double traffic_trace_factor(const struct traffic *t, const struct traffic_facts *facts);

#endif
