/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a GPU's memory goes: weights, reserve, KV pool (docs/model.md, "Memory"). All per GPU of a
 * tensor-parallel group. */
#ifndef ROOFLINE_MEMORY_H
#define ROOFLINE_MEMORY_H

#include "roofline/engine_cost.h"
#include "roofline/gpu.h"
#include "roofline/model.h"
#include "roofline/precision.h"

struct memory_need {
	int tp;
	int64_t max_model_len;	 /* unset: as much as fits, up to the model's context */
	int64_t longest_request; /* prompt + output that the traffic can ask for; unset: unknown */
	int64_t max_num_seqs, max_num_batched_tokens;
	bool chunked_prefill;
};

struct memory_plan {
	bool fits;
	char reason[512];  /* why not, with the binding number and what would fit */
	char warning[256]; /* it fits, but servers have failed so near the edge; "" none */
	double total_bytes, usable_bytes, weights_bytes, reserve_bytes, kv_pool_bytes,
		kv_bytes_per_token;
	/* parts of weights; embedding holds LM head, learned positions and routers too */
	double embedding_bytes, linear_bytes, expert_bytes;
	/* parts of reserve; 0 where reserve is given */
	double activation_bytes, logit_bytes, runtime_bytes, comm_bytes;
	int64_t kv_pool_tokens, pool_blocks, max_model_len;
	bool max_model_len_cut; /* the pool or the model's context cut what the traffic asks for */
	double missing_bytes;	/* if it does not fit */
};

/*
 * A pure function; fills the plan, `fits` false with the reason. The model is settled and not
 * refused. A plan that does not fit still has its numbers (none but total_bytes where tp is
 * impossible).
 */
void memory_plan(struct memory_plan *plan, const struct memory_need *need, const struct model *m,
		 const struct gpu *g, const struct precision_use *use, const struct engine_cost *e);

/* Whether tp is possible for the model; if not, why[128] says so ("40 heads do not divide by 3").
 */
bool memory_tp_divides(const struct model *m, int tp, char why[128]);

/* Smallest tp of 1, 2, 4, 8, 16 at which the plan fits, or 0. */
int memory_smallest_tp(const struct memory_need *need, const struct model *m, const struct gpu *g,
		       const struct precision_use *use, const struct engine_cost *e);

/* Sequences of `tokens` each (the last token is never cached) that the pool holds at once, whole
 * blocks each. */
int64_t memory_concurrency(const struct memory_plan *plan, int64_t block_size, int64_t tokens);

/*
 * What `auto` means for max_num_seqs and max_num_batched_tokens: 1,024 sequences and 8,192 tokens a
 * step from 70 GiB of memory except on the A100, else 256 and 2,048 (vLLM's own rule).
 */
void memory_auto_limits(const struct gpu *g, int64_t *max_num_seqs,
			int64_t *max_num_batched_tokens);

#endif
