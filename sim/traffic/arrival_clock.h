/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An arrival process in motion. Gaps are drawn at unit rate and summed in units of mean gaps; the
 * sum is scaled to seconds only when a request is asked for, so that every rate sees the same
 * draws, stretched, and times never decrease. The sum is a double: at 10^8 requests it moves in
 * steps of 1.5e-8 gaps, and its rounding errors, independent of each other, add up to some 10^-4
 * gaps there: no statistic sees them.
 */
#ifndef TRAFFIC_ARRIVAL_CLOCK_H
#define TRAFFIC_ARRIVAL_CLOCK_H

#include <gsl/gsl_rng.h>

#include "traffic/arrival_kind.h"

struct arrival_clock {
	const struct arrival_kind *kind;
	const struct arrivals *arrivals;
	double rate;	     /* requests/s of a unit of the sum; of a schedule a factor */
	double unit;	     /* sum of the gaps at unit rate */
	double shape, scale; /* of a unit gap: gamma, weibull */
	gsl_rng *rng;	     /* the gaps */
	gsl_rng *phase_rng;  /* onoff: the periods */
	double begin_s;	     /* schedule: of the slot; onoff: silence so far */
	double begin,
		end; /* schedule: sum at the slot's ends; onoff: seconds on at the period's end */
	size_t slot;
};

/* rate_factor multiplies every rate. The arrivals must outlive the clock. */
void arrival_clock_init(struct arrival_clock *c, const struct arrivals *a, uint64_t seed,
			int replication, double rate_factor);
void arrival_clock_free(struct arrival_clock *c);

/* Seconds at which the next request arrives; never decreases. */
double arrival_clock_next_s(struct arrival_clock *c);
/* Long-run requests/s; NAN where the process has no rate of its own. */
double arrival_clock_rate_rps(const struct arrivals *a);

/* Squared coefficient of variation of the gaps: cv^2, or 1/burstiness; NAN: neither was given. */
double arrival_clock_cv2(const struct arrivals *a);
/* A draw from the exponential law of mean 1. */
double arrival_clock_exponential(gsl_rng *rng);

#endif
