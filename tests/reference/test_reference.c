/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oracle against cases worked by hand, a queue with a known mean, and its own conservation. */
#include "random_scenario.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fmax(1, fabs(want))) {
		print_error("got %.12g, want %.12g\n", got, want);
		fail();
	}
}

/* every step takes one second; blocks of one token, no limit that binds */
static struct reference_setup second_steps(void)
{
	struct reference_setup s = {0};

	s.model = (struct reference_model){.layers = 1,
					   .hidden = 1,
					   .heads = 1,
					   .kv_heads = 1,
					   .head_dim = 1,
					   .ffn = 1,
					   .vocab = 1,
					   .linear_bytes = 1,
					   .wide_bytes = 1,
					   .kv_bytes = 1};
	s.gpu = (struct reference_gpu){.linear_flops = HUGE_VAL,
				       .linear_mfu = 1,
				       .flops16 = HUGE_VAL,
				       .mfu16 = 1,
				       .expert_share = 1,
				       .bandwidth = HUGE_VAL,
				       .mbu = 1,
				       .amfu = 1,
				       .ambu = 1,
				       .p = 2,
				       .expert_share = 0.5,
				       .tp = 1};
	s.engine.step_s = 1;
	s.engine.max_num_seqs = 100;
	s.engine.max_num_batched_tokens = 1000;
	s.engine.max_model_len = 1000;
	s.engine.block_size = 1;
	s.engine.pool_blocks = 1000;
	s.replicas = 1;
	return s;
}

static void one_request_alone(void **state)
{
	struct reference_setup s = second_steps();
	int64_t input = 10, output = 3;
	double arrival_s = 1;
	struct reference_load load = {
		.requests = 1, .input = &input, .output = &output, .arrival_s = &arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.frontend_s = 0.5;
	s.engine.block_size = 4;
	reference_run(&s, &load, &r);
	near(r.request[0].queue_s, 0);
	near(r.request[0].ttft_s, 1.5);
	near(r.request[0].e2e_s, 3.5);
	near(r.end_s, 4.5);
	near(r.busy_s, 3);
	near(r.batch_integral, 3);
	near(r.kv_integral, 10 + 11 + 12);
	near(r.queue_integral, 0);
	near(r.pairs, 55);
	near(r.chunk_context, 10);
	near(r.decode_context, 11 + 12);
	assert_int_equal(r.steps, 3);
	assert_int_equal(r.tokens, 12);
	assert_int_equal(r.rows, 3);
	assert_int_equal(r.blocks_max, 3);
	assert_int_equal(r.gaps, 2);
	near(r.gap_s[0], 1);
	near(r.gap_s[1], 1);
	reference_result_free(&r);
}

/* the second arrives during the first step of the first */
static void two_requests(int ahead, double queue_s, double ttft_s, double e2e_s)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {4, 2}, output[] = {3, 2};
	const double arrival_s[] = {0, 0.5};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	s.engine.schedule_ahead = ahead;
	reference_run(&s, &load, &r);
	near(r.request[0].ttft_s, 1);
	near(r.request[0].e2e_s, 3);
	near(r.request[1].queue_s, queue_s);
	near(r.request[1].ttft_s, ttft_s);
	near(r.request[1].e2e_s, e2e_s);
	near(r.queue_integral, queue_s);
	near(r.batch_integral, 5);
	near(r.margin_s, 0.5);
	reference_result_free(&r);
}

static void two_requests_overlap(void **state)
{
	(void)state;
	two_requests(0, 0.5, 1.5, 2.5);
}

static void schedule_ahead_shows_it_one_round_later(void **state)
{
	(void)state;
	two_requests(1, 1.5, 2.5, 3.5);
}

/* the first ends with its first step, so the replica is idle and sees what is there now */
static void schedule_ahead_on_an_idle_replica(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {4, 2}, output[] = {1, 1};
	const double arrival_s[] = {0, 0.5};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.schedule_ahead = 1;
	reference_run(&s, &load, &r);
	near(r.request[1].queue_s, 0.5);
	near(r.request[1].e2e_s, 1.5);
	reference_result_free(&r);
}

