/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One metric of a load's measured requests: pooled statistics and their intervals. Exact while
 * samples are kept (selected in place in one pooled copy), by sketch beyond and for ITL.
 */
#ifndef STUDY_LATENCY_H
#define STUDY_LATENCY_H

#include "study/load.h"

#define LATENCY_LEVEL 0.95
#define LATENCY_MEAN  (-1.0) /* in place of a quantile; 1 is the maximum */

/* The measured requests in `parts`: the replications, or ten equal batches of the only one. */
struct latency {
	int parts;
	int64_t *missing;	/* by part: requests never served */
	tick *value;		/* by part, one behind another; NULL: sketches */
	size_t *start;		/* parts + 1 offsets into value */
	struct histogram *part; /* by part */
	struct histogram all;
	bool mixed; /* a statistic of all has reordered the values over the parts */
};

void latency_init(struct latency *l, const struct load *load, enum metric metric);
void latency_free(struct latency *l);

/* How many values there are. */
int64_t latency_count(const struct latency *l);

/* A statistic of all values [s]; NAN if there are none. `late`: a request that was never served
 * counts as infinitely late, so the result may be INFINITY. */
double latency_statistic(struct latency *l, double q, bool late);

/* Quantiles q[0..k), ascending, of the served ones [s]; NAN if there are none. */
void latency_quantiles(struct latency *l, const double *q, size_t k, double *result_s);

/* Its Student interval over the parts at LATENCY_LEVEL [s]; {NAN, NAN} with fewer than 1,000
 * values beyond the percentile in all. Ask for intervals first, for statistics of all then. */
struct interval latency_interval(struct latency *l, double q, bool late);

#endif
