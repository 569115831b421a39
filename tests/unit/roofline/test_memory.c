/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory budget by hand. The toy on a 2 GB card at .92: usable 1.84e9; weights 2*14.4e6*2
 * = 57.6e6 of linears and 2*1e7*2 = 40e6 of embedding and head; reserve 1.35e9; 2*2*100*2*2 = 1,600
 * bytes a token, 25,600 a block of 16: 392.4e6 bytes are 15,328.125 blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "toy.h"

static struct memory_need need_of(int tp, int64_t tokens, int64_t seqs)
{
	return (struct memory_need){.tp = tp,
				    .max_model_len = RECORD_INT_UNSET,
				    .longest_request = RECORD_INT_UNSET,
				    .max_num_seqs = seqs,
				    .max_num_batched_tokens = tokens,
				    .chunked_prefill = true};
}

static void small_toy(struct toy *t)
{
	toy_init(t);
	t->gpu.memory.value = 2e9;
	toy_settle(t, FORMAT_AUTO);
}

static void plan_toy(const struct toy *t, const struct memory_need *need, struct memory_plan *plan)
{
	memory_plan(plan, need, &t->model, &t->gpu, &t->use, &t->engine);
}

static void test_budget(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	plan_toy(&t, &need, &plan);
	assert_true(plan.fits);
	assert_near(plan.usable_bytes, 1.84e9, 1);
	assert_near(plan.linear_bytes, 57.6e6, 1);
	assert_near(plan.embedding_bytes, 40e6, 1);
	assert_near(plan.weights_bytes, 97.6e6, 1);
	assert_near(plan.reserve_bytes, 1.35e9, 1);
	assert_near(plan.kv_bytes_per_token, 1600, 0);
	assert_int_equal(plan.pool_blocks, 15328);
	assert_int_equal(plan.kv_pool_tokens, 245248);
	assert_near(plan.kv_pool_bytes, 392396800, 0);
	assert_int_equal(plan.max_model_len, 100000);
	assert_false(plan.max_model_len_cut);
	toy_free(&t);
}

/* Tied: the embedding once, 20e6. fp8: linears 28.8e6. Two GPUs: half of each, half the KV, 0.5e9
 * for communication. */