/*
 * Six blocks of one token. Steps 1 and 2: both run, 4 then 6 blocks. Step 3: the first needs a
 * seventh, the second is preempted, nothing admitted. Step 4: the first ends; four known tokens do
 * not fit one free block. Step 5: the second's four tokens are prefilled, its third is emitted.
 */
static void preemption(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {2, 2}, output[] = {4, 3};
	const double arrival_s[] = {0, 0};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.pool_blocks = 6;
	reference_run(&s, &load, &r);
	assert_int_equal(r.steps, 5);
	assert_int_equal(r.tokens, 4 + 2 + 1 + 1 + 4);
	assert_int_equal(r.rows, 7);
	assert_int_equal(r.sequences, 7);
	assert_int_equal(r.preemptions, 1);
	assert_int_equal(r.request[1].preemptions, 1);
	assert_int_equal(r.blocks_max, 6);
	near(r.request[0].e2e_s, 4);
	near(r.request[1].ttft_s, 1);
	near(r.request[1].e2e_s, 5);
	near(r.request[1].queue_s, 0);
	near(r.queue_integral, 2);
	near(r.kv_integral, 4 + 6 + 4 + 5 + 4);
	near(r.pairs, 3 + 3 + 10);
	near(r.decode_context, 3 + 3 + 4 + 5);
	assert_int_equal(r.gaps, 5);
	near(r.gap_s[4], 3); /* from its last token to its next */
	reference_result_free(&r);
}

/*
 * Four blocks. [0,1]: three run. [1,2]: the first takes the fourth block, the second finds none:
 * the third is preempted and its block taken. [2,3]: the first needs one more: the second is
 * preempted, in front of the third and of the fourth, which came meanwhile. [3,4]: the first ends;
 * three known tokens do not fit, and nobody skips. [4,5]: the second's three (ends); one block is
 * left for the third's two: no. [5,6]: the third's two and the fourth's one. [6,7]: the third ends.
 */
static void victims_keep_their_order(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 1, 1, 1}, output[] = {4, 3, 3, 1};
	const double arrival_s[] = {0, 0, 0, 0.5};
	struct reference_load load = {
		.requests = 4, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.pool_blocks = 4;
	reference_run(&s, &load, &r);
	assert_int_equal(r.preemptions, 2);
	near(r.request[0].last_s, 4);
	near(r.request[1].last_s, 5);
	near(r.request[2].last_s, 7);
	near(r.request[3].last_s, 6);
	assert_int_equal(r.steps, 7);
	reference_result_free(&r);
}

/*
 * Four blocks, three tokens a step. The second's three tokens do not fit beside the first under
 * full-sequence. Under first-chunk one is taken, and in the next step the second is itself the
 * victim when it needs two more. It ends at the same time for one preemption more.
 */
static void admission(enum reference_admission rule, int64_t preemptions, double queue_s,
		      int64_t tokens)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {2, 3}, output[] = {2, 1};
	const double arrival_s[] = {0, 0};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	s.engine.pool_blocks = 4;
	s.engine.max_num_seqs = 2;
	s.engine.max_num_batched_tokens = 3;
	s.engine.admission = rule;
	reference_run(&s, &load, &r);
	assert_int_equal(r.preemptions, preemptions);
	near(r.request[0].e2e_s, 2);
	near(r.request[1].e2e_s, 3);
	near(r.request[1].queue_s, queue_s);
	assert_int_equal(r.tokens, tokens);
	reference_result_free(&r);
}

/* the same under whole-request: 3 and 3 blocks do not fit four, so one after the other; a pool of
 * six holds both, and the first gives its blocks back at its end */
