/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/llm_term.h"

#include <math.h>

void llm_term_linear(struct term *t, const struct gpu *g, enum compute_type type, double gpus)
{
	t->peak_flop_per_s = gpus * gpu_peak(g, type);
	t->flop_per_s = t->peak_flop_per_s * gpu_mfu(g, type)->value;
	t->byte_per_s = gpus * g->bandwidth.value * g->mbu.value;
	t->p = g->p.value;
}

void llm_term_experts(struct term *t, const struct gpu *g, enum compute_type type,
		      enum compute_type wide, double gpus)
{
	llm_term_linear(t, g, type, gpus);
	t->flop_per_s = gpus * gpu_peak(g, wide) * gpu_mfu(g, wide)->value * g->expert_share.value;
	t->p = 1;
}

/* kv_heads are read by all GPUs together; where there are fewer than GPUs, each is read more than
 * once */
void llm_term_attention(struct term *t, const struct gpu *g, const struct llm_attention *a,
			double gpus)
{
	double copies = gpus / fmin(gpus, a->kv_heads);

	t->flop = 4 * a->heads * a->head_dim;
	t->byte = 2 * a->kv_heads * a->head_dim * a->kv_bytes * copies;
	t->peak_flop_per_s = gpus * gpu_peak(g, a->type);
	t->flop_per_s = t->peak_flop_per_s * g->amfu.value;
	t->byte_per_s = gpus * g->bandwidth.value * g->ambu.value;
}

void llm_term_all_reduce(struct term *t, double bytes, double gpus, double busbw, double latency_s)
{
	t->byte = 2 * (gpus - 1) / gpus * bytes;
	t->byte_per_s = busbw;
	t->latency_s = latency_s;
}
