/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The throughput of a fleet that never runs out of work. */
#ifndef STUDY_SATURATION_H
#define STUDY_SATURATION_H

#include "stats/interval.h"
#include "study/fleet.h"

struct saturation {
	double rps;		  /* 0: every request is rejected */
	struct interval interval; /* level .95, over eight batches of completions */
};

/*
 * Completions between the 10th and the 90th percentile of a run of the scenario's request stream,
 * all queued at t = 0: 20,000 requests a replica, at least 20 max_num_seqs (docs/model.md). Fleets
 * of more than 16 replicas are scaled from 16, mixed ones from so many that a million requests do.
 * Of a mixed fleet that is each pool's own rate, and the fleet's is what its router can make of
 * them: their sum if it looks where there is room, else the least of rate over share. False with d
 * filled if a trace failed.
 */
bool saturation_measure(struct saturation *sat, const struct scenario *s, const struct fleet *f,
			struct diag *d);

/* What one unit of each part serves when saturated, alone with the scenario's stream: the weights
 * of the capacity-weighted router. */
bool saturation_measure_units(struct fleet *f, const struct scenario *s, struct diag *d);

#endif