static void whole_requests(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {2, 2, 1}, output[] = {2, 2, 3};
	const double arrival_s[] = {0, 0, 0};
	struct reference_load load = {
		.requests = 3, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.admission = REFERENCE_WHOLE_REQUEST;
	s.engine.pool_blocks = 4;
	reference_run(&s, &load, &r);
	near(r.request[0].last_s, 2);
	near(r.request[1].last_s, 4);
	near(r.request[2].last_s, 7);
	assert_int_equal(r.blocks_max, 3);
	reference_result_free(&r);
	s.engine.pool_blocks = 6;
	reference_run(&s, &load, &r);
	near(r.request[1].last_s, 2);
	near(r.request[2].last_s, 5);
	assert_int_equal(r.blocks_max, 6);
	assert_int_equal(r.preemptions, 0);
	reference_result_free(&r);
}

static void both_admission_rules(void **state)
{
	(void)state;
	admission(REFERENCE_FULL_SEQUENCE, 0, 2, 3 + 3);
	admission(REFERENCE_FIRST_CHUNK, 1, 0, 3 + 1 + 3);
}

static void chunked_prompt(void **state)
{
	struct reference_setup s = second_steps();
	int64_t input = 10, output = 2;
	double arrival_s = 0;
	struct reference_load load = {
		.requests = 1, .input = &input, .output = &output, .arrival_s = &arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.max_num_seqs = s.engine.max_num_batched_tokens = 4;
	reference_run(&s, &load, &r);
	near(r.request[0].ttft_s, 3); /* 4, 4, 2 */
	near(r.request[0].e2e_s, 4);
	near(r.pairs, 10 + 26 + 19);
	near(r.chunk_context, 4 + 8 + 10);
	near(r.decode_context, 11);
	assert_int_equal(r.rows, 2);
	assert_int_equal(r.tokens, 11);
	reference_result_free(&r);
}

/* the decoder takes one token of four, the prompt of six the other three, twice */
static void chunks_after_decoders(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 6}, output[] = {6, 1};
	const double arrival_s[] = {0, 0.5};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.max_num_seqs = s.engine.max_num_batched_tokens = 4;
	reference_run(&s, &load, &r);
	near(r.request[0].e2e_s, 6);
	near(r.request[1].last_s, 3);
	near(r.pairs, 1 + 6 + 15);
	near(r.decode_context, 2 + 3 + 4 + 5 + 6);
	reference_result_free(&r);
}

/* the second's prompt has a step of its own while the first rests; the gaps: 2, 1, 1 */
static void prefill_first(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {5, 4}, output[] = {3, 2};
	const double arrival_s[] = {0, 0.5};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.scheduler = REFERENCE_PREFILL_FIRST;
	reference_run(&s, &load, &r);
	near(r.request[0].last_s, 4);
	near(r.request[1].first_s, 2);
	near(r.request[1].last_s, 3);
	near(r.batch_integral, 5);
	near(r.kv_integral, 5 + 9 + 11 + 7);
	near(r.gap_s[0], 2);
	assert_int_equal(r.tokens, 5 + 4 + 2 + 1);
	reference_result_free(&r);
}

/* of 300 blocks three are kept: beside the first, which holds one, a prompt of 297 waits */
static void prefill_first_leaves_a_watermark(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 296, 297}, output[] = {1, 1, 2};
	const double arrival_s[] = {0, 0, 1};
	struct reference_load load = {
		.requests = 3, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.scheduler = REFERENCE_PREFILL_FIRST;
	s.engine.pool_blocks = 300;
	reference_run(&s, &load, &r);
	near(r.request[1].last_s, 1);
	reference_result_free(&r);
	s.engine.pool_blocks = 299;
	reference_run(&s, &load, &r); /* two are kept */
	near(r.request[1].last_s, 1);
	reference_result_free(&r);
	s.engine.pool_blocks = 298;
	reference_run(&s, &load, &r);
	near(r.request[1].last_s, 2);
	near(r.request[2].last_s, 4); /* alone it has the whole pool */
	reference_result_free(&r);
}

/* a budget of 8 beside a decoder: the second prompt of 5 waits for a step in which it is whole */
static void whole_prompts(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {5, 5, 9}, output[] = {4, 1, 1};
	const double arrival_s[] = {0, 0, 0};
	struct reference_load load = {
		.requests = 3, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.whole_prompts = true;
	s.engine.max_num_seqs = s.engine.max_num_batched_tokens = 8;
	reference_run(&s, &load, &r);
	near(r.request[0].last_s, 4);
	near(r.request[1].last_s, 2);
	assert_true(r.request[2].rejected);
	reference_result_free(&r);
}

/* Three fit the batch: prompts of 4 padded to 5, outputs 1, 2 and 4; the fourth waits to its end at
 * 4. Contexts 6, 7, 8 in all three slots; 15 + 18 + 21 + 24 cached, then 2. */
static void static_batch(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {5, 4, 5, 2}, output[] = {4, 1, 2, 1};
	const double arrival_s[] = {0, 0, 0, 0.5}, last_s[] = {4, 1, 2, 5};
	struct reference_load load = {
		.requests = 4, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.scheduler = REFERENCE_STATIC;
	s.engine.pool_blocks = 3 * (5 + 4 - 1);
	reference_run(&s, &load, &r);
	for (size_t i = 0; i < 4; i++)
		near(r.request[i].last_s, last_s[i]);
	near(r.request[3].queue_s, 3.5);
	assert_int_equal(r.steps, 5);
	assert_int_equal(r.tokens, 15 + 9 + 2);
	assert_int_equal(r.rows, 12 + 1);
	assert_int_equal(r.emitted, 8);
	assert_int_equal(r.blocks_max, 24);
	near(r.pairs, 3 * 15 + 3);
	near(r.decode_context, 3 * (6 + 7 + 8));
	near(r.batch_integral, 13);
	near(r.kv_integral, 15 + 18 + 21 + 24 + 2);
	assert_int_equal(r.gaps, 4);
	reference_result_free(&r);
}

/* Two blocks or tokens short: a batch of two, then the third with the fourth. */
static void static_batches_keep_to_pool_and_budget(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {5, 4, 5, 2}, output[] = {4, 1, 2, 1};
	const double arrival_s[] = {0, 0, 0, 0.5};
	struct reference_load load = {
		.requests = 4, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.scheduler = REFERENCE_STATIC;
	for (int k = 0; k < 2; k++) {
		s.engine.max_num_seqs = 14;
		s.engine.pool_blocks = k ? 23 : 1000;
		s.engine.max_num_batched_tokens = k ? 1000 : 14;
		reference_run(&s, &load, &r);
		near(r.request[0].last_s, 4);
		near(r.request[2].last_s, 6);
		near(r.request[3].last_s, 5);
		reference_result_free(&r);
	}
}

/* Waits 2 from the first one's visibility at 0.5, or until three are there; the fourth was visible
 * at 2.25 and waits to 4.25 although the batch ended at 3.25. */
static void static_batches_wait(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 1, 1, 1}, output[] = {1, 1, 1, 1};
	double arrival_s[] = {0, 1, 1.75, 1.75};
	struct reference_load load = {
		.requests = 4, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.scheduler = REFERENCE_STATIC;
	s.engine.frontend_s = 0.5;
	s.engine.max_delay_s = 2;
	s.engine.max_num_seqs = 3;
	reference_run(&s, &load, &r);
	near(r.request[0].last_s, 3.25);
	near(r.request[2].last_s, 3.25);
	near(r.request[3].last_s, 5.25);
	near(r.request[0].queue_s, 1.75);
	reference_result_free(&r);
	arrival_s[2] = arrival_s[3] = 10;
	reference_run(&s, &load, &r);
	near(r.request[1].last_s, 3.5);
	near(r.request[2].last_s, 13.5);
	reference_result_free(&r);
}

static void never_served(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {10, 4, 4, 4, 9}, output[] = {1, 20, 6, 5, 9};
	const double arrival_s[] = {0, 0, 0, 0, 100};
	struct reference_load load = {
		.requests = 5, .input = input, .output = output, .arrival_s = arrival_s};
	const bool truncated[] = {false, true, false, false, true};
	struct reference_result r;

	(void)state;
	s.engine.max_model_len = 10;
	s.engine.block_size = 4;
	s.engine.pool_blocks = 2; /* 4 + 5 - 1 tokens fit, 4 + 6 - 1 do not */
	reference_run(&s, &load, &r);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(r.request[i].truncated, truncated[i]);
	assert_int_equal(r.truncated, 2);
	assert_int_equal(r.rejected, 4);
	assert_int_equal(r.completed, 1);
	assert_false(r.request[3].rejected);
	near(r.request[3].e2e_s, 5);
	reference_result_free(&r);
	s.engine.pool_blocks = 3;
	reference_run(&s, &load, &r);
	assert_int_equal(r.rejected, 1);
	assert_int_equal(r.request[1].output, 6);
	near(r.request[4].e2e_s, 1);
	assert_int_equal(r.rows, 6 + 6 + 5 + 1);
	reference_result_free(&r);
}

/* one slot, two clients who think half a second; the third issue is rejected and brings a fourth */
static void closed_loop(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 1, 5000, 1, 1}, output[] = {1, 1, 1, 1, 1};
	struct reference_load load = {
		.requests = 5, .input = input, .output = output, .concurrency = 2, .think_s = 0.5};
	const double arrival_s[] = {0, 0, 1.5, 2, 2.5}, end_s[] = {1, 2, 0, 3, 4};
	struct reference_result r;

	(void)state;
	s.engine.max_num_seqs = 1;
	reference_run(&s, &load, &r);
	for (size_t i = 0; i < 5; i++) {
		near(r.request[i].arrival_s, arrival_s[i]);
		near(r.request[i].last_s, end_s[i]);
	}
	assert_true(r.request[2].rejected);
	near(r.queue_integral, 1 + 0 + 0.5);
	near(r.busy_s, 4);
	reference_result_free(&r);
}

static void goes_to(enum reference_router router, const int *want)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 1, 1, 1, 1}, output[] = {9, 2, 2, 9, 1};
	const double arrival_s[] = {0, 0.25, 0.5, 5, 5.5};
	const int choice[][2] = {{2, 0}, {2, 0}, {2, 1}, {1, 2}, {0, 1}};
	struct reference_load load = {.requests = 5,
				      .input = input,
				      .output = output,
				      .arrival_s = arrival_s,
				      .choice = choice};
	struct reference_result r;

	s.replicas = 3;
	s.router = router;
	reference_run(&s, &load, &r);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(r.request[i].replica, want[i]);
	reference_result_free(&r);
}

static void routers(void **state)
{
	(void)state;
	goes_to(REFERENCE_ROUND_ROBIN, (const int[]){0, 1, 2, 0, 1});
	goes_to(REFERENCE_CHOSEN, (const int[]){2, 2, 2, 1, 0});
	/* at 5 the second and third have ended */
	goes_to(REFERENCE_LEAST_LOADED, (const int[]){0, 1, 2, 1, 2});
	/* equal loads: the lower index */
	goes_to(REFERENCE_POWER_OF_TWO, (const int[]){0, 2, 1, 1, 0});
}

/* the front end counts as load */
static void load_includes_the_front_end(void **state)
{
	struct reference_setup s = second_steps();
	const int64_t input[] = {1, 1}, output[] = {1, 1};
	const double arrival_s[] = {0, 1};
	struct reference_load load = {
		.requests = 2, .input = input, .output = output, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	s.engine.frontend_s = 3;
	s.replicas = 2;
	s.router = REFERENCE_LEAST_LOADED;
	reference_run(&s, &load, &r);
	assert_int_equal(r.request[1].replica, 1);
	near(r.request[1].ttft_s, 4);
	near(r.request[1].queue_s, 0);
	reference_result_free(&r);
}

/* small numbers: P_attn = 48, P_mlp = 96, head 40; rates 500, 400, 200 FLOP/s, 50 and 40 bytes/s */
static struct reference_setup small_model(void)
{
	struct reference_setup s = second_steps();

	s.model = (struct reference_model){.layers = 2,
					   .hidden = 4,
					   .heads = 2,
					   .kv_heads = 1,
					   .head_dim = 2,
					   .ffn = 8,
					   .vocab = 10,
					   .gated = true,
					   .linear_bytes = 1,
					   .wide_bytes = 2,
					   .kv_bytes = 2};
	s.gpu = (struct reference_gpu){.linear_flops = 1000,
				       .linear_mfu = 0.5,
				       .flops16 = 800,
				       .mfu16 = 0.5,
				       .bandwidth = 100,
				       .mbu = 0.5,
				       .amfu = 0.25,
				       .ambu = 0.4,
				       .p = 2,
				       .expert_share = 0.5,
				       .tp = 1,
				       .busbw = 48,
				       .lat_s = 0.01};
	s.engine.layer_s = 0.1;
	s.engine.step_s = 0.3;
	s.engine.request_s = 0.05;
	s.engine.sample_bytes = 5;
	return s;
}

/* a chunk of 2 after 1 cached, and a decoder at context 4 */
static const struct reference_step small_step = {.tokens = 3,
						 .rows = 1,
						 .sequences = 2,
						 .pairs = 5,
						 .chunk_context = 3,
						 .decode_context = 4};

static void price_of_a_dense_step(void **state)
{
	struct reference_setup s = small_model();
	double linears = 2 * sqrt(1.728 * 1.728 + 2.88 * 2.88); /* 864 / 500, 144 / 50 */
	double attention = 2 * (0.6 + 0.8);			/* 24 / 40, 32 / 40: bytes bind */
	double head = sqrt(0.2 * 0.2 + 1.6 * 1.6);		/* 80 / 400, 80 / 50 */
	double device = linears + attention + head + 2 * 0.1 + 0.5, flops, bytes;

	(void)state;
	near(reference_device_s(&s, &small_step), device);
	near(reference_step_s(&s, &small_step), device + 0.3 + 2 * 0.05);
	s.engine.launch_s = 10;
	s.engine.host_seq_s = 0.25;
	near(reference_step_s(&s, &small_step), 20.5 + 0.3 + 2 * 0.05);
	reference_work(&s, &small_step, &flops, &bytes);
	near(flops, 2 * 3 * 288 + 2 * 40 + 2 * 16 * 9);
	near(bytes, 288 + 80 + 2 * 8 * 7);
	s.gpu.amfu = 0.05; /* 80 / 40, 64 / 40: FLOPs bind */
	near(reference_device_s(&s, &small_step), device - attention + 2 * (2 + 1.6));
	s.model.gated = false; /* P = 48 + 64 */
	near(reference_device_s(&s, &small_step),
	     device - attention + 2 * (2 + 1.6) - linears + 2 * hypot(672 / 500.0, 112 / 50.0));
}

static void price_with_tensor_parallelism(void **state)
{
	struct reference_setup s = small_model();
	double linears = sqrt(1.728 * 1.728 + 2.88 * 2.88);
	double attention = 2 * (0.6 + 0.8); /* one KV head: on both GPUs */
	double head = sqrt(0.1 * 0.1 + 0.8 * 0.8);
	double collectives = 5 * (0.01 + 24.0 / 48) + 0.01 + 20 * 0.5 / 48, flops, bytes;

	(void)state;
	s.gpu.tp = 2;
	near(reference_device_s(&s, &small_step),
	     linears + attention + head + collectives + 2 * 0.1 + 0.5);
	reference_work(&s, &small_step, &flops, &bytes);
	near(flops, (2 * 3 * 288 + 2 * 40 + 2 * 16 * 9) / 2.0);
	near(bytes, (288 + 80) / 2.0 + 2 * 8 * 7);
	s.gpu.tp = 4; /* the factor 2(tp-1)/tp is 1 at 2 alone */
	near(reference_device_s(&s, &small_step), linears / 2 + attention + head / 2 +
							  5 * (0.01 + 1.5 * 24 / 48) + 0.01 +
							  20 * 0.75 / 48 + 2 * 0.1 + 0.5);
}

/* one dense layer; in the other 4 experts of 60 weights, one chosen, one shared: 2.3125 + 1 read */
static void price_of_experts(void **state)
{
	struct reference_setup s = small_model();
	double dense = hypot(1.728, 2.88), projections = hypot(0.576, 0.96);
	double experts = 3.6 + 60 * 3.3125 / 50, flops, bytes; /* 720 / (400 * 0.5) */

	(void)state;
	s.model.experts = 4;
	s.model.chosen = s.model.shared_experts = s.model.first_dense = 1;
	s.model.moe_ffn = 5;
	near(reference_device_s(&s, &small_step),
	     dense + projections + experts + 2 * (0.6 + 0.8) + hypot(0.2, 1.6) + 2 * 0.1 + 0.5);
	reference_work(&s, &small_step, &flops, &bytes);
	near(flops, 2 * 3 * (144 + 48 + 120) + 2 * 40 + 2 * 16 * 9);
	near(bytes, 144 + 48 + 60 * 3.3125 + 80 + 2 * 8 * 7);
}

/* one slot, one token in, one out, one second: the mean wait is rho / (2 (1 - rho)) */
static void waits_of_m_d_1(void **state)
{
	enum { N = 200000 };
	struct reference_setup s = second_steps();
	int64_t *one = malloc(N * sizeof(*one));
	double *arrival_s = malloc(N * sizeof(*arrival_s)), t = 0, rho = 0.7, wait_s = 0;
	unsigned short seed[3] = {1, 2, 3};
	struct reference_load load = {
		.requests = N, .input = one, .output = one, .arrival_s = arrival_s};
	struct reference_result r;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		one[i] = 1;
		arrival_s[i] = t -= log(1 - erand48(seed)) / rho;
	}
	s.engine.max_num_seqs = 1;
	reference_run(&s, &load, &r);
	for (size_t i = 0; i < N; i++)
		wait_s += r.request[i].queue_s / N;
	print_message("M/D/1 mean wait %.4f s, theory %.4f s\n", wait_s, rho / 2 / (1 - rho));
	assert_true(fabs(wait_s / (rho / 2 / (1 - rho)) - 1) < 0.03);
	near(r.queue_integral / N, wait_s);
	near(r.busy_s, N);
	reference_result_free(&r);
	free(one);
	free(arrival_s);
}

static void check_request(const struct random_scenario *c, const struct reference_result *r,
			  size_t i)
{
	const struct reference_request *q = &r->request[i];

	if (q->rejected)
		return;
	assert_true(q->output >= 1 && q->output <= c->output[i]);
	assert_true(q->truncated == (q->output < c->output[i]));
	assert_true(q->queue_s >= 0 && q->ttft_s > q->queue_s && q->e2e_s >= q->ttft_s);
	assert_true((q->e2e_s > q->ttft_s) == (q->output > 1));
}

/* what must hold of any run: nothing lost, sums that agree with each other */
static void check_conservation(const struct random_scenario *c, const struct reference_result *r)
{
	int64_t emitted = 0, written = 0, preemptions = 0;
	double queue_s = 0;

	for (size_t i = 0; i < r->requests; i++) {
		const struct reference_request *q = &r->request[i];

		check_request(c, r, i);
		preemptions += q->preemptions;
		queue_s += q->queue_s;
		emitted += q->rejected ? 0 : q->output;
		written += q->rejected ? 0 : c->input[i] + q->output - 1;
	}
	assert_int_equal(r->completed + r->rejected, r->requests);
	assert_int_equal(r->emitted, emitted);
	assert_true(r->rows == emitted);
	assert_int_equal(r->gaps, r->emitted - r->completed);
	assert_int_equal(r->preemptions, preemptions);
	assert_true(r->blocks_max <= c->setup.engine.pool_blocks ||
		    (c->setup.others && r->blocks_max <= c->other.engine.pool_blocks));
	if (!preemptions) {
		assert_int_equal(r->tokens, written);
		assert_true(fabs(r->queue_integral - queue_s) <= 1e-6 * queue_s);
	} else {
		assert_true(r->tokens > written && r->queue_integral > queue_s);
	}
}

struct tally {
	int ones, tight, block1, single, no_frontend, launch, preempted, rejected, truncated, moe;
	int first_chunk, closed, close_calls, replicas[5], tp[5], ahead;
	int router[REFERENCE_LENGTH_AWARE + 1];
};

static void count_corners(struct tally *t, const struct random_scenario *c,
			  const struct reference_result *r)
{
	const struct reference_engine *e = &c->setup.engine;
	bool one = false;

	for (size_t i = 0; i < r->requests; i++)
		one = one || c->input[i] == 1;
	t->ones += one;
	t->tight += e->max_num_batched_tokens == e->max_num_seqs;
	t->block1 += e->block_size == 1;
	t->single += e->max_num_seqs == 1;
	t->no_frontend += e->frontend_s == 0;
	t->launch += e->launch_s > 0;
	t->preempted += r->preemptions > 0;
	t->rejected += r->rejected > 0;
	t->truncated += r->truncated > 0;
	t->moe += c->setup.model.experts > 0;
	t->first_chunk += e->admission == REFERENCE_FIRST_CHUNK;
	t->closed += !c->load.arrival_s;
	t->close_calls += r->margin_s < 1e-8;
	t->ahead += e->schedule_ahead;
	t->replicas[c->setup.replicas]++;
	t->router[c->setup.router]++;
	t->tp[c->setup.gpu.tp]++;
}

static void random_scenarios_conserve_and_hold_the_corners(void **state)
{
	struct tally t = {0};

	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct random_scenario c;
		struct reference_result r;

		random_scenario_init(&c, seed, false);
		reference_run(&c.setup, &c.load, &r);
		check_conservation(&c, &r);
		count_corners(&t, &c, &r);
		reference_result_free(&r);
		random_scenario_free(&c);
	}
	/* a twentieth of the scenarios at least, many in combination */
	assert_true(t.ones > 15 && t.tight > 15 && t.block1 > 15 && t.single > 15);
	assert_true(t.no_frontend > 15 && t.launch > 15 && t.preempted > 15 && t.rejected > 15);
	assert_true(t.truncated > 15 && t.moe > 15 && t.first_chunk > 15 && t.closed > 15);
	assert_true(t.ahead > 15 && t.ahead < 285 && t.first_chunk < 285);
	for (int k = 1; k <= 4; k++)
		assert_true(t.replicas[k] > 15);
	/* the last two stand before mixed fleets only */
	for (int k = 0; k <= REFERENCE_LENGTH_AWARE; k++)
		assert_true(t.router[k] > (k <= REFERENCE_POWER_OF_TWO ? 15 : 5));
	assert_true(t.tp[1] > 15 && t.tp[2] > 15 && t.tp[4] > 15);
	assert_true(t.close_calls < 45); /* the rest can be compared with another arithmetic */
}

