/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worked by hand in steps of one UNIT, leaping and stepping. */
#include "fleet.h"

/* Outputs 4, 1 and 2 behind prompts of 5, 4 and 5; a fourth comes at a half. */
static const struct request four[] = {
	{.arrival = 0, .input_tokens = 5, .output_tokens = 4},
	{.arrival = 0, .input_tokens = 4, .output_tokens = 1},
	{.arrival = 0, .input_tokens = 5, .output_tokens = 2},
	{.arrival = UNIT / 2, .input_tokens = 2, .output_tokens = 1},
};

static void init(struct fleet *f, const struct request *r, int64_t n)
{
	fleet_init(f, r, n);
	fleet_fill(f, &discipline_static);
}

/*
 * The first three: 15 tokens, then three of one a step at contexts 6, 7, 8, of 2 blocks each. The
 * fourth waits from a half to 4.
 */
static void slots_are_padded_to_the_longest(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	init(&f, four, LENGTH(four));
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		struct tally_steps w = fleet_steps(&t, 0);
		assert_int_equal(t.finish[0], 4 * UNIT);
		assert_int_equal(t.finish[1], UNIT);
		assert_int_equal(t.finish[2], 2 * UNIT);
		assert_int_equal(t.finish[3], 5 * UNIT);
		assert_int_equal(t.queue[3], 7 * UNIT / 2);
		assert_int_equal(w.rounds, 5);
		assert_int_equal(w.work.of[PER_TOKEN], 15 + 9 + 2);
		assert_int_equal(w.work.of[PER_ROW], 12 + 1);
		assert_int_equal(w.work.of[PER_PAIR], 3 * 15 + 3);
		assert_int_equal(w.work.of[PER_CONTEXT], 3 * (6 + 7 + 8));
		assert_true(w.batch_time == 13 * UNIT);
		assert_true(w.kv_time == (15 + 18 + 21 + 24 + 2) * UNIT);
		assert_int_equal(w.kv_blocks_max, 6);
		assert_int_equal(fleet_requests(&t).emitted, 8);
		assert_int_equal(t.slice[10].itl.total, 4);
		tally_free(&t);
	}
	fleet_free(&f);
}

/* Five blocks hold two of 8 tokens, 14 tokens two padded prompts: the third goes with the fourth.
 */
static void pool_and_budget_bound_the_batch(void **state)
{
	(void)state;
	struct fleet f;
	struct tally t;
	init(&f, four, LENGTH(four));
	for (int by_pool = 0; by_pool < 2; by_pool++) {
		f.setup.pool[0].replica.pool_blocks = by_pool ? 5 : 1000;
		f.setup.pool[0].replica.max_num_seqs = 14;
		f.setup.pool[0].replica.max_num_batched_tokens = by_pool ? 1000 : 14;
		BOTH_STRIDES(f)
		{
			fleet_run(&f, &t);
			assert_int_equal(t.finish[0], 4 * UNIT);
			assert_int_equal(t.finish[3], 5 * UNIT);
			assert_int_equal(t.finish[2], 6 * UNIT);
			tally_free(&t);
		}
	}
	fleet_free(&f);
}

/* Two units from the first one's visibility at a half, or until three are there. */
static void a_batch_waits_to_be_full(void **state)
{
	(void)state;
	struct request r[] = {
		{.arrival = 0, .input_tokens = 1, .output_tokens = 1},
		{.arrival = UNIT, .input_tokens = 1, .output_tokens = 1},
		{.arrival = 7 * UNIT / 4, .input_tokens = 1, .output_tokens = 1},
		{.arrival = 7 * UNIT / 4, .input_tokens = 1, .output_tokens = 1},
	};
	struct fleet f;
	struct tally t;
	init(&f, r, LENGTH(r));
	f.cost.frontend_s = 0x1p-8;
	f.setup.pool[0].replica.max_delay = 2 * UNIT;
	f.setup.pool[0].replica.max_num_seqs = 3;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.finish[0], 13 * UNIT / 4);
		assert_int_equal(t.finish[2], 13 * UNIT / 4);
		assert_int_equal(t.finish[3], 21 * UNIT / 4); /* of its own 2 from 2.25 */
		tally_free(&t);
	}
	r[2].arrival = r[3].arrival = 10 * UNIT;
	BOTH_STRIDES(f)
	{
		fleet_run(&f, &t);
		assert_int_equal(t.finish[1], 7 * UNIT / 2);
		assert_int_equal(t.finish[2], 27 * UNIT / 2);
		tally_free(&t);
	}
	fleet_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_padded_to_the_longest),
		cmocka_unit_test(pool_and_budget_bound_the_batch),
		cmocka_unit_test(a_batch_waits_to_be_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
