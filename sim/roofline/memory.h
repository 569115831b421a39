/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a GPU's memory goes: weights, reserve, KV pool (MODEL "Memory"). All per GPU of a
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
	char reason[512]; /* why not, with the binding number and what would fit */
	double total_bytes, usable_bytes, weights_bytes, reserve_bytes, kv_pool_bytes,
		kv_bytes_per_token;
	double embedding_bytes, linear_bytes, expert_bytes; /* parts of weights */
	double activation_bytes, logit_bytes, runtime_bytes,
		comm_bytes; /* parts of reserve; 0 where reserve is given */
	int64_t kv_pool_tokens, pool_blocks, max_model_len;
	bool max_model_len_cut; /* the pool or the model's context cut what the traffic asks for */
	double missing_bytes;	/* if it does not fit */
};

/* A pure function; fills the plan, `fits` false with the reason. */
void memory_plan(struct memory_plan *plan, const struct memory_need *need, const struct model *m,
		 const struct gpu *g, const struct precision_use *use, const struct engine_cost *e);

/* NULL, or why tp is impossible for the model ("40 heads do not divide by 3"). Static text in
 * why[128]. */
bool memory_tp_divides(const struct model *m, int tp, char why[128]);

/* Smallest tp of 1, 2, 4, 8, 16 at which the plan fits, or 0. */
int memory_smallest_tp(const struct memory_need *need, const struct model *m, const struct gpu *g,
		       const struct precision_use *use, const struct engine_cost *e);

/* Power of a busy step [W] of one GPU with T tokens in it (MODEL 6). */
double power_busy_w(const struct gpu *g, double tokens);

#endif
