/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One rate tried on a fleet, and how sure one can be of what it showed. */
#ifndef STUDY_PROBE_H
#define STUDY_PROBE_H

#include "study/judge.h"

#define PROBE_REQUESTS_MAX 2000000

struct probe_setup {
	const struct scenario *scenario;
	const struct fleet *fleet;
	int replications, jobs;
	int64_t requests_max; /* 0: PROBE_REQUESTS_MAX */
};

struct probe {
	double rate_rps;
	bool holds, overloaded;
	size_t limits;			    /* of the SLO; 0: there is none */
	struct finding found[FINDINGS_MAX]; /* one a limit, the most exceeded or nearest first */
	int64_t requests; /* of all replications together, in the last simulation */
	int simulations;
};

/*
 * Simulates the fleet at `rate` with `requests` (the replications share them; a trace or schedule
 * is played as load_plan_requests() says instead) and judges it. Fewer than leave 1,000 samples
 * beyond the strictest percentile mean: a fifth of those, enough where a limit is off by a factor
 * of two, else all of those. False with d filled if a trace failed.
 */
bool probe_look(struct probe *p, const struct probe_setup *setup, double rate, int64_t requests,
		struct diag *d);

/* Looks, and looks again with more requests until probe_more() asks for none. */
bool probe_decide(struct probe *p, const struct probe_setup *setup, double rate, struct diag *d);

/*
 * How many requests may decide a probe: at least twice its own, as an interval shrinks with their
 * root; at most what the setup and the span allow. 0: it is decided, or has as many as may be.
 *
 * It is decided if the percentile's interval lies on the side of the limit that the verdict is on,
 * or is narrower than 5 % of the limit (of an attainment: 20 % of what may miss), from what leaves
 * 1,000 samples beyond it on. Always, of a trace or schedule. `slope`, d ln(percentile) / d
 * ln(rate), 0 if it is not known: narrower than 1 % of the rate, carried over by it, will do too.
 * Near saturation slopes reach 100, and a percentile within 5 % says more about the rate than
 * anybody can use.
 */
int64_t probe_more(const struct probe *p, const struct probe_setup *setup, double slope);

/* The same for an interval `breadth` times as wide as it may be, whatever the verdict. */
int64_t probe_times(const struct probe *p, const struct probe_setup *setup, double breadth);

/* The width of a finding's interval over what is narrow enough; NAN: it has none. */
double probe_breadth(const struct finding *f, double slope);

/* ln(value / limit), between -PROBE_EXCESS_MAX and PROBE_EXCESS_MAX: what lies further off says no
 * more about where zero is. */
#define PROBE_EXCESS_MAX 0.5
double probe_excess(const struct probe *p);

#endif
