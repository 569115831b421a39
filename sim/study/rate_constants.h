/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure the highest rate of a fleet is of the constants that it leans on. */
#ifndef STUDY_RATE_CONSTANTS_H
#define STUDY_RATE_CONSTANTS_H

#include "study/capacity.h"
#include "study/perturb.h"

/*
 * What moving each constant does to found->max_rps of candidate `index`, in ln(rate), as figure 0.
 * Not searched anew: a closed form tells about where the limit is met then, and one or two scouts
 * on the same requests how far it is from there, by the slope that was found. `setup` has the
 * replicas and tp of the fleet. Of one replication, short scouts and one way. Empty if no rate was
 * found.
 */
void rate_constants_find(struct perturb *p, const struct evaluate_setup *setup, size_t index,
			 const struct capacity *found);

#endif
