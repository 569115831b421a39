/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worked by hand in steps of one UNIT, leaping and stepping. */
#include "fleet.h"

/* 5 in, 3 out: one step of 5 tokens, two of one; contexts 6 and 7. */
static void one_request_alone(void **state)
{
	(void)state;
	const struct request r[] = {{.arrival = 0, .input_tokens = 5, .output_tokens = 3}};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.ttft[0], UNIT);
		assert_int_equal(t.queue[0], 0);
		assert_int_equal(t.tpot[0], UNIT);
		assert_int_equal(t.e2e[0], 3 * UNIT);
		assert_int_equal(t.finish[0], 3 * UNIT);
		assert_int_equal(t.end, 3 * UNIT);
		struct tally_slice s = fleet_requests(&t);
		struct tally_steps w = fleet_steps(&t, 0);
		assert_int_equal(w.rounds, 3);
		assert_int_equal(s.emitted, 3);
		assert_int_equal(w.busy, 3 * UNIT);
		assert_int_equal(w.work.of[PER_STEP], 3);
		assert_int_equal(w.work.of[PER_TOKEN], 7);
		assert_int_equal(w.work.of[PER_ROW], 3);
		assert_int_equal(w.work.of[PER_SEQUENCE], 3);
		assert_int_equal(w.work.of[PER_PAIR], 15);
		assert_int_equal(w.work.of[PER_CHUNK_CONTEXT], 5);
		assert_int_equal(w.work.of[PER_CONTEXT], 13);
		assert_true(w.batch_time == 3 * UNIT);
		assert_true(w.kv_time == (5 + 6 + 7) * UNIT);
		assert_true(s.queue_time == 0);
		assert_int_equal(w.kv_blocks_max, 2);
		assert_int_equal(w.prefill_busy, UNIT);
		assert_int_equal(w.prefill_context, 0);
		assert_int_equal(t.pool->prefills_by_rows[tally_counter(t.pool, 0, 1)], 1);
		assert_int_equal(t.pool->decodes_by_rows[tally_counter(t.pool, 0, 1)], 2);
		assert_int_equal(t.slice[0].itl.total, 2);
		assert_int_equal(t.slice[0].itl.min, UNIT);
		/* arrival, end of the prefill, end of the leap; a start needs no wake but the first
		 */
		assert_int_equal(t.events, stride_ == 1 ? 5 : 4);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* B arrives at 1.5 while A decodes its second of three tokens in [1, 2]. */
static const struct request overlapping[] = {
	{.arrival = 0, .input_tokens = 5, .output_tokens = 3},
	{.arrival = 3 * UNIT / 2, .input_tokens = 4, .output_tokens = 2},
};

static void a_second_one_joins_at_the_next_step(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, overlapping, 2);
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.queue[1], UNIT / 2);
		assert_int_equal(t.ttft[1], 3 * UNIT / 2);
		assert_int_equal(t.e2e[1], 5 * UNIT / 2);
		assert_int_equal(t.e2e[0], 3 * UNIT);
		assert_int_equal(fleet_steps(&t, 0).rounds, 4);
		/* of the steps at 0 and 2, with A's 7 tokens in the second */
		assert_int_equal(fleet_steps(&t, 0).prefill_busy, 2 * UNIT);
		assert_int_equal(fleet_steps(&t, 0).prefill_context, 7);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* The step at 2 was composed at 1; at 3 A has left, and an idle replica takes what is there. */
static void composed_ahead_it_joins_a_step_later(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, overlapping, 2);
	f.setup.pool[0].replica.schedule_ahead = 1;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.queue[1], 3 * UNIT / 2);
		assert_int_equal(t.ttft[1], 5 * UNIT / 2);
		assert_int_equal(t.e2e[1], 7 * UNIT / 2);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* A front end of half a unit: visible at 2 exactly, when a step starts. Not part of the queue's
 * wait. */
