/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/wide.h"

/*
 * The reserve's constants, fitted on two servers whose pools are known (Qwen3-14B on H100 at 8,192
 * tokens a step, Llama-3.1-8B on a 4090 at 2,048: 1.33-1.41 GB) and on an activation peak measured
 * without chunked prefill (110 kB a token for an 8B).
 */
#define RUNTIME_BYTES	 1.35e9
#define RUNTIME_TOKENS	 8192  /* activations of so many tokens are in it */
#define ACTIVATION_BYTES 6     /* a token and unit of width */
#define LOGIT_BYTES	 4     /* a vocabulary entry and sequence; assumed */
#define RUNTIME_SEQS	 256   /* logits of so many sequences are in it */
#define COMM_BYTES	 0.5e9 /* tp > 1; assumed */

/* Near the edge: shares of memory beyond which servers failed on what should fit (vllm#57475,
 * #33155; TGI#2744). */
#define UTILIZATION_TOO_HIGH 0.98
#define TIGHT_POOL	     0.10

struct question {
	const struct memory_need *need;
	const struct model *m;
	const struct gpu *g;
	const struct precision_use *use;
	const struct engine_cost *e;
};

static bool is_set(int64_t value)
{
	return value != RECORD_INT_UNSET;
}

static double beyond(double value, double threshold)
{
	return value > threshold ? value - threshold : 0;
}

bool memory_tp_divides(const struct model *m, int tp, char why[128])
{
	int64_t h = m->num_attention_heads, g = m->num_key_value_heads;

	if (tp < 1)
		snprintf(why, 128, "tensor_parallel must be at least 1");
	else if (h % tp)
		snprintf(why, 128, "%lld heads do not divide by %d", (long long)h, tp);
	else if (g % tp && tp % g)
		snprintf(why, 128, "%lld KV heads neither divide by %d nor into it", (long long)g,
			 tp);
	else
		return true;
	return false;
}

static void weigh(const struct question *q, struct memory_plan *plan)
{
	const struct model *m = q->m;
	double tp = q->need->tp;
	double tables = m->tie_word_embeddings ? 1 : 2;
	double linear = (double)m->num_hidden_layers * model_attention_params(m) +
			(double)model_dense_layers(m) * model_mlp_params(m);
	double experts = (double)(m->num_experts + m->n_shared_experts) *
			 (double)model_expert_layers(m) * model_expert_params(m);
	double others = tables * model_embedding_params(m) + model_position_params(m) +
			(double)model_expert_layers(m) * model_router_params(m);

	plan->linear_bytes = q->use->linear_bytes * linear / tp;
	plan->expert_bytes = q->use->expert_bytes * experts / tp;
	plan->embedding_bytes = q->use->other_bytes * others / tp;
	plan->weights_bytes = plan->linear_bytes + plan->expert_bytes + plan->embedding_bytes;
}

/* feed-forward width that a token passes through at once */
static double active_width(const struct model *m)
{
	double dense = model_dense_layers(m) > 0 ? (double)m->intermediate_size : 0;
	double experts =
		(double)((m->num_experts_per_tok + m->n_shared_experts) * m->moe_intermediate_size);

	return model_expert_layers(m) > 0 ? fmax(dense, experts) : dense;
}

static void reserve(const struct question *q, struct memory_plan *plan, int64_t max_model_len)
{
	const struct memory_need *need = q->need;
	double tokens =
		(double)(need->chunked_prefill ? need->max_num_batched_tokens : max_model_len);
	double width = active_width(q->m) / need->tp + (double)q->m->hidden_size;
	double vocabulary = (double)q->m->vocab_size, seqs = (double)need->max_num_seqs;

	plan->reserve_bytes = q->e->reserve.value;
	if (!isnan(plan->reserve_bytes))
		return;
	plan->runtime_bytes = RUNTIME_BYTES;
	plan->activation_bytes = ACTIVATION_BYTES * width * beyond(tokens, RUNTIME_TOKENS);
	plan->logit_bytes = LOGIT_BYTES * vocabulary * beyond(seqs, RUNTIME_SEQS) +
			    q->e->logit_reserve_bytes.value * vocabulary * seqs;
	plan->comm_bytes = need->tp > 1 ? COMM_BYTES : 0;
	plan->reserve_bytes =
		plan->runtime_bytes + plan->activation_bytes + plan->logit_bytes + plan->comm_bytes;
}

/* bytes that are left for KV, negative where weights and reserve are too large */
static double left_bytes(const struct question *q, struct memory_plan *plan)
{
	double share = q->e->gpu_memory_utilization.value;
	double others = plan->weights_bytes + plan->reserve_bytes;

	plan->usable_bytes = share * plan->total_bytes;
	switch (q->e->fraction_of) {
	case FRACTION_FREE:
		plan->usable_bytes = others + share * (plan->total_bytes - others);
		break;
	case FRACTION_STATIC:
		return plan->usable_bytes - plan->weights_bytes;
	default:
		break;
	}
	return plan->usable_bytes - others;
}

