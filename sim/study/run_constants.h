/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure a run's figures are of the constants that they lean on. */
#ifndef STUDY_RUN_CONSTANTS_H
#define STUDY_RUN_CONSTANTS_H

#include "study/evaluate.h"

/* Intervals at `level` of the figures that chance has one for too. INFINITY: constants a standard
 * deviation worse overload it. */
struct run_constants {
	double level;
	struct interval ttft_p99, tpot_p99, throughput; /* [s], requests/s */
	char largest[96];				/* "mfu of l4-24gb (assumed)", or "" */
	double largest_share;				/* of the variance of the three, in ln */
};

extern const struct record run_constants_record;

/* Of the outcome of candidate `index`, by short runs of the scenario's requests, up to 20,000 each.
 * NULL where nothing ran. */
struct run_constants *run_constants_new(const struct evaluate_setup *setup, size_t index,
					const struct outcome *o);

#endif
