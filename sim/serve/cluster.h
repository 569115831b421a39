/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fleet behind a router, one run of it: requests in motion from a source through replicas to the
 * tally. */
#ifndef SERVE_CLUSTER_H
#define SERVE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "roofline/step_cost.h"
#include "serve/feed.h"
#include "serve/sampler.h"
#include "serve/tally.h"
#include "traffic/traffic.h"

/* Everything settled for one kind of replica. max_num_batched_tokens must be >= max_num_seqs. */
struct replica_setup {
	const struct step_cost *cost;
	int64_t max_num_seqs, max_num_batched_tokens, max_model_len;
	int64_t block_size, pool_blocks;
	int schedule_ahead, admission;
	int scheduler;	      /* index into disciplines[] */
	bool chunked_prefill; /* false where the discipline takes whole prompts */
	tick max_delay;	      /* static: how long a replica waits for a batch of max_num_seqs */
	int64_t stride;	      /* INT64_MAX: leaps; 1: every step singly */
};

#define CLUSTER_POOLS_MAX TALLY_POOLS_MAX

/* Replicas of one kind. */
struct cluster_pool {
	struct replica_setup replica;
	int64_t replicas;
	double weight; /* capacity of one replica, in any unit: what capacity-weighted divides by */
};

/* Where the length-aware router sends the prompts of at most input_max tokens that the class before
 * does not hold: their shares over the pools, which sum to 1. */
struct length_route {
	int64_t input_max; /* INT64_MAX in the last one */
	double share[CLUSTER_POOLS_MAX];
};

struct cluster_setup {
	size_t pools;
	struct cluster_pool pool[CLUSTER_POOLS_MAX];
	int router; /* index into router_kinds[]; its units are the pools' replicas in order */
	/* Length-aware, in order of input_max; of a single pool it needs none. */
	const struct length_route *route;
	size_t routes;
	struct source_setup source;
	struct tally_setup tally; /* its pools and counters are set here */
	int64_t backlog_limit;	  /* stop an open-loop run once so many wait; 0: never */
	struct sampler *sampler;  /* looks at the run as it goes; NULL: nobody does */
};

/* Runs to the end of the traffic (the run drains); false with d filled if the source failed or the
 * run would take more than 1.2 * 10^8 s of simulated time. The tally is the caller's to free. */
bool cluster_run(const struct cluster_setup *setup, struct tally *tally, struct diag *d);

/* The same with requests from `feed` in place of setup->source (of which seed and replication
 * remain). */
bool cluster_run_feed(const struct cluster_setup *setup, const struct feed *feed,
		      struct tally *tally, struct diag *d);

#endif
