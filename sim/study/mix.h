/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest mix of GPUs that holds a scenario's load within the SLO, under limits on what can be
 * had: an integer programme over classes of prompt length proposes, simulating the mixed fleet
 * decides (docs/model.md, "The cheapest mix").
 */
#ifndef STUDY_MIX_H
#define STUDY_MIX_H

#include "study/evaluate.h"

#define MIX_CLASSES	   5 /* of about as many tokens each, or fewer */
#define MIX_CANDIDATES_MAX 32

/* The units of one kind in a fleet. */
struct mix_pool {
	size_t candidate; /* index into scenario->candidate */
	const char *gpu;  /* its shown id */
	int64_t tensor_parallel, units, count;
	double share; /* of the requests, by the fractions; NAN: the router has none */
	struct rental rental;
	struct record_list provenance; /* of char *, owned: "mfu: fitted (...)" */
};

/* A class of prompts, and what the fleet's pools make of it. */
struct mix_class {
	int64_t input_min, input_max;
	double share, token_share, rate_rps;
	struct record_list fractions;	 /* of double, by pool: 1 together */
	struct record_list max_rps_each; /* of double, by pool: one unit, this class alone */
};

/* How the mix was found. */
struct mix_search {
	double demand; /* what the programme was asked for over the load, in the end */
	bool proven;   /* at that demand nothing cheaper is left that was not simulated */
	int64_t rounds, simulations;
};

/* A fleet that was asked for: the cheapest mix, or the fewest units of one kind. */
struct mix_fleet {
	const char *gpu;	    /* by itself; NULL: the mix */
	char fleet[256];	    /* "2 l4-24gb + 8 a10g-24gb as 2 x TP4"; empty: there is none */
	struct record_list pools;   /* of struct mix_pool */
	struct record_list classes; /* of struct mix_class */
	int64_t gpus_total;
	double usd_per_hour, usd_per_1k_requests; /* NAN: no price */
	const char *router;   /* that the fleet was simulated behind; NULL: none was */
	double load;	      /* of its busiest pool, as the programme reckons; 1: full */
	char nearest[256];    /* "ttft_ms p99 is 1875 ms, the limit 2000 ms"; empty: no SLO */
	bool certain;	      /* the 95 % interval of that agrees */
	enum verdict verdict; /* OK or CANNOT */
	char reason[1024];
	double max_rps;		   /* that the limits allow, where they do not allow the load */
	struct mix_search *search; /* owned; NULL: it was not searched for */
};

struct mix {
	struct mix_fleet best;
	size_t candidates;
	struct mix_fleet *alone; /* by candidate: each kind by itself */
};

struct mix_setup {
	struct evaluate_setup base;
	const int64_t *limit; /* GPUs that can be had, by candidate; INT64_MAX: any number */
};

extern const struct record mix_fleet_record, mix_pool_record, mix_class_record; /* mix_record.c */

/* Whether the program was built with what solves the programme; and what to do where not. */
bool mix_is_built(void);
extern const char *const mix_not_built;

/* False with d filled on a user's mistake; needs_rate() must hold. Main thread only. */
bool mix_find(struct mix *m, const struct mix_setup *setup, struct diag *d);
void mix_free(struct mix *m);

#endif
