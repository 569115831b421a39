/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rate tried on a fleet, and how sure one can be of what it showed. */
#ifndef STUDY_PROBE_H
#define STUDY_PROBE_H

#include "study/judge.h"

#define PROBE_REQUESTS_MAX   2000000
#define PROBE_REQUESTS_POINT 200000 /* of a single replication, unless its tail asks for more */

struct probe_setup {
	const struct scenario *scenario;
	const struct fleet *fleet;
	int replications, jobs;
	int64_t requests_max; /* 0: PROBE_REQUESTS_MAX, PROBE_REQUESTS_POINT */
};

struct probe {
	double rate_rps;
	bool holds, overloaded;
	size_t limits;			    /* of the SLO; 0: there is none */
	struct finding found[FINDINGS_MAX]; /* one a limit, the most exceeded or nearest first */
	int64_t requests;		    /* of all replications together */
	int replications;
};

/*
 * Simulates the fleet at `rate` with `requests` (the replications share them; a trace or schedule
 * is played as load_plan_requests() says instead) and judges it. False with d filled if a trace
 * failed.
 */
bool probe_look(struct probe *p, const struct probe_setup *setup, double rate, int64_t requests,
		struct diag *d);

/* The same with few requests in one replication, and of more than 16 equal units with 16 and their
 * part of the rate: enough to know where to look. */
bool probe_scout(struct probe *p, const struct probe_setup *setup, double rate, struct diag *d);

/* Requests with which a rate is looked at in earnest: each replication leaves 1,000 samples beyond
 * the strictest percentile, and has 20,000 a unit up to 100,000 and 1,000 a unit beyond (fewer
 * never leave the ramp). A scout has a fifth of one replication's, at least 20,000. At most what
 * the setup allows. */
int64_t probe_base_requests(const struct probe_setup *setup);
/* What the setup allows: the cap, and what fits the longest run at this rate. */
int64_t probe_most_requests(const struct probe_setup *setup, double rate);

/* Whether a limit is off by more than a factor of two (or there is none): then a scout decides. */
bool probe_is_far(const struct probe *p);
/* Whether the interval of the first finding lies on the side of the limit that the verdict is on:
 * the probe decides. A single run of a trace or schedule always does. */
bool probe_is_decided(const struct probe *p, const struct probe_setup *setup);

/* Half the width of a finding's interval over its limit (of a share over what may miss); INFINITY:
 * there were too few samples for one; NAN: no number of samples makes one. */
double probe_half_width(const struct finding *f);

#endif
