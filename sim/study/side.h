/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One side of a replacement while it is searched: a settled unit and what its fleets hold. */
#ifndef STUDY_SIDE_H
#define STUDY_SIDE_H

#include "study/capacity.h"
#include "study/replace.h"

struct side {
	const struct evaluate_setup *base;
	const struct candidate *candidate;
	struct replace_side *result;
	struct unit unit;     /* at the degree chosen */
	struct capacity each; /* of one unit */
	struct diag diag;
	bool failed; /* a trace could not be read */
	/* While degrees are tried: whether one fits, and by how much the best one misses alone. */
	bool fits;
	double alone_excess;
};

/*
 * The smallest tensor-parallel degree, from the scenario's on, at which a unit fits and holds some
 * rate, and that rate; else result->verdict is CANNOT with the reason. `gpus`: only degrees that
 * divide so many; 0: any.
 */
void side_settle(struct side *s, int64_t gpus);
void side_free(struct side *s);

/* The capacity of `units` units behind the scenario's router. `known`: a probe of that fleet where
 * the search begins; NULL: none. */
bool side_fleet(struct side *s, int64_t units, const struct probe *known, struct capacity *c);

/*
 * The smallest number of units whose simulated fleet holds `rate`, found around rate / each; 0:
 * none up to four times that. `known` units hold it, whatever a probe would say (0: not known).
 * Probes take at most `requests_max` (0: no bound but their own). *found is the probe that holds;
 * its rate is 0 if that was known.
 */
int64_t side_units(struct side *s, double rate, int64_t known, int64_t requests_max,
		   struct probe *found);

#endif
