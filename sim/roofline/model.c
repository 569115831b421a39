/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/model.h"

#include "base/count.h"
#include "roofline/precision.h"

static const char *const architectures[] = {"decoder", "encoder", NULL};
static const char *const window_patterns[] = {"all", "alternating", "5:1", NULL};

#define TEXT(NAME, ...)                                                                            \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_TEXT, .offset = offsetof(struct model, NAME),          \
		__VA_ARGS__                                                                        \
	}
#define TEXTS(NAME, ...)                                                                           \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_LIST, .offset = offsetof(struct model, NAME),          \
		.flags = FIELD_TEXTS, __VA_ARGS__                                                  \
	}
#define INT(NAME, LEAST, MOST, ...)                                                                \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_INT, .offset = offsetof(struct model, NAME),           \
		.min = LEAST, .max = MOST, __VA_ARGS__                                             \
	}
#define BOOL(NAME, ...)                                                                            \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_BOOL, .offset = offsetof(struct model, NAME),          \
		__VA_ARGS__                                                                        \
	}
#define CHOICE(NAME, NAMES, ...)                                                                   \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_CHOICE, .offset = offsetof(struct model, NAME),        \
		.of = NAMES, __VA_ARGS__                                                           \
	}

static const struct field fields[] = {
	TEXT(id, .help = "id in the catalogue"),
	TEXT(name, .help = "name for people"),
	TEXT(hf_id, .help = "repository at Hugging Face"),
	TEXTS(aliases, .help = "other ids"),
	TEXTS(sources, .help = "where the dimensions come from"),
	TEXTS(notes, .help = "traps worth knowing"),
	CHOICE(architecture, architectures, .def = "\"decoder\"", .help = "kind of transformer"),
	INT(num_hidden_layers, 1, 10000, .flags = FIELD_REQUIRED, .help = "layers"),
	INT(hidden_size, 1, 1e6, .flags = FIELD_REQUIRED, .help = "width of a layer"),
	INT(num_attention_heads, 1, 1e5, .flags = FIELD_REQUIRED, .help = "query heads"),
	INT(num_key_value_heads, 1, 1e5, .help = "KV heads; default: as many as query heads"),
	INT(head_dim, 1, 1e5, .help = "width of a head; default hidden_size/num_attention_heads"),
	INT(intermediate_size, 1, 1e7, .flags = FIELD_REQUIRED,
	    .help = "feed-forward width of a dense layer"),
	INT(vocab_size, 1, 1e8, .flags = FIELD_REQUIRED,
	    .help = "rows of the embedding, padding included"),
	INT(max_position_embeddings, 1, 1e9, .flags = FIELD_REQUIRED, .help = "context [tokens]"),
	INT(position_rows, 0, 1e9, .def = "0",
	    .help = "learned positions (GPT-2, OPT, BERT); 0: none"),
	BOOL(tie_word_embeddings, .def = "false", .help = "the LM head is the embedding"),
	BOOL(gated_mlp, .def = "true",
	     .help = "three feed-forward matrices (SwiGLU, GeGLU), not two"),
	INT(num_experts, 0, 1e5, .def = "0", .help = "experts of a MoE layer; 0: dense"),
	INT(num_experts_per_tok, 0, 1e5, .def = "0", .help = "experts that a token passes through"),
	INT(n_shared_experts, 0, 1e5, .def = "0",
	    .help = "experts that every token passes through"),
	INT(moe_intermediate_size, 1, 1e7,
	    .help = "feed-forward width of an expert; default intermediate_size"),
	INT(first_k_dense_replace, 0, 1e4, .def = "0", .help = "leading layers without experts"),
	INT(sliding_window, 0, 1e9, .def = "0", .help = "attention window [tokens]; 0: none"),
	CHOICE(window_layers, window_patterns, .def = "\"all\"",
	       .help = "which layers have the window"),
	INT(q_lora_rank, 0, 1e6, .def = "0", .help = "MLA: query rank"),
	INT(kv_lora_rank, 0, 1e6, .def = "0",
	    .help = "MLA: latent width of keys and values; 0: no MLA"),
	INT(qk_nope_head_dim, 0, 1e5, .def = "0", .help = "MLA: head width without positions"),
	INT(qk_rope_head_dim, 0, 1e5, .def = "0", .help = "MLA: head width with positions"),
	INT(v_head_dim, 0, 1e5, .def = "0", .help = "MLA: value head width"),
	CHOICE(native_weights, weight_format_names, .def = "\"auto\"",
	       .help = "what the checkpoint stores its block linears in; auto: 16 bits"),
	CHOICE(native_experts, weight_format_names, .def = "\"auto\"",
	       .help = "what the checkpoint stores its experts in; auto: as native_weights"),
	CHOICE(native_kv, kv_format_names, .def = "\"auto\"",
	       .help = "what the checkpoint asks its KV cache to be stored in; auto: 16 bits"),
	{.key = "params_published",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct model, params_published),
	 .help = "parameters that the publisher states"},
};