static void the_front_end_delays(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, overlapping, 2);
	f.cost.frontend_s = 0x1p-8;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.ttft[0],
				 3 * UNIT / 2);		/* starts at 0.5: steps end at 1.5, 2.5 */
		assert_int_equal(t.queue[1], UNIT / 2); /* visible at 2, joins at 2.5 */
		assert_int_equal(t.ttft[1], 2 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/*
 * Two of 4 in, 5 out, three blocks of 4. At 1 both stand on a block's edge and one block is free:
 * B, the last, is preempted. A runs alone to 5, while B's 5 known tokens (2 blocks) do not fit
 * beside it; from 5 B recomputes, emits its second token at 6 and ends at 9.
 */
static void the_last_is_preempted_and_recomputed(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 4, .output_tokens = 5},
		{.arrival = 0, .input_tokens = 4, .output_tokens = 5},
	};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.pool_blocks = 3;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		struct tally_slice s = fleet_requests(&t);
		struct tally_steps w = fleet_steps(&t, 0);
		assert_int_equal(t.e2e[0], 5 * UNIT);
		assert_int_equal(t.ttft[1], UNIT);
		assert_int_equal(t.e2e[1], 9 * UNIT);
		assert_int_equal(t.tpot[1], 2 * UNIT);
		assert_int_equal(s.preemptions, 1);
		assert_int_equal(w.blocked, 4 * UNIT);
		assert_true(s.queue_time == 4 * UNIT);
		assert_int_equal(w.kv_blocks_max, 2);
		assert_int_equal(w.work.of[PER_TOKEN], 8 + 4 + 5 + 3);
		assert_int_equal(t.slice[10].itl.total, 8);
		assert_int_equal(t.slice[10].itl.max, 5 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/*
 * Four blocks of 4. A, 4 in and 5 out, holds one and takes a second at 1, when B, 12 in, arrives.
 * Its whole prompt asks for three, and waits until A has left at 5. Its first chunk of 4 (a budget
 * of 5 less A's token) asks for one: chunks at 1 and 2; at 3 no block is left for the third, B is
 * preempted; at 4 it joins again with 4 tokens, at 5 without A 5 more, at 6 the last 3.
 */
static const struct request crowded[] = {
	{.arrival = 0, .input_tokens = 4, .output_tokens = 5},
	{.arrival = UNIT, .input_tokens = 12, .output_tokens = 1},
};

static void admission_by_the_whole_sequence(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, crowded, LENGTH(crowded));
	f.setup.pool[0].replica.pool_blocks = 4;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.queue[1], 4 * UNIT);
		assert_int_equal(t.finish[1], 6 * UNIT);
		assert_int_equal(fleet_requests(&t).preemptions, 0);
		assert_int_equal(fleet_steps(&t, 0).blocked, 4 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

static void admission_by_the_first_chunk(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, crowded, LENGTH(crowded));
	f.setup.pool[0].replica.pool_blocks = 4;
	f.setup.pool[0].replica.admission = ADMIT_FIRST_CHUNK;
	f.setup.pool[0].replica.max_num_seqs = f.setup.pool[0].replica.max_num_batched_tokens = 5;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.queue[1], 0);
		assert_int_equal(t.finish[1], 7 * UNIT);
		assert_int_equal(fleet_requests(&t).preemptions, 1);
		assert_int_equal(fleet_steps(&t, 0).kv_blocks_max, 4);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* B holds the three blocks of its 12 tokens from its first chunk of 4 to its end; A's 8 tokens have
 * two, so of four B has to wait for A, of five not. */
static void admission_by_the_whole_request(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	fleet_init(&f, crowded, LENGTH(crowded));
	f.setup.pool[0].replica.admission = ADMIT_WHOLE_REQUEST;
	f.setup.pool[0].replica.max_num_seqs = f.setup.pool[0].replica.max_num_batched_tokens = 5;
	for (int64_t blocks = 4; blocks <= 5; blocks++) {
		f.setup.pool[0].replica.pool_blocks = blocks;
		BOTH_STRIDES(f)
		{
			fleet_run(&f, &t);
			assert_int_equal(t.queue[1], blocks == 4 ? 4 * UNIT : 0);
			assert_int_equal(t.finish[0], 5 * UNIT);
			assert_int_equal(t.finish[1], blocks == 4 ? 8 * UNIT : 4 * UNIT);
			assert_int_equal(fleet_requests(&t).preemptions, 0);
			assert_int_equal(fleet_steps(&t, 0).kv_blocks_max, blocks == 4 ? 3 : 5);
			tally_free(&t);
		}
	}
	fleet_free(&f);
}

