/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A toy GPU and models of round numbers, so that expected values can be worked by hand:
 * 16 bits 100 TFLOP/s at mfu .48 = 4.8e13 FLOP/s, fp8 and int8 twice that, 1 TB/s at mbu .8 = 8e11
 * bytes/s, attention 4e13 FLOP/s and 5e11 bytes/s, p = 2: pnorm(3, 4) = 5.
 * Dense: 2 layers, P_attn = 1000*(1000 + 400) + 1000*1000 = 2.4e6, P_mlp = 3*1000*4000 = 12e6,
 * LM head 1000*10,000 = 1e7 weights. MoE: layer 0 dense as above, layer 1 with 4 experts of
 * 3*1000*1000 = 3e6 weights, 2 chosen, 1 shared.
 */
#ifndef TESTS_UNIT_ROOFLINE_TOY_H
#define TESTS_UNIT_ROOFLINE_TOY_H

#include "roofline/llm_cost.h"
#include "roofline/memory.h"

#define assert_near(GOT, WANT, TOLERANCE)                                                          \
	do {                                                                                       \
		double got_ = GOT, want_ = WANT;                                                   \
		if (!(got_ >= want_ - (TOLERANCE) && got_ <= want_ + (TOLERANCE)))                 \
			fail_msg("%s is %.10g, not %.10g", #GOT, got_, want_);                     \
	} while (0)

struct toy {
	struct model model;
	struct gpu gpu;
	struct engine_cost engine;
	struct precision_use use;
};

static inline void toy_model(struct model *m)
{
	record_init(&model_record, m);
	m->num_hidden_layers = 2;
	m->hidden_size = 1000;
	m->num_attention_heads = 10;
	m->num_key_value_heads = 2;
	m->head_dim = 100;
	m->intermediate_size = 4000;
	m->vocab_size = 10000;
	m->max_position_embeddings = 100000;
	model_settle(m);
}

static inline void toy_gpu(struct gpu *g)
{
	record_init(&gpu_record, g);
	g->memory.value = 24e9;
	g->bandwidth.value = 1e12;
	g->peak.of[COMPUTE_BF16].value = g->peak.of[COMPUTE_FP16].value = 1e14;
	g->peak.of[COMPUTE_FP8].value = g->peak.of[COMPUTE_INT8].value = 2e14;
	g->peak.of[COMPUTE_FP32].value = 2e13;
	g->mfu.all.value = 0.48;
	g->mbu.value = 0.8;
	g->amfu.value = 0.4;
	g->ambu.value = 0.5;
	g->p.value = 2;
	g->link_busbw.at2.value = 1e11;
	g->link_lat.at2.value = 5e-6;
}

static inline void toy_init(struct toy *t)
{
	toy_model(&t->model);
	toy_gpu(&t->gpu);
	record_init(&engine_cost_record, &t->engine);
}

static inline void toy_make_moe(struct toy *t)
{
	t->model.num_experts = 4;
	t->model.num_experts_per_tok = 2;
	t->model.n_shared_experts = 1;
	t->model.moe_intermediate_size = 1000;
	t->model.first_k_dense_replace = 1;
}

static inline void toy_settle(struct toy *t, int weights)
{
	struct precision asked = {.weights = weights};
	char why[256] = "";

	if (!precision_settle(&asked, &t->model, &t->gpu, &t->use, why))
		fail_msg("%s", why);
}

static inline void toy_free(struct toy *t)
{
	record_free(&model_record, &t->model);
	record_free(&gpu_record, &t->gpu);
	record_free(&engine_cost_record, &t->engine);
}

#endif
