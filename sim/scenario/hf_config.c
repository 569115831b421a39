/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/hf_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "roofline/precision.h"
#include "scenario/hf_quantization.h"

struct reading {
	struct model *m;
	const struct json_doc *doc;
	const cJSON *top, *text; /* the file, and the part that describes the decoder */
	const struct family *family;
	struct diag *d;
};

/* One dimension under the names that families give it; the first that is there counts. */
struct spelling {
	size_t offset;
	const char *names[6];
};

#define SPELLED(MEMBER, ...)                                                                       \
	{                                                                                          \
		offsetof(struct model, MEMBER),                                                    \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

static const struct spelling spellings[] = {
	SPELLED(num_hidden_layers, "num_hidden_layers", "n_layer", "num_layers", "n_layers"),
	SPELLED(hidden_size, "hidden_size", "n_embd", "n_embed", "d_model", "dim"),
	SPELLED(num_attention_heads, "num_attention_heads", "n_head", "num_heads", "n_heads"),
	SPELLED(num_key_value_heads, "num_key_value_heads", "num_kv_heads", "n_head_kv",
		"multi_query_group_num"),
	SPELLED(head_dim, "head_dim", "kv_channels"),
	SPELLED(intermediate_size, "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size",
		"hidden_dim"),
	SPELLED(vocab_size, "vocab_size", "padded_vocab_size"),
	SPELLED(max_position_embeddings, "max_position_embeddings", "n_positions", "n_ctx",
		"seq_length", "max_seq_len", "max_sequence_length"),
	SPELLED(num_experts, "num_experts", "num_local_experts", "n_routed_experts",
		"moe_num_experts"),
	SPELLED(num_experts_per_tok, "num_experts_per_tok", "num_experts_per_token",
		"experts_per_token", "moe_topk", "moe_k"),
	SPELLED(n_shared_experts, "n_shared_experts", "num_shared_experts"),
	SPELLED(moe_intermediate_size, "moe_intermediate_size"),
	SPELLED(first_k_dense_replace, "first_k_dense_replace"),
	SPELLED(q_lora_rank, "q_lora_rank"),
	SPELLED(kv_lora_rank, "kv_lora_rank"),
	SPELLED(qk_nope_head_dim, "qk_nope_head_dim"),
	SPELLED(qk_rope_head_dim, "qk_rope_head_dim"),
	SPELLED(v_head_dim, "v_head_dim"),
};

/* What a family leaves unsaid. Those not listed are like Llama: gated, a head of their own, no
 * learned positions. */
struct family {
	const char *type; /* model_type */
	bool plain_mlp, tied, encoder, one_kv_head, half_width;
	int positions; /* learned rows beyond the context, + 1; 0: none */
	int windows;   /* window_layers where the file has no pattern */
};

static const struct family families[] = {
	{.type = "gpt2", .plain_mlp = true, .tied = true, .positions = 1},
	{.type = "gpt_bigcode",
	 .plain_mlp = true,
	 .tied = true,
	 .one_kv_head = true,
	 .positions = 1},
	{.type = "opt", .plain_mlp = true, .tied = true, .positions = 3},
	{.type = "bloom", .plain_mlp = true, .tied = true},
	{.type = "falcon", .plain_mlp = true, .tied = true, .one_kv_head = true},
	{.type = "RefinedWeb", .plain_mlp = true, .tied = true},
	{.type = "RefinedWebModel", .plain_mlp = true, .tied = true, .one_kv_head = true},
	{.type = "mpt", .plain_mlp = true, .tied = true},
	{.type = "gpt_neox", .plain_mlp = true},
	{.type = "gptj", .plain_mlp = true},
	{.type = "phi", .plain_mlp = true},
	{.type = "starcoder2", .plain_mlp = true, .tied = true},
	{.type = "nemotron", .plain_mlp = true},
	{.type = "qwen", .half_width = true}, /* states twice the width */
	{.type = "cohere", .tied = true},
	{.type = "cohere2", .tied = true},
	{.type = "gemma", .tied = true},
	{.type = "gemma2", .tied = true, .windows = 1},
	{.type = "gemma3", .tied = true, .windows = 2},
	{.type = "gemma3_text", .tied = true, .windows = 2},
	{.type = "gpt_oss", .windows = 1},
	{.type = "bert", .plain_mlp = true, .encoder = true, .positions = 1},
	{.type = "roberta", .plain_mlp = true, .encoder = true, .positions = 1},
	{.type = "xlm-roberta", .plain_mlp = true, .encoder = true, .positions = 1},
	{.type = "distilbert", .plain_mlp = true, .encoder = true, .positions = 1},
	{.type = NULL},
};

/* Further keys that have a say, beside the spellings. */
static const char *const others[] = {
	"architectures",
	"model_type",
	"_name_or_path",
	"text_config",
	"thinker_config",
	"tie_word_embeddings",
	"multi_query",
	"new_decoder_architecture",
	"expansion_ratio",
	"shared_expert_intermediate_size",
	"sliding_window",
	"use_sliding_window",
	"layer_types",
	"sliding_window_pattern",
	"quantization_config",
	"decoder_sparse_step",
	"interleave_moe_layer_step",
	"mlp_only_layers",
	"full_attention_interval",
	"is_encoder_decoder",
};

/* ---- values ---- */

static bool fail(const struct reading *r, const cJSON *item, const char *message)
{
	diag_fail(r->d, "%s", message);
	return json_doc_blame(r->doc, item, item->string ? item->string : "", r->d);
}

static bool read_integer(const struct reading *r, const cJSON *item, int64_t *to)
{
	double value = item->valuedouble;

	if (cJSON_IsArray(item) || cJSON_IsObject(item))
		return fail(r, item, "layers that differ from each other are not in this version");
	if (!cJSON_IsNumber(item) || value < 0 || value > 1e9 || value != floor(value))
		return fail(r, item, "must be a whole number from 0 to 1e9");
	*to = (int64_t)value;
	return true;
}

static int64_t *place_of(struct model *m, size_t offset)
{
	return (int64_t *)((char *)m + offset);
}

static bool read_spelling(const struct reading *r, const struct spelling *s)
{
	for (size_t i = 0; i < COUNT(s->names) && s->names[i]; i++) {
		const cJSON *item = json_doc_member(r->text, s->names[i]);

		if (item)
			return read_integer(r, item, place_of(r->m, s->offset));
	}
	return true;
}

static bool read_dimensions(const struct reading *r)
{
	for (size_t i = 0; i < COUNT(spellings); i++)
		if (!read_spelling(r, &spellings[i]))
			return false;
	return true;
}

/* a value of the decoder's part, else of the whole file's */
static const cJSON *either(const struct reading *r, const char *key)
{
	const cJSON *item = json_doc_member(r->text, key);

	return item ? item : json_doc_member(r->top, key);
}

static bool is_true(const struct reading *r, const char *key, bool unsaid)
{
	const cJSON *item = either(r, key);

	return item ? cJSON_IsTrue(item) : unsaid;
}

static double number(const struct reading *r, const char *key, double unsaid)
{
	const cJSON *item = either(r, key);

	return cJSON_IsNumber(item) ? item->valuedouble : unsaid;
}

/* ---- which part, which family ---- */

static bool has_layers(const cJSON *part)
{
	for (size_t i = 0; spellings[0].names[i]; i++)
		if (json_doc_member(part, spellings[0].names[i]))
			return true;
	return false;
}

/* multi-modal files nest the decoder; vision and audio parts have layers too */
static const cJSON *decoder_part(const cJSON *top)
{
	const cJSON *text = json_doc_member(top, "text_config");

	if (has_layers(top))
		return top;
	if (!text)
		text = json_doc_member(json_doc_member(top, "thinker_config"), "text_config");
	return cJSON_IsObject(text) ? text : top;
}

static const char *text_of(const cJSON *item)
{
	return cJSON_IsString(item) ? item->valuestring : "";
}

static const struct family *family_of(const struct reading *r)
{
	const char *inner = text_of(json_doc_member(r->text, "model_type"));
	const char *outer = text_of(json_doc_member(r->top, "model_type"));

	for (const struct family *f = families;; f++)
		if (!f->type || !strcmp(f->type, inner) || (!*inner && !strcmp(f->type, outer)))
			return f;
}

/* ---- what is refused ---- */

static const char hybrid[] =
	"hybrid layers (linear attention beside full attention) are not in this version";

static bool known_layer_types(const struct reading *r)
{
	const cJSON *list = either(r, "layer_types"), *type;

	cJSON_ArrayForEach(type, list)
	{
		if (strcmp(text_of(type), "full_attention") != 0 &&
		    strcmp(text_of(type), "sliding_attention") != 0)
			return fail(r, list, hybrid);
	}
	return true;
}

static bool refuse(const struct reading *r)
{
	static const struct refusal {
		const char *key;
		double from; /* refused where the number is at least that; other values always */
		const char *message;
	} refusals[] = {
		{"full_attention_interval", 2, hybrid},
		{"attn_layer_period", 2, hybrid},
		{"layers_block_type", 0, hybrid},
		{"hybrid_override_pattern", 0, hybrid},
		{"linear_attn_config", 0, hybrid},
		{"attention_chunk_size", 1, "chunked attention is not in this version"},
		{"block_configs", 0, "layers that differ from each other are not in this version"},
		{"decoder_sparse_step", 2,
		 "dense layers between MoE layers are not in this version"},
		{"interleave_moe_layer_step", 2,
		 "dense layers between MoE layers are not in this version"},
	};

	for (size_t i = 0; i < COUNT(refusals); i++) {
		const cJSON *item = either(r, refusals[i].key);

		if (item && !(cJSON_IsNumber(item) && item->valuedouble < refusals[i].from))
			return fail(r, item, refusals[i].message);
	}
	if (cJSON_GetArraySize(either(r, "mlp_only_layers")) > 0)
		return fail(r, either(r, "mlp_only_layers"),
			    "dense layers between MoE layers are not in this version");
	if (is_true(r, "is_encoder_decoder", false))
		return fail(r, either(r, "is_encoder_decoder"),
			    "encoder-decoder models are not in this version");
	return known_layer_types(r);
}

/* ---- what follows ---- */

static bool is_set(int64_t value)
{
	return value != RECORD_INT_UNSET;
}

static void fill_kv_heads(const struct reading *r)
{
	struct model *m = r->m;

	/* Falcon's older files say multi_query; n_head_kv or num_kv_heads counts in the newer ones
	 * only */
	if (r->family->one_kv_head && !is_true(r, "new_decoder_architecture", false))
		m->num_key_value_heads =
			is_true(r, "multi_query", true) ? 1 : m->num_attention_heads;
}

static void fill_widths(const struct reading *r)
{
	struct model *m = r->m;
	double shared = number(r, "shared_expert_intermediate_size", 0);
	bool all_experts = m->num_experts > 0 && m->first_k_dense_replace == 0;

	if (r->family->half_width && is_set(m->intermediate_size))
		m->intermediate_size /= 2;
	if (!is_set(m->intermediate_size) && all_experts)
		m->intermediate_size = m->moe_intermediate_size;
	if (!is_set(m->intermediate_size) && r->family->plain_mlp && is_set(m->hidden_size))
		m->intermediate_size =
			(int64_t)(number(r, "expansion_ratio", 4) * (double)m->hidden_size);
	if (shared > 0 && m->n_shared_experts == 0 && is_set(m->moe_intermediate_size))
		m->n_shared_experts = (int64_t)round(shared / (double)m->moe_intermediate_size);
}

/* one expert is none */
static void fill_experts(struct model *m)
{
	if (m->num_experts <= 1)
		m->num_experts = m->num_experts_per_tok = m->n_shared_experts = 0;
}

static void fill_family(const struct reading *r)
{
	struct model *m = r->m;

	m->architecture = r->family->encoder ? MODEL_ENCODER : MODEL_DECODER;
	m->gated_mlp = !r->family->plain_mlp;
	m->tie_word_embeddings = is_true(r, "tie_word_embeddings", r->family->tied);
	if (!is_set(m->max_position_embeddings) && r->family->plain_mlp)
		m->max_position_embeddings = 2048; /* Falcon and BLOOM do not say it */
	if (r->family->positions > 0)
		m->position_rows = m->max_position_embeddings + r->family->positions - 1;
	fill_experts(m);
	fill_kv_heads(r);
	fill_widths(r);
}

/* ---- windows ---- */

enum { WINDOW_ALL, WINDOW_ALTERNATING, WINDOW_FIVE_TO_ONE };

/* the distance between full layers: 6 where five of six are local */
static int pattern_of(const struct reading *r, int *full_layers)
{
	const cJSON *list = either(r, "layer_types"), *type;
	int i = 0, first = 0;

	*full_layers = 0;
	cJSON_ArrayForEach(type, list)
	{
		i++;
		if (strcmp(text_of(type), "full_attention") != 0)
			continue;
		(*full_layers)++;
		first = first ? first : i;
	}
	return i ? first : (int)number(r, "sliding_window_pattern", 0);
}

static bool read_window(const struct reading *r)
{
	const cJSON *window = either(r, "sliding_window");
	struct model *m = r->m;
	int full_layers, pattern = pattern_of(r, &full_layers);
	bool acts =
		is_true(r, "use_sliding_window", true) &&
		(full_layers == 0 || full_layers < cJSON_GetArraySize(either(r, "layer_types")));

	if (!window || !acts)
		return true;
	if (!read_integer(r, window, &m->sliding_window))
		return false;
	if (is_set(m->max_position_embeddings) && m->sliding_window >= m->max_position_embeddings)
		m->sliding_window = 0;
	m->window_layers = pattern == 6	  ? WINDOW_FIVE_TO_ONE
			   : pattern == 2 ? WINDOW_ALTERNATING
			   : pattern == 0 ? r->family->windows
					  : WINDOW_ALL;
	return true;
}

/* ---- quantisation ---- */

/* hf_quant_config.json beside config.json, or NULL; released with json_doc_del(). */
static struct json_doc *quantization_file(const struct json_doc *doc, struct diag *d)
{
	static const char own[] = "config.json";
	const char *name = json_doc_name(doc);
	size_t length = strlen(name), folder = length - (sizeof(own) - 1);
	struct json_doc *found = NULL;
	char *file;

	if (length < sizeof(own) - 1 || strcmp(name + folder, own) != 0)
		return NULL;
	file = xasprintf("%.*shf_quant_config.json", (int)folder, name);
	if (access(file, R_OK) == 0)
		found = json_doc_read(file, d);
	free(file);
	return found;
}

static bool read_quantization(const struct reading *r)
{
	const cJSON *scheme = either(r, "quantization_config");
	struct json_doc *beside;
	bool good;

	if (scheme && !hf_quantization_read(r->m, r->doc, scheme, r->d))
		return false;
	beside = quantization_file(r->doc, r->d);
	if (!beside)
		return !r->d->set;
	scheme = json_doc_member(json_doc_root(beside), "quantization");
	good = !scheme || hf_quantization_read(r->m, beside, scheme, r->d);
	json_doc_del(beside);
	return good;
}

/* ---- unknown keys ---- */

static bool has_a_say(const char *key)
{
	for (size_t i = 0; i < COUNT(others); i++)
		if (!strcmp(key, others[i]))
			return true;
	for (size_t i = 0; i < COUNT(spellings); i++)
		for (size_t n = 0; n < COUNT(spellings[i].names) && spellings[i].names[n]; n++)
			if (!strcmp(key, spellings[i].names[n]))
				return true;
	return false;
}

static void collect_unknown(const cJSON *part, struct record_list *unknown)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, part)
	{
		if (!has_a_say(item->string))
			record_texts_add(unknown, xstrdup(item->string));
	}
}

