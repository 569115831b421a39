/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a load's latencies are distributed: quantiles of the served requests after the warm-up, of
 * all replications together, close enough to draw. */
#ifndef STUDY_DISTRIBUTION_H
#define STUDY_DISTRIBUTION_H

#include "base/record.h"
#include "study/load.h"

/* Lists of doubles, all of one length. */
struct distribution {
	struct record_list quantile; /* ascending from 0, the least, to 1, the largest */
	/* Its value [s]; NAN where less than one value lies beyond, on either side. */
	struct record_list latency_s[METRICS];
};

extern const struct record distribution_record;

void distribution_fill(struct distribution *d, const struct load *l);

#endif