/* 10 in under a budget of 4: chunks of 4, 4 and 2; pairs are those of the whole prompt, 55. */
static void a_prompt_in_chunks(void **state)
{
	(void)state;
	const struct request r[] = {{.arrival = 0, .input_tokens = 10, .output_tokens = 1}};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_num_seqs = f.setup.pool[0].replica.max_num_batched_tokens = 4;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		struct tally_steps w = fleet_steps(&t, 0);
		assert_int_equal(t.ttft[0], 3 * UNIT);
		assert_int_equal(t.e2e[0], 3 * UNIT);
		assert_int_equal(t.tpot[0], -1);
		assert_int_equal(w.work.of[PER_PAIR], 55);
		assert_int_equal(w.work.of[PER_CHUNK_CONTEXT], 4 + 8 + 10);
		assert_int_equal(w.work.of[PER_ROW], 1);
		assert_true(w.kv_time == (4 + 8 + 10) * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* Budget 8: the second prompt of 5 has 3 left in the first step, 7 in the second. */
static void without_chunks_whole_prompts_only(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 5, .output_tokens = 4},
		{.arrival = 0, .input_tokens = 5, .output_tokens = 1},
		{.arrival = 0, .input_tokens = 9, .output_tokens = 1}, /* never fits a step */
	};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.chunked_prefill = false;
	f.setup.pool[0].replica.max_num_seqs = f.setup.pool[0].replica.max_num_batched_tokens = 8;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.ttft[0], UNIT);
		assert_int_equal(t.ttft[1], 2 * UNIT);
		assert_int_equal(t.ttft[2], -1);
		assert_int_equal(fleet_requests(&t).rejected, 1);
		tally_free(&t);
	}
	fleet_free(&f);
}

static void what_cannot_be_served_is_rejected_or_cut(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0,
		 .input_tokens = 10,
		 .output_tokens = 1}, /* prompt fills the context */
		{.arrival = 0, .input_tokens = 8, .output_tokens = 5}, /* cut to 2 */
		{.arrival = 0, .input_tokens = 9, .output_tokens = 1}, /* 9 tokens: 3 blocks */
		{.arrival = 0, .input_tokens = 9, .output_tokens = 2}, /* cut to 1 */
		{.arrival = 0, .input_tokens = 1, .output_tokens = 1},
	};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_model_len = 10;
	f.setup.pool[0].replica.pool_blocks = 3;
	fleet_run(&f, &t);
	struct tally_slice s = fleet_requests(&t);
	assert_int_equal(s.rejected, 1);
	assert_int_equal(s.truncated, 2);
	assert_int_equal(s.completed, 4);
	assert_int_equal(s.met_slo, 2); /* without limits: all but the rejected and the cut */
	assert_int_equal(t.e2e[0], -1);
	assert_int_equal(t.finish[0], -1);
	tally_free(&t);
	f.setup.pool[0].replica.pool_blocks = 2; /* all but the last need three */
	fleet_run(&f, &t);
	s = fleet_requests(&t);
	assert_int_equal(s.rejected, 4);
	assert_int_equal(s.truncated, 2);
	tally_free(&t);
	fleet_free(&f);
}

/* Three of 2 in, 2 out on one slot: one after the other, in order of arrival. */
static void slots_are_few(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 2, .output_tokens = 2},
		{.arrival = 1, .input_tokens = 2, .output_tokens = 2},
		{.arrival = 2, .input_tokens = 2, .output_tokens = 2},
	};
	struct fleet f;
	struct tally t;
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_num_seqs = 1;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		for (int i = 0; i < 3; i++)
			assert_int_equal(t.finish[i], (i + 1) * 2 * UNIT);
		assert_int_equal(fleet_steps(&t, 0).blocked, 0); /* a slot is no block */
		tally_free(&t);
	}
	fleet_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_request_alone),
		cmocka_unit_test(a_second_one_joins_at_the_next_step),
		cmocka_unit_test(composed_ahead_it_joins_a_step_later),
		cmocka_unit_test(the_front_end_delays),
		cmocka_unit_test(the_last_is_preempted_and_recomputed),
		cmocka_unit_test(admission_by_the_whole_sequence),
		cmocka_unit_test(admission_by_the_first_chunk),
		cmocka_unit_test(admission_by_the_whole_request),
		cmocka_unit_test(a_prompt_in_chunks),
		cmocka_unit_test(without_chunks_whole_prompts_only),
		cmocka_unit_test(what_cannot_be_served_is_rejected_or_cut),
		cmocka_unit_test(slots_are_few),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