static void test_weights(void **state)
{
	struct memory_need need = need_of(2, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	t.model.tie_word_embeddings = true;
	toy_settle(&t, FORMAT_FP8);
	plan_toy(&t, &need, &plan);
	assert_near(plan.weights_bytes, (28.8e6 + 20e6) / 2, 1);
	assert_near(plan.kv_bytes_per_token, 800, 0);
	assert_near(plan.comm_bytes, 0.5e9, 0);
	assert_near(plan.reserve_bytes, 1.85e9, 1);
	need.tp = 10; /* five copies of each KV head: no less a GPU than at 2 */
	plan_toy(&t, &need, &plan);
	assert_near(plan.kv_bytes_per_token, 800, 0);
	need.tp = 4;
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	assert_non_null(strstr(plan.reason, "10 heads do not divide by 4"));
	toy_free(&t);
}

/* MoE: layer 0 dense (28.8e6 bytes), layer 1 projections 4.8e6, experts (4 + 1)*3e6*2 = 30e6,
 * router 1000*4*2 = 8,000. */
static void test_expert_weights(void **state)
{
	struct memory_need need = need_of(1, 10192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	toy_make_moe(&t);
	plan_toy(&t, &need, &plan);
	assert_near(plan.linear_bytes, 28.8e6 + 4.8e6, 1);
	assert_near(plan.expert_bytes, 30e6, 1);
	assert_near(plan.embedding_bytes, 40e6 + 8000, 1);
	/* widest is the dense layer, 4,000 > 3 experts of 1,000 */
	assert_near(plan.activation_bytes, 6 * (4000 + 1000) * 2000.0, 1);
	t.model.first_k_dense_replace = 0;
	plan_toy(&t, &need, &plan);
	assert_near(plan.activation_bytes, 6 * (3000 + 1000) * 2000.0, 1);
	toy_free(&t);
}

/* Budget 10,192: 2,000 tokens beyond 8,192: 6*(4000 + 1000)*2000 = 60e6, over two GPUs 6*(2000 +
 * 1000)*2000 = 36e6. 1,256 sequences: 4*10,000*1000 = 40e6; at 18 bytes 18*10,000*1256 = 226.08e6
 * more. */
static void test_reserve(void **state)
{
	struct memory_need need = need_of(1, 10192, 1256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	plan_toy(&t, &need, &plan);
	assert_near(plan.activation_bytes, 60e6, 1);
	assert_near(plan.logit_bytes, 40e6, 1);
	assert_near(plan.reserve_bytes, 1.45e9, 1);
	t.engine.logit_reserve_bytes.value = 18;
	plan_toy(&t, &need, &plan);
	assert_near(plan.logit_bytes, 266.08e6, 1);
	need.tp = 2;
	plan_toy(&t, &need, &plan);
	assert_near(plan.activation_bytes, 36e6, 1);
	need = need_of(1, 2048, 16); /* nothing is given back below the thresholds */
	t.engine.logit_reserve_bytes.value = 0;
	plan_toy(&t, &need, &plan);
	assert_near(plan.reserve_bytes, 1.35e9, 0);
	t.engine.reserve.value = 0.25e9;
	plan_toy(&t, &need, &plan);
	assert_near(plan.reserve_bytes, 0.25e9, 0);
	assert_near(plan.runtime_bytes, 0, 0);
	toy_free(&t);
}

/* Without chunked prefill activations follow max_model_len: at 18,192 10,000 tokens beyond: 300e6;
 * left 92.4e6: 57,744 tokens. Not given: 32.34e6 are left at 20,194, 1,263 blocks, 20,208
 * tokens; 32.31e6 at 20,195, 1,262 blocks, 20,192 tokens. */
static void test_without_chunks(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	need.chunked_prefill = false;
	need.max_model_len = 18192;
	plan_toy(&t, &need, &plan);
	assert_near(plan.activation_bytes, 300e6, 1);
	assert_int_equal(plan.kv_pool_tokens, 57744);
	assert_true(plan.fits);
	need.max_model_len = 25000;
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	need.max_model_len = RECORD_INT_UNSET;
	plan_toy(&t, &need, &plan);
	assert_true(plan.fits);
	assert_true(plan.max_model_len_cut);
	assert_int_equal(plan.max_model_len, 20194);
	assert_int_equal(plan.kv_pool_tokens, 20208);
	toy_free(&t);
}

/* free: .92*(2e9 - 1.4476e9) = 508.208e6, 19,851.9 blocks. static: 1.84e9 - 97.6e6 = 1.7424e9,
 * 68,062.5 blocks. */
static void test_fractions(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	t.engine.fraction_of = FRACTION_FREE;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.pool_blocks, 19851);
	t.engine.fraction_of = FRACTION_STATIC;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.pool_blocks, 68062);
	toy_free(&t);
}

static void test_forced_pool(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	t.engine.kv_pool_tokens = 1000;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.pool_blocks, 62);
	assert_int_equal(plan.kv_pool_tokens, 992);
	assert_int_equal(plan.max_model_len, 992);
	t.engine.kv_pool_tokens = RECORD_INT_UNSET;
	t.engine.kv_pool_blocks = 70;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.kv_pool_tokens, 1120);
	need.max_model_len = 1200; /* 75 blocks: 5*25,600 bytes are missing */
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	assert_near(plan.missing_bytes, 128000, 1);
	toy_free(&t);
}

static void test_longest_request(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	need.longest_request = 5000;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.max_model_len, 5000);
	assert_false(plan.max_model_len_cut);
	need.longest_request = 150000;
	plan_toy(&t, &need, &plan);
	assert_int_equal(plan.max_model_len, 100000);
	assert_true(plan.max_model_len_cut);
	need.max_model_len = 100001;
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	assert_non_null(strstr(plan.reason, "above the model's context"));
	toy_free(&t);
}

