/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cheapest set of whole instances that holds a need: an unbounded covering knapsack over
 * places. */
#ifndef SCENARIO_INSTANCE_COVER_H
#define SCENARIO_INSTANCE_COVER_H

#include <stddef.h>
#include <stdint.h>

/* A kind of instance that can be rented any number of times. A place holds one group of GPUs that
 * must not be split. */
struct instance_offer {
	double usd; /* an hour, above 0 */
	int64_t gpus;
	int64_t places; /* 0: holds no group, never taken */
	int64_t count;	/* filled: how many are taken */
};

/* Sets whose prices differ by less are equal; then the fewer GPUs decide, the fewer instances, the
 * lower price, the earlier offer. */
#define INSTANCE_COVER_EQUAL 1e-4

/*
 * Fills the counts of the cheapest set with at least `need` places and returns its price an hour;
 * NAN, counts 0, if no offer has a place or need < 1. Exact for every need: dynamic programming
 * over the last places (128, or the largest instance's places squared, if more), the same best
 * instance before. That loses nothing: among any p instances some have places that sum to a
 * multiple of p (two of the p + 1 partial sums are congruent), so with p those of the instance that
 * is cheapest a place, all but p - 1 others can be swapped for it at no greater price. Time and
 * memory do not grow with need.
 */
double instance_cover(struct instance_offer *offer, size_t offers, int64_t need);

#endif
