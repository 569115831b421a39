/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many units hold a rate behind the scenario's router. */
#ifndef STUDY_UNIT_COUNT_H
#define STUDY_UNIT_COUNT_H

#include "study/side.h"

/* Larger fleets are not simulated: a router that looks at every unit takes minutes by then. */
#define UNIT_COUNT_MAX 1000

struct unit_count {
	int64_t units; /* 0: none up to `most` */
	int64_t most;  /* four times the unrounded ratio, UNIT_COUNT_MAX at the most */
	/* The numbers that chance might have made of it: as far as the intervals of these fleets'
	 * rates and of the rate itself reach. {NAN, NAN} of a trace or schedule. */
	struct interval interval;
};

struct unit_count_setup {
	double rate_rps;
	double half;	      /* of its interval, in ln(rate) */
	int64_t known;	      /* so many hold it, whatever a probe would say; 0: not known */
	int64_t requests_max; /* of a probe; 0: its own bound */
};

/*
 * The smallest number of units of a settled side whose simulated fleet holds the rate while one
 * less does not. Scouts find where to look; those two are looked at in earnest, with as many
 * requests as the capacity of such a fleet would take. One unit holds its capacity. If a trace
 * fails, the side says so.
 */
void unit_count_find(struct unit_count *count, struct side *s,
		     const struct unit_count_setup *setup);

#endif
