/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The highest rate that a fleet holds within the SLO: at most 0.99 of its saturated throughput, and
 * the steady-state percentiles hold (MODEL 6, "capacity"). Every probe sees the same requests, only
 * closer together, so the search walks along one curve.
 */
#ifndef STUDY_CAPACITY_H
#define STUDY_CAPACITY_H

#include "study/judge.h"

#define CAPACITY_SHARE 0.99 /* of the saturated throughput */

struct capacity_setup {
	const struct scenario *scenario;
	const struct unit *unit;
	int64_t replicas;
	int replications, jobs;
	double saturated_rps; /* of the fleet; 0: measured here */
	double holds_rps;     /* a rate known to hold, where the search begins; 0: closed form */
	int64_t requests;     /* of a first probe; 0: as many as decide a far one */
	int64_t requests_max; /* of any probe; 0: two million */
};

/* One rate tried. */
struct probe {
	double rate_rps;
	bool holds, overloaded;
	struct finding worst; /* the limit exceeded most, or nearest to it */
	bool judged;	      /* there is an SLO, so `worst` says something */
	int64_t requests;     /* of all replications, after all doublings */
	int simulations;
};

/*
 * Simulates the fleet at `rate` and judges it. Starts with a fifth of what leaves 1,000 samples
 * beyond the strictest percentile (enough where it is off its limit by a factor of two), then that,
 * and doubles (the replications share them) until the percentile's interval excludes the limit or
 * is narrower than 5 % of it. False with d filled if a trace failed.
 */
bool capacity_probe(struct probe *p, const struct capacity_setup *setup, double rate,
		    struct diag *d);

struct capacity {
	double max_rps;		  /* 0: none; `reason` says why */
	struct interval interval; /* of max_rps, from the percentile's interval and its slope */
	double saturated_rps;
	char limited_by[64]; /* "ttft_ms p99", "saturation" */
	bool alone_misses;   /* at vanishing load a limit is broken already */
	double alone_excess; /* then: ln(value / limit); INFINITY: all are rejected */
	char reason[512];
	int64_t requests; /* of the probe that decided */
	int simulations;
};

/* Searches; bounded by 24 probes. */
bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d);

#endif
