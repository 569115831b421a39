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
 * of more than 16 replicas are scaled from 16. False with d filled if a trace failed.
 */
bool saturation_measure(struct saturation *sat, const struct scenario *s, const struct fleet *f,
			struct diag *d);

#endif
