/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replicas whose steps all last UNIT = 2^-7 s (plus, if asked for, a time a context token), fed
 * from an array: what they do can be worked by hand in units.
 */
#ifndef TESTS_UNIT_SERVE_FLEET_H
#define TESTS_UNIT_SERVE_FLEET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "serve/cluster.h"
#include "serve/discipline.h"
#include "serve/router_kind.h"
#include "serve/scheduling.h"

#define UNIT (INT64_C(1) << (TICK_BITS - 7))

struct fleet {
	struct step_cost cost;
	struct cluster_setup setup;
	struct feed feed;
	const struct request *request;
	int64_t requests, fed;
};

static inline bool fleet_next(void *from, struct request *r)
{
	struct fleet *f = from;
	if (f->fed == f->requests)
		return false;
	*r = f->request[f->fed];
	r->number = f->fed++;
	return true;
}

static inline void fleet_lengths(void *from, int64_t number, struct request *r)
{
	const struct fleet *f = from;
	r->input_tokens = f->request[number].input_tokens;
	r->output_tokens = f->request[number].output_tokens;
}

/* Limits that do not bind: 100 sequences, 1,000 tokens, blocks of 4, 1,000 of them. */
static inline void fleet_init(struct fleet *f, const struct request *request, int64_t requests)
{
	*f = (struct fleet){.request = request, .requests = requests};
	step_cost_init(&f->cost);
	step_cost_add(&f->cost, "step", TERM_FIXED, PER_STEP)->second = 0x1p-7;
	step_cost_tabulate(&f->cost, 1, 1);
	f->setup.pools = 1;
	f->setup.pool[0].replica = (struct replica_setup){.cost = &f->cost,
							  .max_num_seqs = 100,
							  .max_num_batched_tokens = 1000,
							  .max_model_len = 4000,
							  .block_size = 4,
							  .pool_blocks = 1000,
							  .admission = ADMIT_FULL_SEQUENCE,
							  .chunked_prefill = true,
							  .stride = INT64_MAX};
	f->setup.pool[0].replicas = 1;
	f->setup.source.seed = 1;
	f->setup.tally = (struct tally_setup){.requests = requests,
					      .keep_samples = true,
					      .keep_series = true,
					      .ttft_limit = TICK_NEVER,
					      .tpot_limit = TICK_NEVER,
					      .e2e_limit = TICK_NEVER};
	f->feed = (struct feed){.from = f, .next = fleet_next, .lengths = fleet_lengths};
}

static inline void fleet_free(struct fleet *f)
{
	step_cost_free(&f->cost);
}

static inline void fleet_run(struct fleet *f, struct tally *t)
{
	struct diag d;
	diag_init(&d);
	f->fed = 0;
	if (!cluster_run_feed(&f->setup, &f->feed, t, &d))
		fail_msg("%s", d.message);
}

static inline int fleet_router(const struct router_kind *kind)
{
	for (int i = 0; router_kinds[i]; i++)
		if (router_kinds[i] == kind)
			return i;
	fail_msg("unknown router");
	return -1;
}

/* Fills the first pool's steps by a discipline. */
static inline void fleet_fill(struct fleet *f, const struct discipline *discipline)
{
	struct replica_setup *r = &f->setup.pool[0].replica;
	for (r->scheduler = 0; disciplines[r->scheduler] != discipline; r->scheduler++)
		if (!disciplines[r->scheduler])
			fail_msg("unknown discipline");
	r->chunked_prefill = !discipline->whole_prompts;
}

/* Counts of the requests of all slices. */
static inline struct tally_slice fleet_requests(const struct tally *t)
{
	struct tally_slice sum = {0};
	for (int i = 0; i < TALLY_SLICES; i++) {
		const struct tally_slice *s = &t->slice[i];
		sum.arrivals += s->arrivals;
		sum.completed += s->completed;
		sum.rejected += s->rejected;
		sum.truncated += s->truncated;
		sum.met_slo += s->met_slo;
		sum.preemptions += s->preemptions;
		sum.emitted += s->emitted;
		sum.queue_time += s->queue_time;
	}
	return sum;
}

/* Counts and integrals of the steps of all slices, of one pool. */
static inline struct tally_steps fleet_steps(const struct tally *t, int pool)
{
	struct tally_steps sum = {0};
	for (int i = 0; i < TALLY_SLICES; i++) {
		const struct tally_steps *s = &t->pool[pool].slice[i];
		sum.busy += s->busy;
		sum.rounds += s->rounds;
		sum.blocked += s->blocked;
		sum.prefill_busy += s->prefill_busy;
		sum.prefill_context += s->prefill_context;
		sum.batch_time += s->batch_time;
		sum.kv_time += s->kv_time;
		sum.completed += s->completed;
		for (int q = 0; q < QUANTITIES; q++)
			sum.work.of[q] += s->work.of[q];
		if (s->kv_blocks_max > sum.kv_blocks_max)
			sum.kv_blocks_max = s->kv_blocks_max;
	}
	return sum;
}

#define BOTH_STRIDES(f)                                                                            \
	for (int64_t stride_ = (f).setup.pool[0].replica.stride = 1; stride_;                      \
	     stride_ = stride_ == 1 ? ((f).setup.pool[0].replica.stride = INT64_MAX) : 0)

#define LENGTH(array) ((int64_t)(sizeof(array) / sizeof(*(array))))

#endif
