/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worked by hand in steps of one UNIT, leaping and stepping. */
#include "fleet.h"

static void init(struct fleet *f, const struct request *r, int64_t n)
{
	fleet_init(f, r, n);
	fleet_fill(f, &discipline_prefill_first);
}

/*
 * A: 5 in, 3 out. B, 4 in and 2 out, comes in A's prefill and has the next step alone: A rests.
 * Both decode in [2, 3], A alone in [3, 4]. Gaps: A 2 and 1, B 1. KV: 5, 5 + 4, 6 + 5, 7.
 */
static void others_rest_while_a_head_is_prefilled(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 5, .output_tokens = 3},
		{.arrival = UNIT / 2, .input_tokens = 4, .output_tokens = 2},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		struct tally_steps w = fleet_steps(&t, 0);
		assert_int_equal(t.ttft[0], UNIT);
		assert_int_equal(t.ttft[1], 3 * UNIT / 2);
		assert_int_equal(t.queue[1], UNIT / 2);
		assert_int_equal(t.finish[1], 3 * UNIT);
		assert_int_equal(t.finish[0], 4 * UNIT);
		assert_int_equal(t.tpot[0], 3 * UNIT / 2);
		assert_int_equal(w.rounds, 4);
		assert_int_equal(w.work.of[PER_TOKEN], 5 + 4 + 2 + 1);
		assert_int_equal(w.work.of[PER_SEQUENCE], 1 + 1 + 2 + 1);
		assert_int_equal(w.work.of[PER_CONTEXT], 6 + 5 + 7);
		assert_true(w.batch_time == 5 * UNIT);
		assert_true(w.kv_time == (5 + 9 + 11 + 7) * UNIT);
		assert_int_equal(w.prefill_busy, 2 * UNIT);
		assert_int_equal(fleet_requests(&t).emitted, 5);
		assert_int_equal(t.slice[10].itl.total, 3);
		assert_int_equal(t.slice[10].itl.max, 2 * UNIT);
		assert_true(t.slice[10].itl.sum == 4 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* Two prompts of 5 and one of 3 in a budget of 8: the second and the third share a step, and only
 * then the first decodes. */
static void whole_prompts_fill_the_budget(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 5, .output_tokens = 2},
		{.arrival = 0, .input_tokens = 5, .output_tokens = 1},
		{.arrival = 0, .input_tokens = 3, .output_tokens = 2},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_num_seqs = f.setup.pool[0].replica.max_num_batched_tokens = 8;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.ttft[0], UNIT);
		assert_int_equal(t.ttft[1], 2 * UNIT);
		assert_int_equal(t.ttft[2], 2 * UNIT);
		assert_int_equal(t.finish[0], 3 * UNIT);
		assert_int_equal(t.finish[2], 3 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* Of 100 blocks of 4 one is kept free. Beside A, which holds one until 5, a prompt of 98 blocks has
 * room, of 99 not; alone it has the whole pool. */
static void heads_leave_a_block_in_a_hundred(void **state)
{
	(void)state;
	struct request r[] = {
		{.arrival = 0, .input_tokens = 4, .output_tokens = 5},
		{.arrival = UNIT / 2, .input_tokens = 4 * 98, .output_tokens = 1},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.pool_blocks = 100;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.finish[1], 2 * UNIT);
		assert_int_equal(t.finish[0], 6 * UNIT);
		tally_free(&t);
	}
	r[1].input_tokens = 4 * 100;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.finish[0], 5 * UNIT);
		assert_int_equal(t.finish[1], 6 * UNIT);
		assert_int_equal(fleet_steps(&t, 0).blocked, 4 * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/*
 * Three blocks of 4. A, 4 in and 6 out, B, 3 in and 4 out, come together; C, 1 in and 1 out, rests
 * both in [1, 2]. At 2 A needs a second block (one is free) and B none. At 3 B needs one: it is
 * preempted, its 5 known tokens wait until A has left at 7, and make its last two tokens at 8, 9.
 * B's gaps: 2, 5, 1.
 */
static void the_last_is_preempted_after_a_rest(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 4, .output_tokens = 6},
		{.arrival = 0, .input_tokens = 3, .output_tokens = 4},
		{.arrival = UNIT / 2, .input_tokens = 1, .output_tokens = 1},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.pool_blocks = 3;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.finish[2], 2 * UNIT);
		assert_int_equal(t.finish[0], 7 * UNIT);
		assert_int_equal(t.finish[1], 9 * UNIT);
		assert_int_equal(fleet_requests(&t).preemptions, 1);
		assert_int_equal(t.slice[10].itl.total, 5 + 3);
		assert_int_equal(t.slice[10].itl.max, 5 * UNIT);
		assert_true(t.slice[10].itl.sum == (6 + 8) * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* The rest ends with the step in which B is preempted: its gap began before the rest. */
static void a_gap_holds_rest_and_preemption(void **state)
{
	(void)state;
	const struct request r[] = {
		{.arrival = 0, .input_tokens = 4, .output_tokens = 6},
		{.arrival = 0, .input_tokens = 4, .output_tokens = 4},
		{.arrival = UNIT / 2, .input_tokens = 1, .output_tokens = 1},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.pool_blocks = 3;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		/* its 5 tokens wait for A to leave at 7; from 1 to 8 it has none */
		assert_int_equal(t.finish[0], 7 * UNIT);
		assert_int_equal(t.finish[1], 10 * UNIT);
		assert_int_equal(t.slice[10].itl.max, 7 * UNIT);
		assert_true(t.slice[10].itl.sum == (6 + 9) * UNIT);
		tally_free(&t);
	}
	fleet_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_rest_while_a_head_is_prefilled),
		cmocka_unit_test(whole_prompts_fill_the_budget),
		cmocka_unit_test(heads_leave_a_block_in_a_hundred),
		cmocka_unit_test(the_last_is_preempted_after_a_rest),
		cmocka_unit_test(a_gap_holds_rest_and_preemption),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
