/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transformer by its dimensions, under the names that Hugging Face's config.json uses. */
#ifndef ROOFLINE_MODEL_H
#define ROOFLINE_MODEL_H

#include "base/record.h"

enum model_kind { MODEL_DECODER, MODEL_ENCODER };

struct model {
	char *id, *name, *hf_id;
	struct record_list aliases, sources, notes; /* texts */
	int architecture;			    /* enum model_kind */
	int64_t num_hidden_layers, hidden_size, num_attention_heads, num_key_value_heads, head_dim;
	int64_t intermediate_size, vocab_size, max_position_embeddings, position_rows;
	bool tie_word_embeddings, gated_mlp;
	int64_t num_experts, num_experts_per_tok, n_shared_experts, moe_intermediate_size,
		first_k_dense_replace;
	int64_t sliding_window;
	int window_layers; /* all, alternating, 5:1 */
	int64_t q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim;
	int native_weights, native_experts; /* enum weight_format, or FORMAT_AUTO */
	int native_kv;		 /* enum kv_format: what the checkpoint asks of its cache */
	double params_published; /* NAN: not stated */
};
extern const struct record model_record; /* `base` is read by scenario, not here */

/*
 * Weights by class of tensor, without norms and biases (under 0.1 % of a decoder). Attention is a
 * layer's projections, MLP a dense layer's feed-forward matrices, expert one expert, router one MoE
 * layer's gate; embedding is the token table alone (the LM head has as many) and position the
 * learned positions.
 */
double model_attention_params(const struct model *m);
double model_mlp_params(const struct model *m);
double model_expert_params(const struct model *m);
double model_router_params(const struct model *m);
double model_embedding_params(const struct model *m);
double model_position_params(const struct model *m);

/* Layers whose feed-forward part is one MLP, and those with experts. */
int64_t model_dense_layers(const struct model *m);
int64_t model_expert_layers(const struct model *m);

/* Parameters from the dimensions: all, and those a token passes through (both with the embeddings).
 */
double model_params(const struct model *m);
double model_active_params(const struct model *m);

/* Fills what follows from other dimensions (head_dim, kv heads...). Call once after
 * record_finish(). */
void model_settle(struct model *m);

/* NULL, or why this version cannot simulate the model ("sliding windows are not in this version
 * ..."). */
const char *model_refusal(const struct model *m);
/* The key whose value that is; NULL where nothing is refused. */
const char *model_refusal_key(const struct model *m);

#endif
