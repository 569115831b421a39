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
	struct curve counted; /* what counting its units saw last, rates a unit */
	int jobs;	      /* threads of its own; 0: one */
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

/* What a search asks of `fleet`, units of this side. */
struct capacity_setup side_setup(const struct side *s, const struct fleet *fleet);

/* The capacity of `units` units behind the scenario's router. The search begins with what counting
 * them has seen. */
bool side_fleet(struct side *s, int64_t units, struct capacity *c);

#endif