static int64_t blocks_for(const struct question *q, int64_t tokens)
{
	return (tokens + q->e->block_size - 1) / q->e->block_size;
}

static double block_bytes(const struct question *q, const struct memory_plan *plan)
{
	return plan->kv_bytes_per_token * (double)q->e->block_size;
}

static bool is_forced(const struct question *q)
{
	return is_set(q->e->kv_pool_blocks) || is_set(q->e->kv_pool_tokens);
}

static int64_t pool_blocks(const struct question *q, const struct memory_plan *plan, double left)
{
	if (is_set(q->e->kv_pool_blocks))
		return q->e->kv_pool_blocks;
	if (is_set(q->e->kv_pool_tokens))
		return q->e->kv_pool_tokens / q->e->block_size;
	return left > 0 ? (int64_t)(left / block_bytes(q, plan)) : 0;
}

/* All numbers at a max_model_len; returns the bytes left for KV before rounding to blocks. */
static double fill(const struct question *q, struct memory_plan *plan, int64_t max_model_len)
{
	const struct model *m = q->m;
	double kv_heads = (double)m->num_key_value_heads;
	double left;

	*plan = (struct memory_plan){.total_bytes = q->g->memory.value};
	weigh(q, plan);
	reserve(q, plan, max_model_len);
	left = left_bytes(q, plan);
	plan->kv_bytes_per_token = 2 * kv_heads * (double)m->head_dim * q->use->kv_bytes *
				   (double)m->num_hidden_layers / fmin(q->need->tp, kv_heads);
	plan->pool_blocks = pool_blocks(q, plan, left);
	plan->kv_pool_tokens = plan->pool_blocks * q->e->block_size;
	plan->kv_pool_bytes = (double)plan->pool_blocks * block_bytes(q, plan);
	plan->max_model_len = max_model_len;
	return is_forced(q) ? plan->kv_pool_bytes : left;
}

static bool holds(const struct question *q, int64_t max_model_len)
{
	struct memory_plan plan;

	fill(q, &plan, max_model_len);
	return plan.kv_pool_tokens >= max_model_len;
}

/* Largest max_model_len up to `most` at which the pool holds one such sequence: the pool never
 * grows with it. */
static int64_t largest_model_len(const struct question *q, int64_t most)
{
	int64_t fits = 0, too_large = most + 1;

	while (too_large - fits > 1) {
		int64_t middle = fits + (too_large - fits) / 2;

		if (holds(q, middle))
			fits = middle;
		else
			too_large = middle;
	}
	return fits;
}

/* what is asked for; the model's context bounds what is not said outright */
static int64_t wanted_model_len(const struct question *q)
{
	int64_t context = q->m->max_position_embeddings;

	if (is_set(q->need->max_model_len))
		return q->need->max_model_len;
	return is_set(q->need->longest_request) ? min64(q->need->longest_request, context)
						: context;
}

/* Numbers and verdict without words. */
static void decide(const struct question *q, struct memory_plan *plan)
{
	bool given = is_set(q->need->max_model_len);
	int64_t wanted = wanted_model_len(q);
	int64_t most = given ? wanted : largest_model_len(q, wanted);
	double left = fill(q, plan, most > 0 ? most : wanted);
	double needed = (double)blocks_for(q, given ? wanted : 1) * block_bytes(q, plan);

	plan->fits =
		most > 0 && plan->kv_pool_tokens >= most && wanted <= q->m->max_position_embeddings;
	plan->max_model_len_cut = !given && (most < wanted || (is_set(q->need->longest_request) &&
							       q->need->longest_request > wanted));
	if (!plan->fits)
		plan->missing_bytes = fmax(needed - left, 0);
}

/* ---- words ---- */

/* appends to the reason, cut where it is full */
#define SAY(PLAN, ...) text_add((PLAN)->reason, sizeof((PLAN)->reason), __VA_ARGS__)

static bool fits_in(const struct question *q, const struct precision *asked)
{
	struct precision_use use;
	struct memory_plan plan;
	struct question other = *q;
	char why[256];

	if (!precision_settle(asked, q->m, q->g, &use, why))
		return false;
	other.use = &use;
	decide(&other, &plan);
	return plan.fits;
}

/* ": " before the first of a list, then "; " */
static const char *separator(int *said)
{
	return (*said)++ ? "; " : ": ";
}

static void say_precisions(const struct question *q, struct memory_plan *plan, int *said)
{
	static const int smaller[] = {FORMAT_FP8, FORMAT_INT8, FORMAT_INT4};
	int kv = q->use->kv_bytes < 2 ? q->use->kv : KV_AUTO;
	struct precision same = {.weights = q->use->weights, .kv = KV_FP8};

	for (size_t i = 0; i < COUNT(smaller); i++) {
		struct precision asked = {.weights = smaller[i], .kv = kv};

		if (smaller[i] != q->use->weights && fits_in(q, &asked))
			SAY(plan, "%sweights %s", separator(said), weight_format_names[smaller[i]]);
	}
	if (q->use->kv_bytes >= 2 && fits_in(q, &same))
		SAY(plan, "%sKV cache fp8", separator(said));
}

