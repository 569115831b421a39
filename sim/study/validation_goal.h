/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How accurate the simulation is meant to be, and how accurate it is. */
#ifndef STUDY_VALIDATION_GOAL_H
#define STUDY_VALIDATION_GOAL_H

#include "study/validation_ratio.h"

/* What is held against the limit: the median or the worst |error|, or the share of the measured
 * figures inside the simulated band. */
enum validation_judged { VALIDATION_MEDIAN, VALIDATION_INSIDE, VALIDATION_WORST };
extern const char *const validation_judged_names[];

struct validation_goal {
	const char *what;   /* "vLLM 0.14 and later" */
	const char *figure; /* "TTFT p50", "TPOT", "p99", "replacement ratio" */
	const char *load;   /* of validation_load_names; NULL: any */
	int judged;	    /* enum validation_judged */
	double limit;
	struct validation_summary summary;
	double within; /* share of the figures with |error| <= limit, or inside the band */
	bool met;      /* with figures to judge by */
};
extern const struct record validation_goal_record;

struct validation_goals {
	size_t n;
	struct validation_goal *goal;
};

/*
 * Check rows alone. "TTFT p50" is a row's p50, or its mean where it has none; "TPOT" its TPOT's
 * p50, else mean, else those of its ITL. Rows of GPUs that nothing was fitted on stand in lines of
 * their own. A p99 of replayed arrivals or of 2,000 requests is judged by its error, any other by
 * the band. Loops that are closed and runs that are offline stand apart.
 */
void validation_goals_find(struct validation_goals *g, const struct validation *v,
			   const struct validation_ratios *ratios);
void validation_goals_free(struct validation_goals *g);

#endif
