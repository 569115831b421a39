/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The highest rate that a fleet holds within the SLO: at most 0.99 of its saturated throughput, and
 * the steady-state percentiles hold (docs/model.md, "Capacity and replacement"). Every probe sees
 * the same requests, only closer together, so the search walks along one curve.
 *
 * It brackets the rate with short probes first. Where the rule of probe_is_decided() asks for more
 * requests at the ends of the bracket, the search goes on from there with so many: only the last
 * two or three probes are long.
 */
#ifndef STUDY_CAPACITY_H
#define STUDY_CAPACITY_H

#include "study/probe.h"

#define CAPACITY_SHARE 0.99 /* of the saturated throughput */

struct capacity_setup {
	struct probe_setup fleet;
	double saturated_rps;	   /* of the fleet; 0: measured here */
	const struct probe *known; /* where the search begins, looked at already; NULL: none */
};

struct capacity {
	double max_rps;		  /* 0: none; `reason` says why */
	struct interval interval; /* of max_rps, from the percentile's interval and its slope */
	double saturated_rps;
	char limited_by[64]; /* "ttft_ms p99", "saturation" */
	bool alone_misses;   /* at vanishing load a limit is broken already */
	double alone_excess; /* then: ln(value / limit); INFINITY: all are rejected */
	char reason[512];
	int64_t requests; /* of the probe that holds below max_rps */
	int simulations;
};

/*
 * Searches; bounded by 24 probes. max_rps lies between a rate that holds and one that does not,
 * seen with the same requests: where both are near the limit and within 2.5 %, on the chord between
 * their excesses, which lies above the convex curve of a queue, so that the rate holds; else, and
 * of a trace or schedule, it is the rate that holds, within 0.4 %.
 */
bool capacity_find(struct capacity *c, const struct capacity_setup *setup, struct diag *d);

#endif