static void say_what_would_fit(const struct question *q, struct memory_plan *plan)
{
	int tp = memory_smallest_tp(q->need, q->m, q->g, q->use, q->e);
	int64_t most = min64(wanted_model_len(q), q->m->max_position_embeddings);
	int64_t len = largest_model_len(q, most);
	int said = 0;

	SAY(plan, "; would fit");
	if (len > 0)
		SAY(plan, "%smax_model_len up to %lld", separator(&said), (long long)len);
	if (tp > 0)
		SAY(plan, "%stensor_parallel %d", separator(&said), tp);
	say_precisions(q, plan, &said);
	if (!said)
		SAY(plan, ": nothing on this GPU");
}

static void say_why_not(const struct question *q, struct memory_plan *plan)
{
	double sequence = (double)plan->max_model_len * plan->kv_bytes_per_token;

	if (plan->max_model_len > q->m->max_position_embeddings) {
		SAY(plan, "max_model_len %lld is above the model's context of %lld tokens",
		    (long long)plan->max_model_len, (long long)q->m->max_position_embeddings);
		return;
	}
	if (is_forced(q)) {
		SAY(plan,
		    "the pool is set to %lld blocks of %lld tokens; one sequence of max_model_len "
		    "takes %lld tokens",
		    (long long)plan->pool_blocks, (long long)q->e->block_size,
		    (long long)plan->max_model_len);
		return;
	}
	SAY(plan, "weights %.2f GB and reserve %.2f GB of %.2f GB usable",
	    plan->weights_bytes / 1e9, plan->reserve_bytes / 1e9, plan->usable_bytes / 1e9);
	if (plan->kv_pool_tokens > 0)
		SAY(plan,
		    " leave KV for %lld tokens; one sequence of max_model_len %lld takes %.2f GB",
		    (long long)plan->kv_pool_tokens, (long long)plan->max_model_len,
		    sequence / 1e9);
	SAY(plan, ": %.2f GB missing", plan->missing_bytes / 1e9);
	say_what_would_fit(q, plan);
}

static void warn(const struct question *q, struct memory_plan *plan)
{
	if (q->e->gpu_memory_utilization.value >= UTILIZATION_TOO_HIGH)
		snprintf(plan->warning, sizeof(plan->warning),
			 "gpu_memory_utilization %.3g leaves no room for what the runtime takes "
			 "besides: servers have run out of memory from %.2f on",
			 q->e->gpu_memory_utilization.value, UTILIZATION_TOO_HIGH);
	else if (!is_forced(q) && plan->kv_pool_bytes < TIGHT_POOL * plan->usable_bytes)
		snprintf(plan->warning, sizeof(plan->warning),
			 "tight: the KV pool is %.1f %% of the memory in use, within what engine "
			 "versions differ by",
			 100 * plan->kv_pool_bytes / plan->usable_bytes);
}

void memory_plan(struct memory_plan *plan, const struct memory_need *need, const struct model *m,
		 const struct gpu *g, const struct precision_use *use, const struct engine_cost *e)
{
	struct question q = {need, m, g, use, e};
	char why[128];

	if (!memory_tp_divides(m, need->tp, why)) {
		*plan = (struct memory_plan){.total_bytes = g->memory.value};
		SAY(plan, "%s", why);
		return;
	}
	decide(&q, plan);
	if (plan->fits)
		warn(&q, plan);
	else
		say_why_not(&q, plan);
}

int memory_smallest_tp(const struct memory_need *need, const struct model *m, const struct gpu *g,
		       const struct precision_use *use, const struct engine_cost *e)
{
	for (int tp = 1; tp <= 16; tp *= 2) {
		struct memory_need other = *need;
		struct question q = {&other, m, g, use, e};
		struct memory_plan plan;
		char why[128];

		other.tp = tp;
		if (!memory_tp_divides(m, tp, why))
			continue;
		decide(&q, &plan);
		if (plan.fits)
			return tp;
	}
	return 0;
}

int64_t memory_concurrency(const struct memory_plan *plan, int64_t block_size, int64_t tokens)
{
	int64_t blocks = (tokens - 1 + block_size - 1) / block_size;

	return plan->pool_blocks / (blocks > 0 ? blocks : 1);
}

static bool is_a100(const struct gpu *g)
{
	return (g->id && strstr(g->id, "a100")) || (g->name && strstr(g->name, "A100"));
}

void memory_auto_limits(const struct gpu *g, int64_t *max_num_seqs, int64_t *max_num_batched_tokens)
{
	bool large = g->memory.value >= 70 * 0x1p30 && !is_a100(g);

	*max_num_seqs = large ? 1024 : 256;
	*max_num_batched_tokens = large ? 8192 : 2048;
}
