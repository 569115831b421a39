/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms of a transformer on GPUs: what an amount of work costs by the GPU's constants. A step's
 * cost is made of them, and constants are fitted to single kernels with them. `gpus` share the
 * work. */
#ifndef ROOFLINE_LLM_TERM_H
#define ROOFLINE_LLM_TERM_H

#include "roofline/gpu.h"
#include "roofline/term.h"

/* Rates of a linear layer in a compute type. */
void llm_term_linear(struct term *t, const struct gpu *g, enum compute_type type, double gpus);

/*
 * Rates of grouped GEMMs of experts: FLOPs and bytes add up, as the few rows of each expert wait
 * for its weights; FLOPs at expert_share of the rate in `wide`, the type of 16 bits. `type` is
 * what mfu is counted in.
 */
void llm_term_experts(struct term *t, const struct gpu *g, enum compute_type type,
		      enum compute_type wide, double gpus);

/* Work and rates of attention in one layer: PER_PAIR and PER_CHUNK_CONTEXT, or PER_CONTEXT. */
struct llm_attention {
	enum compute_type type;
	double heads, kv_heads, head_dim; /* kv_heads: as often as K and V are read */
	double kv_bytes;		  /* an element */
};
void llm_term_attention(struct term *t, const struct gpu *g, const struct llm_attention *a,
			double gpus);

/* An all-reduce of `bytes` a unit of its quantity. */
void llm_term_all_reduce(struct term *t, double bytes, double gpus, double busbw, double latency_s);

#endif
