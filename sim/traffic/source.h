/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream of requests in order of time, drawn or read; what one run is fed with. */
#ifndef TRAFFIC_SOURCE_H
#define TRAFFIC_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "traffic/request.h"

struct diag;
struct traffic;
struct traffic_facts;

/* What a study may change without reading the scenario again. */
struct source_setup {
	const struct traffic *traffic;
	uint64_t seed;
	int replication;
	int64_t requests;   /* how many; a trace may have fewer */
	double rate_factor; /* multiplies the rate; 1 as written */
	bool all_at_once;   /* the saturated run: everything queued at t = 0, a trace repeated */
	/* Of the traffic, or of a class of it (length_class.h), whose requests alone are then
	 * played; NULL: a trace is counted first, which reads it whole. */
	const struct traffic_facts *facts;
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

/* Whether a request's lengths are a function of its number: not those of a trace or of a class. */
bool source_is_numbered(const struct source *s);
/* Input and output tokens of request `number`, then; used by closed-loop clients too. */
void source_lengths(struct source *s, int64_t number, struct request *r);

#endif
