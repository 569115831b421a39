/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a search has seen of a fleet, and where its limits will be met.
 *
 * For a queue, and for a batch whose step grows with what runs in it, limit / value falls about
 * linearly with the rate (of an M/M/1 queue's E2E exactly: its percentiles are proportional to
 * 1 / (mu - rate)). So secants are drawn in 1 - limit / value, over the rate: a few probes suffice.
 */
#ifndef STUDY_CURVE_H
#define STUDY_CURVE_H

#include "study/probe.h"

#define CURVE_MAX 24

struct curve {
	const struct fleet *fleet;
	const struct traffic_facts *facts;
	double saturated_rps;
	int probes;
	struct probe seen[CURVE_MAX];
};

/* Where the first limit is met, seen from a probe. */
struct meeting {
	double rate_rps;	     /* INFINITY: nowhere */
	const struct finding *limit; /* as the probe found it; NULL: there is none */
	double slope;		     /* d (1 - limit / value) / d ln(rate) there */
};

/* 1 - limit / value, a straight line below a third of the limit; of a share that misses, which
 * grows by orders of magnitude, ln(value / limit). */
double curve_bend(const struct finding *f);

/* By the slope through two probes of as many requests near `from`; where there are none, by the
 * closed form of a step (TPOT, ITL) and the pole at saturation. */
struct meeting curve_meeting(const struct curve *c, const struct probe *from);

#endif