/* 1.58e9*.92 = 1.4536e9 usable: 6e6 left, 234 blocks, 3,744 tokens; 7,000 tokens take 438 blocks
 * = 11.2128e6: 5.2128e6 missing. An fp8 cache takes half, 5.6064e6: it fits. At tp 2 reserve 1.85e9
 * is too large; fp8 weights leave 34.8e6. */
static void test_does_not_fit(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	t.gpu.memory.value = 1.58e9;
	need.max_model_len = 7000;
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	assert_int_equal(plan.kv_pool_tokens, 3744);
	assert_near(plan.missing_bytes, 5.2128e6, 1);
	assert_non_null(strstr(plan.reason, "would fit: max_model_len up to 3744; weights fp8; "));
	assert_non_null(strstr(plan.reason, "KV cache fp8"));
	assert_null(strstr(plan.reason, "tensor_parallel"));
	t.engine.reserve.value = 1.35e9;
	plan_toy(&t, &need, &plan);
	assert_non_null(strstr(plan.reason, "tensor_parallel 2"));
	assert_int_equal(memory_smallest_tp(&need, &t.model, &t.gpu, &t.use, &t.engine), 2);
	t.gpu.memory.value = 1e9;
	plan_toy(&t, &need, &plan);
	assert_false(plan.fits);
	assert_int_equal(plan.kv_pool_tokens, 0);
	/* left .92e9 - 97.6e6 - 1.35e9 = -527.6e6, 11.2128e6 for one sequence */
	assert_near(plan.missing_bytes, 538.8128e6, 1);
	assert_non_null(strstr(plan.reason, "nothing on this GPU"));
	assert_int_equal(memory_smallest_tp(&need, &t.model, &t.gpu, &t.use, &t.engine), 0);
	toy_free(&t);
}

static void test_warnings(void **state)
{
	struct memory_need need = need_of(1, 8192, 256);
	struct memory_plan plan;
	struct toy t;

	(void)state;
	small_toy(&t);
	plan_toy(&t, &need, &plan);
	assert_string_equal(plan.warning, "");
	t.engine.gpu_memory_utilization.value = 0.98;
	plan_toy(&t, &need, &plan);
	assert_non_null(strstr(plan.warning, "0.98"));
	t.engine.gpu_memory_utilization.value = 0.75; /* 52.4e6 of 1.5e9 */
	plan_toy(&t, &need, &plan);
	assert_non_null(strstr(plan.warning, "tight"));
	toy_free(&t);
}

static void test_tp_divides(void **state)
{
	struct model m = {.num_attention_heads = 40, .num_key_value_heads = 8};
	char why[128];

	(void)state;
	assert_true(memory_tp_divides(&m, 4, why));
	assert_true(memory_tp_divides(&m, 8, why));
	assert_true(memory_tp_divides(&m, 40, why));
	assert_false(memory_tp_divides(&m, 3, why));
	assert_string_equal(why, "40 heads do not divide by 3");
	assert_false(memory_tp_divides(&m, 5, why));
	assert_string_equal(why, "8 KV heads neither divide by 5 nor into it");
}

/* 15,328 blocks; 1,000 tokens cache 999: 63 blocks: 243. One token caches none: as many as blocks.
 */
static void test_concurrency(void **state)
{
	struct memory_plan plan = {.pool_blocks = 15328};

	(void)state;
	assert_int_equal(memory_concurrency(&plan, 16, 1000), 243);
	assert_int_equal(memory_concurrency(&plan, 16, 17), 15328);
	assert_int_equal(memory_concurrency(&plan, 16, 18), 7664);
	assert_int_equal(memory_concurrency(&plan, 16, 1), 15328);
}

