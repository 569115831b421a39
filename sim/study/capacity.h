/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The highest rate that a fleet holds within the SLO: at most 0.99 of its saturated throughput, and
 * the steady-state percentiles hold (docs/model.md, "Capacity and replacement"). Every probe sees
 * the same requests, only closer together, so the search walks along one curve.
 *
 * Short probes find where the first limit is met. One or two long ones there correct that by the
 * slope that was seen, and tell how well the rate is known: the percentile's interval over the
 * slope. If that is too wide, a longer one follows.
 */
#ifndef STUDY_CAPACITY_H
#define STUDY_CAPACITY_H

#include "study/curve.h"
#include "study/saturation.h"

#define CAPACITY_SHARE 0.99 /* of the saturated throughput */
/* How well a rate is known: half the width of its 95 % interval, relative. */
#define CAPACITY_POINT 0.02 /* of a single replication */
#define CAPACITY_KNOWN 0.01 /* of more */

struct capacity_setup {
	struct probe_setup fleet;
	struct saturation saturated; /* of the fleet; rps 0: measured here */
	const struct curve *known;   /* probes of it, or of fleets like it: where the search begins;
					NULL: none */
	bool polished; /* the line is read off within 0.3 %: of fleets held against rates */
};

struct capacity {
	double max_rps;		  /* 0: none; `reason` says why */
	struct interval interval; /* of max_rps, from the percentile's interval and its slope */
	/* The interval is as narrow as CAPACITY_POINT or CAPACITY_KNOWN wants it; of what
	 * saturation limits, the percentiles surely hold there; of a max_rps of 0, they surely do
	 * not. */
	bool certain;
	double saturated_rps;
	struct interval saturated_interval;
	double slope; /* d ln(value of what limits) / d ln(rate) at max_rps; NAN: not known */
	char limited_by[64]; /* "ttft_ms p99", "saturation" */
	bool alone_misses;   /* at vanishing load a limit is broken already */
	double alone_excess; /* then: ln(value / limit); INFINITY: all are rejected */
	char reason[512];
	int64_t requests; /* of the last probe */
	int simulations;
};

/*
 * Searches. max_rps is where the first limit is met, read off the line through a probe
 * within one and a half CAPACITY_POINT or CAPACITY_KNOWN; of a trace or schedule, whose single run
 * makes no curve, it is a rate that holds within 0.4 % of one that does not.
 */
bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d);

/* Half the width of the interval of max_rps, in ln(rate); NAN: it has none. */
double capacity_half(const struct capacity *c);
/* Half the width, in ln(rate), that the interval of a rate may have. */
double capacity_half_wanted(const struct probe_setup *fleet);
/* The requests that should make one of `half` narrow enough, by a probe's own; 0: it is, or there
 * may be no more than `most`. */
int64_t capacity_more_requests(double half, const struct probe *p, const struct probe_setup *fleet,
			       int64_t most);

#endif