/* ties are exact in doubles too: steps of 2^-7 s on three replicas end together */
static void scenarios_with_ties(void **state)
{
	int exact_closed = 0, grouped = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct random_scenario c;
		struct reference_result r;
		bool closed, exact;

		random_scenario_init(&c, seed, true);
		closed = !c.load.arrival_s;
		exact = c.setup.engine.step_s == 0.0078125;
		reference_run(&c.setup, &c.load, &r);
		check_conservation(&c, &r);
		exact_closed += exact && closed;
		grouped += !closed && c.arrival_s[0] == c.arrival_s[1];
		if (exact && !c.setup.others)
			assert_true(r.busy_s == 0.0078125 * (double)r.steps);
		assert_true(!exact || r.margin_s >= 0.0078125);
		reference_result_free(&r);
		random_scenario_free(&c);
	}
	assert_true(exact_closed > 10 && grouped > 10);
}

static void a_scenario_is_its_seed(void **state)
{
	struct random_scenario a, b;

	(void)state;
	random_scenario_init(&a, 7, false);
	random_scenario_init(&b, 7, false);
	assert_int_equal(a.load.requests, b.load.requests);
	assert_memory_equal(a.input, b.input, a.load.requests * sizeof(*a.input));
	assert_memory_equal(a.arrival_s, b.arrival_s, a.load.requests * sizeof(*a.arrival_s));
	random_scenario_free(&b);
	random_scenario_init(&b, 8, false);
	assert_memory_not_equal(a.input, b.input, 200 * sizeof(*a.input));
	random_scenario_free(&a);
	random_scenario_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_request_alone),
		cmocka_unit_test(two_requests_overlap),
		cmocka_unit_test(schedule_ahead_shows_it_one_round_later),
		cmocka_unit_test(schedule_ahead_on_an_idle_replica),
		cmocka_unit_test(preemption),
		cmocka_unit_test(victims_keep_their_order),
		cmocka_unit_test(both_admission_rules),
		cmocka_unit_test(whole_requests),
		cmocka_unit_test(chunked_prompt),
		cmocka_unit_test(chunks_after_decoders),
		cmocka_unit_test(prefill_first),
		cmocka_unit_test(prefill_first_leaves_a_watermark),
		cmocka_unit_test(whole_prompts),
		cmocka_unit_test(static_batch),
		cmocka_unit_test(static_batches_keep_to_pool_and_budget),
		cmocka_unit_test(static_batches_wait),
		cmocka_unit_test(never_served),
		cmocka_unit_test(closed_loop),
		cmocka_unit_test(routers),
		cmocka_unit_test(load_includes_the_front_end),
		cmocka_unit_test(price_of_a_dense_step),
		cmocka_unit_test(price_with_tensor_parallelism),
		cmocka_unit_test(price_of_experts),
		cmocka_unit_test(waits_of_m_d_1),
		cmocka_unit_test(random_scenarios_conserve_and_hold_the_corners),
		cmocka_unit_test(scenarios_with_ties),
		cmocka_unit_test(a_scenario_is_its_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
