/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a load's steps did, from the integers that its runs counted: FLOPs, bytes, where the busy
 * time went, and energy.
 */
#ifndef STUDY_WORK_DONE_H
#define STUDY_WORK_DONE_H

#include "study/load.h"

/* Of one pool's units, in the measured slices of all replications; times are unit-seconds. */
struct work_done {
	double busy_s;
	double flops, bytes; /* of the units' memory, links left out */
	/* Parts of busy_s. A term counts wholly for the larger of its two sides; what no term on
	 * the device explains (fixed times, latencies, waiting for the host) is overhead. */
	double compute_s, memory_s, link_s, overhead_s;
};

void work_done_sum(struct work_done *w, const struct load *l, size_t pool,
		   const struct step_cost *c);

/* Energy of a pool's GPUs over the whole runs of all replications [J], `run_s` long together: busy
 * steps by their tokens (power_busy_w), else idle. */
double work_done_joules(const struct load *l, size_t pool, const struct fleet_part *part,
			double run_s);

/* Adds what another pool did. */
void work_done_add(struct work_done *sum, const struct work_done *w);

#endif
