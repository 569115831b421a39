/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit of one slot whose steps last one millisecond each: an M/G/1 queue with known answers. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_QUEUE_H
#define TESTS_UNIT_STUDY_FIXTURE_QUEUE_H

#include "unit/study/fixture.h"

static inline void fixture_queue_unit(struct unit *u, int64_t slots)
{
	memset(u, 0, sizeof *u);
	step_cost_init(&u->cost);
	step_cost_add(&u->cost, "step", TERM_FIXED, PER_STEP)->second = 0.001;
	step_cost_tabulate(&u->cost, 1, 1);
	u->tp = 1;
	u->replica = (struct replica_setup){.cost = &u->cost,
					    .max_num_seqs = slots,
					    .max_num_batched_tokens = 64,
					    .max_model_len = 1 << 24,
					    .block_size = 1024,
					    .pool_blocks = 1 << 20,
					    .chunked_prefill = true,
					    .stride = INT64_MAX};
}

#endif
