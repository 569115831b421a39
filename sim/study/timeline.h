/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue, batch and KV use of a fleet over time, from one run that was looked at as it went. */
#ifndef STUDY_TIMELINE_H
#define STUDY_TIMELINE_H

#include "base/record.h"
#include "study/load.h"

/*
 * Of the first replication, in equal intervals from time 0 to the last arrival (to the end, where
 * all arrive at time 0): the mean and the largest of the looks at each interval. Lists of doubles,
 * all of one length; empty, and the figures NAN, if nothing was served.
 */
struct timeline {
	double interval_s;
	double warmup_s; /* when the first measured request arrived; 0: there is no warm-up */
	struct record_list waiting, waiting_max; /* requests that are in no step */
	struct record_list running, running_max; /* sequences */
	struct record_list kv;			 /* blocks in use over all blocks of the fleet */
	struct record_list kv_max;		 /* the same of the fullest pool */
};

extern const struct record timeline_record;

/* Runs replication 0 of `setup`, by which l was run, once more. False with d filled if a trace
 * failed. */
bool timeline_fill(struct timeline *t, const struct load *l, const struct load_setup *setup,
		   struct diag *d);

#endif
