/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include <string.h>

#include "serve/discipline.h"
#include "unit/study/fixture.h"

#define TRAFFIC                                                                                    \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 1000, \"output\": "    \
	"200}"

static const char *const cards[] = {"l4-24gb", "a100-sxm-80gb", "h100-sxm-80gb", NULL};

/* vLLM's defaults: 8,192 tokens and 1,024 sequences a step from 70 GiB except A100, else 2,048 and
 * 256; max_model_len is the longest request. */
static void limits_by_card(void **state)
{
	(void)state;
	static const int64_t seqs[] = {256, 256, 1024}, tokens[] = {2048, 2048, 8192};
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, TRAFFIC, "{}");
	for (int i = 0; i < 3; i++) {
		struct unit u;

		unit_init(&u, &f.s, &f.candidate[i], 1);
		assert_int_equal(u.verdict, VERDICT_OK);
		assert_int_equal(u.replica.max_num_seqs, seqs[i]);
		assert_int_equal(u.replica.max_num_batched_tokens, tokens[i]);
		assert_int_equal(u.replica.max_model_len, 1200);
		assert_int_equal(u.replica.pool_blocks, u.memory.pool_blocks);
		unit_free(&u);
	}
	fixture_free(&f);
}

/* Where prompts are whole, the budget is that of the longest; vLLM's first engine has 2,048 on any
 * card. */
static void budget_of_whole_prompts(void **state)
{
	(void)state;
	struct fixture f;
	struct scheduling *s = &f.s.engine.scheduling;

	fixture_init(&f, "llama-3.1-8b", cards, TRAFFIC, "{}");
	for (int i = 0; i < 4; i++) {
		static const int64_t tokens[] = {8192, 2048, 9000, 9000};
		struct unit u;

		s->chunked_prefill = i % 2;
		s->scheduler = i % 2; /* continuous, prefill-first */
		s->max_model_len = i < 2 ? 1200 : 9000;
		unit_init(&u, &f.s, &f.candidate[2], 1);
		assert_int_equal(u.replica.max_num_batched_tokens, tokens[i]);
		assert_int_equal(u.replica.scheduler, i % 2);
		assert_false(u.replica.chunked_prefill);
		unit_free(&u);
	}
	s->max_num_batched_tokens = 4096;
	struct unit u;
	unit_init(&u, &f.s, &f.candidate[2], 1);
	assert_int_equal(u.replica.max_num_batched_tokens, 4096);
	unit_free(&u);
	fixture_free(&f);
}

/* A static batch is max_batch, or max_num_seqs; its prefill fits a step, up to 262,144 tokens. */
static void static_batches(void **state)
{
	(void)state;
	struct fixture f;
	struct scheduling *s = &f.s.engine.scheduling;
	struct unit u;

	fixture_init(&f, "llama-3.1-8b", cards, TRAFFIC, "{}");
	for (s->scheduler = 0; disciplines[s->scheduler] != &discipline_static; s->scheduler++)
		;
	unit_init(&u, &f.s, &f.candidate[0], 1);
	assert_int_equal(u.replica.max_num_seqs, 256);
	assert_int_equal(u.replica.max_num_batched_tokens, 262144);
	assert_int_equal(u.replica.max_delay, 0);
	unit_free(&u);
	s->max_batch = 8;
	s->max_delay = 0.5;
	unit_init(&u, &f.s, &f.candidate[0], 1);
	assert_int_equal(u.replica.max_num_seqs, 8);
	assert_int_equal(u.replica.max_num_batched_tokens, 8 * 1200);
	assert_int_equal(u.replica.max_delay, tick_from_s(0.5));
	unit_free(&u);
	fixture_free(&f);
}

/* L4: 22.03 GiB as the runtime reports, 0.92 of it, less 8.03 G parameters of 2 bytes and 1.35 GB,
 * by 131,072 bytes a token: 2 * 8 heads * 128 * 2 bytes * 32 layers. */
static void pool_by_hand(void **state)
{
	(void)state;
	double pool = 22.03 * 1073741824 * 0.92 - 8.03e9 * 2 - 1.35e9;
	struct fixture f;
	struct unit u;

	fixture_init(&f, "llama-3.1-8b", cards, TRAFFIC, "{}");
	unit_init(&u, &f.s, &f.candidate[0], 1);
	assert_near(u.memory.kv_bytes_per_token, 131072, 0);
	assert_near((double)(u.replica.pool_blocks * u.replica.block_size), pool / 131072, 200);
	unit_free(&u);
	fixture_free(&f);
}

/* 32 heads are not divided by 3; 70B in 16 bits is 141 GB; two limits of the same step that
 * contradict each other. */
static void refusals(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;

	fixture_init(&f, "llama-3.1-8b", cards, TRAFFIC, "{}");
	unit_init(&u, &f.s, &f.candidate[0], 3);
	assert_int_equal(u.verdict, VERDICT_UNSUPPORTED);
	assert_non_null(strstr(u.reason, "3"));
	unit_free(&u);
	f.s.engine.scheduling.max_num_batched_tokens = 128;
	unit_init(&u, &f.s, &f.candidate[0], 1);
	assert_int_equal(u.verdict, VERDICT_UNSUPPORTED);
	assert_non_null(strstr(u.reason, "max_num_batched_tokens is 128"));
	unit_free(&u);
	fixture_free(&f);
	fixture_init(&f, "llama-3.1-70b", cards, TRAFFIC, "{}");
	unit_init(&u, &f.s, &f.candidate[2], 1);
	assert_int_equal(u.verdict, VERDICT_DOES_NOT_FIT);
	unit_free(&u);
	unit_init(&u, &f.s, &f.candidate[2], 2);
	assert_int_equal(u.verdict, VERDICT_OK);
	unit_free(&u);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_by_card), cmocka_unit_test(budget_of_whole_prompts),
		cmocka_unit_test(static_batches), cmocka_unit_test(pool_by_hand),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
