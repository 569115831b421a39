/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many of one GPU replace another, verified by simulating the fleet, and what that costs. */
#ifndef STUDY_REPLACE_H
#define STUDY_REPLACE_H

#include "study/evaluate.h"

struct replace_side {
	size_t candidate; /* index into scenario->candidate */
	const char *gpu;  /* its shown id */
	int64_t units, count;
	int64_t tensor_parallel;
	double max_rps;		  /* of the whole side; each: of one unit */
	struct interval interval; /* of the from side's max_rps */
	double max_rps_each;
	double ratio;
	struct interval ratio_interval;
	double naive_bandwidth, naive_compute, naive_memory;
	double cost_ratio, cost_ratio_share;
	struct rental rental;
	char limited_by[64];		/* "ttft_ms p99", "saturation" */
	enum verdict verdict;		/* OK or CANNOT */
	struct interval units_interval; /* of units, which chance might have made */
	/* As far as constants are known: those that both sides lean on cancel. {NAN, NAN}: not
	 * asked for */
	struct interval ratio_interval_constants, units_interval_constants;
	char largest_constant[96]; /* that widens them most: "mfu of l4-24gb (assumed)", or "" */
	double largest_constant_share; /* of their variance, in ln(ratio) */
	char reason[512];
	int64_t simulations;
	struct record_list provenance; /* of char *, owned: "mfu: fitted (...)" */
};

struct cost_point {
	size_t candidate;
	const char *gpu;
	double rate_rps;
	int64_t units, count; /* 0: no number of units up to the bound holds the rate */
	double usd_per_hour, usd_per_1k_requests; /* NAN: no price */
	bool holds;
};

struct replacement {
	struct replace_side from;
	size_t sides;
	struct replace_side *to;
	size_t points;
	struct cost_point *point; /* empty unless asked for */
	int64_t requests;	  /* of a probe */
	int replications;
};

struct replace_setup {
	struct evaluate_setup base;
	size_t from; /* candidate */
	int64_t from_count;
	size_t to_count;
	const size_t *to; /* candidates */
	bool curve;	  /* also the cost points */
};

extern const struct record replace_from_record, replace_to_record,
	cost_point_record; /* replace_record.c */

bool replace_run(const struct replace_setup *setup, struct replacement *r, struct diag *d);
void replace_free(struct replacement *r);

#endif