static bool check(const void *object, struct diag *d)
{
	const struct model *m = object;

	if (m->num_key_value_heads != RECORD_INT_UNSET &&
	    m->num_attention_heads % m->num_key_value_heads) {
		diag_path(d, "num_key_value_heads");
		return diag_fail(d, "%lld query heads do not divide by %lld KV heads",
				 (long long)m->num_attention_heads,
				 (long long)m->num_key_value_heads);
	}
	if (m->num_experts &&
	    (m->num_experts_per_tok < 1 || m->num_experts_per_tok > m->num_experts)) {
		diag_path(d, "num_experts_per_tok");
		return diag_fail(d, "a token must pass through 1 to %lld experts",
				 (long long)m->num_experts);
	}
	if (m->num_experts && m->first_k_dense_replace > m->num_hidden_layers) {
		diag_path(d, "first_k_dense_replace");
		return diag_fail(d, "more dense layers than the model's %lld",
				 (long long)m->num_hidden_layers);
	}
	return true;
}

const struct record model_record = {
	.name = "model",
	.size = sizeof(struct model),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};

static double mla_attention_params(const struct model *m)
{
	double d = (double)m->hidden_size, h = (double)m->num_attention_heads;
	double nope = (double)m->qk_nope_head_dim, rope = (double)m->qk_rope_head_dim;
	double value = (double)m->v_head_dim;
	double latent = (double)m->kv_lora_rank, q_rank = (double)m->q_lora_rank;
	double query = q_rank > 0 ? d * q_rank + q_rank * h * (nope + rope) : d * h * (nope + rope);

	return query + d * (latent + rope) + latent * h * (nope + value) + h * value * d;
}

double model_attention_params(const struct model *m)
{
	double d = (double)m->hidden_size;
	double query = (double)(m->num_attention_heads * m->head_dim);
	double key = (double)(m->num_key_value_heads * m->head_dim);

	return m->kv_lora_rank > 0 ? mla_attention_params(m) : d * (query + 2 * key) + query * d;
}

static double feed_forward(const struct model *m, int64_t width)
{
	return (m->gated_mlp ? 3 : 2) * (double)m->hidden_size * (double)width;
}

double model_mlp_params(const struct model *m)
{
	return feed_forward(m, m->intermediate_size);
}

double model_expert_params(const struct model *m)
{
	return feed_forward(m, m->moe_intermediate_size);
}

double model_router_params(const struct model *m)
{
	return (double)m->hidden_size * (double)m->num_experts;
}

double model_embedding_params(const struct model *m)
{
	return (double)m->vocab_size * (double)m->hidden_size;
}

double model_position_params(const struct model *m)
{
	return (double)m->position_rows * (double)m->hidden_size;
}

int64_t model_dense_layers(const struct model *m)
{
	return m->num_experts > 0 ? m->first_k_dense_replace : m->num_hidden_layers;
}

int64_t model_expert_layers(const struct model *m)
{
	return m->num_hidden_layers - model_dense_layers(m);
}

/* all weights when `experts` of a MoE layer count; an encoder has no LM head */
static double params(const struct model *m, int64_t experts)
{
	bool one_table = m->tie_word_embeddings || m->architecture == MODEL_ENCODER;
	double expert_layer = (double)(experts + m->n_shared_experts) * model_expert_params(m) +
			      model_router_params(m);

	return (one_table ? 1 : 2) * model_embedding_params(m) + model_position_params(m) +
	       (double)m->num_hidden_layers * model_attention_params(m) +
	       (double)model_dense_layers(m) * model_mlp_params(m) +
	       (double)model_expert_layers(m) * expert_layer;
}

double model_params(const struct model *m)
{
	return params(m, m->num_experts);
}

double model_active_params(const struct model *m)
{
	return params(m, m->num_experts_per_tok);
}

void model_settle(struct model *m)
{
	if (m->num_key_value_heads == RECORD_INT_UNSET)
		m->num_key_value_heads = m->num_attention_heads;
	if (m->head_dim == RECORD_INT_UNSET)
		m->head_dim = m->hidden_size / m->num_attention_heads;
	if (m->moe_intermediate_size == RECORD_INT_UNSET)
		m->moe_intermediate_size = m->intermediate_size;
}

static const struct refusal {
	const char *key, *why;
} encoder = {"architecture", "it is a one-shot model (an encoder), not in this version"},
  latent = {"kv_lora_rank", "its multi-head latent attention (MLA) is not in this version"},
  windows = {"sliding_window", "its sliding attention windows are not in this version"};

static const struct refusal *refusal_of(const struct model *m)
{
	if (m->architecture == MODEL_ENCODER)
		return &encoder;
	if (m->kv_lora_rank > 0)
		return &latent;
	return m->sliding_window > 0 ? &windows : NULL;
}

const char *model_refusal(const struct model *m)
{
	const struct refusal *refusal = refusal_of(m);

	return refusal ? refusal->why : NULL;
}

const char *model_refusal_key(const struct model *m)
{
	const struct refusal *refusal = refusal_of(m);

	return refusal ? refusal->key : NULL;
}