/* ---- the whole ---- */

bool hf_config_is(const cJSON *root)
{
	return cJSON_GetObjectItemCaseSensitive(root, "architectures") ||
	       cJSON_GetObjectItemCaseSensitive(root, "model_type");
}

const cJSON *hf_config_find(const cJSON *root, const char *key)
{
	const char *name = strcmp(key, "architecture") == 0 ? "model_type" : key;
	const cJSON *item = json_doc_member(decoder_part(root), name);

	return item ? item : json_doc_member(root, name);
}

bool hf_config_read(struct model *m, const struct json_doc *doc, struct record_list *unknown,
		    struct diag *d)
{
	struct reading r = {.m = m, .doc = doc, .top = json_doc_root(doc), .d = d};
	const cJSON *name;

	r.text = decoder_part(r.top);
	r.family = family_of(&r);
	name = json_doc_member(r.top, "_name_or_path");
	if (cJSON_IsString(name) && !m->hf_id)
		m->hf_id = xstrdup(name->valuestring);
	if (!refuse(&r) || !read_dimensions(&r))
		return false;
	fill_family(&r);
	if (!read_window(&r) || !read_quantization(&r))
		return false;
	if (unknown) {
		collect_unknown(r.top, unknown);
		if (r.text != r.top)
			collect_unknown(r.text, unknown);
	}
	return true;
}