static void qwen3_14b(struct model *m)
{
	record_init(&model_record, m);
	m->num_hidden_layers = 40;
	m->hidden_size = 5120;
	m->num_attention_heads = 40;
	m->num_key_value_heads = 8;
	m->head_dim = 128;
	m->intermediate_size = 17408;
	m->vocab_size = 151936;
	m->max_position_embeddings = 40960;
	model_settle(m);
}

static void llama_31_8b(struct model *m)
{
	record_init(&model_record, m);
	m->num_hidden_layers = 32;
	m->hidden_size = 4096;
	m->num_attention_heads = 32;
	m->num_key_value_heads = 8;
	m->intermediate_size = 14336;
	m->vocab_size = 128256;
	m->max_position_embeddings = 131072;
	model_settle(m);
}

/* Pools that servers reported; the reserve that they leave is 1.33-1.41 GB. */
static void assert_known_pool(struct toy *t, double memory_gib, double share, int64_t budget,
			      double tokens)
{
	struct memory_need need = need_of(1, budget, 256);
	struct memory_plan plan;
	double reserve;

	t->gpu.memory.value = memory_gib * 0x1p30;
	t->engine.gpu_memory_utilization.value = share;
	toy_settle(t, FORMAT_AUTO);
	plan_toy(t, &need, &plan);
	assert_near((double)plan.kv_pool_tokens, tokens, 0.01 * tokens);
	reserve = plan.usable_bytes - plan.weights_bytes - tokens * plan.kv_bytes_per_token;
	assert_near(reserve, 1.37e9, 0.04e9);
}

static void test_known_pools(void **state)
{
	struct toy t;

	(void)state;
	toy_init(&t);
	qwen3_14b(&t.model);
	assert_known_pool(&t, 79.175, 0.92, 8192, 288608);
	llama_31_8b(&t.model);
	assert_known_pool(&t, 23.64, 0.90, 2048, 41408);
	toy_free(&t);
}

/* The H100 server at 1,024 sequences: 4*151,936*768 = 466.7e6 bytes are 2,849 tokens of 163,840
 * bytes. */
static void test_more_sequences(void **state)
{
	struct memory_need few = need_of(1, 8192, 256), many = need_of(1, 8192, 1024);
	struct memory_plan with_few, with_many;
	struct toy t;

	(void)state;
	toy_init(&t);
	qwen3_14b(&t.model);
	t.gpu.memory.value = 79.175 * 0x1p30;
	toy_settle(&t, FORMAT_AUTO);
	plan_toy(&t, &few, &with_few);
	plan_toy(&t, &many, &with_many);
	assert_near((double)(with_few.kv_pool_tokens - with_many.kv_pool_tokens), 2849, 16);
	toy_free(&t);
}

static void assert_limits(const char *id, double gib, int64_t seqs, int64_t tokens)
{
	struct gpu g = {.id = (char *)id, .memory = {.value = gib * 0x1p30}};
	int64_t got_seqs, got_tokens;

	memory_auto_limits(&g, &got_seqs, &got_tokens);
	assert_int_equal(got_seqs, seqs);
	assert_int_equal(got_tokens, tokens);
}

static void test_auto_limits(void **state)
{
	(void)state;
	assert_limits("h100-sxm-80gb", 79.2, 1024, 8192);
	assert_limits("a100-sxm-80gb", 79.2, 256, 2048);
	assert_limits("l40s-48gb", 44.4, 256, 2048);
	assert_limits("mine", 70, 1024, 8192);
	assert_limits("mine", 69.9, 256, 2048);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_budget),	       cmocka_unit_test(test_weights),
		cmocka_unit_test(test_expert_weights), cmocka_unit_test(test_reserve),
		cmocka_unit_test(test_without_chunks), cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_forced_pool),    cmocka_unit_test(test_longest_request),
		cmocka_unit_test(test_does_not_fit),   cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_tp_divides),     cmocka_unit_test(test_concurrency),
		cmocka_unit_test(test_known_pools),    cmocka_unit_test(test_more_sequences),
		cmocka_unit_test(test_auto_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
