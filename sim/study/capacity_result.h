/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `capacity` says of a GPU: the highest rate that the scenario's fleet of it holds, what it
 * costs there, and the run at that rate. */
#ifndef STUDY_CAPACITY_RESULT_H
#define STUDY_CAPACITY_RESULT_H

#include "study/evaluate.h"

/* The interval of max_rps as far as constants are known. */
struct capacity_constants {
	double level;
	struct interval max_rps;
	char largest[96];     /* "mfu of l4-24gb (assumed)", or "" */
	double largest_share; /* of the variance, in ln(rate) */
};

struct capacity_result {
	const char *gpu;		   /* its shown id */
	int64_t replicas, tensor_parallel; /* tensor_parallel: unset of a mixed fleet */
	int64_t gpus_total;
	double max_rps;		  /* 0: not even each request alone; NAN: nothing can run */
	struct interval interval; /* of max_rps, level .95 */
	struct capacity_constants *interval_constants; /* owned; NULL: not asked for, or no rate */
	char limited_by[64];			       /* "ttft_ms p99", "saturation" */
	double saturated_rps;
	double usd_per_hour, usd_per_1k_requests; /* at max_rps; NAN: no price */
	enum verdict verdict;			  /* OK, DOES_NOT_FIT, UNSUPPORTED, CANNOT */
	char reason[512];
	double slope; /* that of struct capacity */
	/* As of struct capacity (a trace or schedule is one run, and its rate certain), and the run
	 * at max_rps is not sure of missing a limit by more than the rate's interval allows. */
	bool certain;
	int64_t simulations;
	struct outcome *at; /* owned; NULL: there is no such rate */
};

extern const struct record capacity_result_record;

/*
 * Searches candidate `index` and runs it at what was found. False with d filled on a user's mistake
 * alone; needs_rate() must hold.
 */
bool capacity_result_find(struct capacity_result *r, const struct evaluate_setup *setup,
			  size_t index, struct diag *d);
void capacity_result_free(struct capacity_result *r);

#endif
