/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "serve/batch.h"

/* Prefilled at once, its first token out: a decoder from now on. */
static int32_t add(struct batch *b, int64_t number, int32_t input, int32_t output)
{
	int32_t slot = batch_take(b);
	struct sequence *s = batch_at(b, slot);
	s->number = number;
	s->input_tokens = input;
	s->output_tokens = output;
	s->emitted = 0;
	batch_admit(b, slot);
	s = batch_at(b, slot);
	s->emitted = 1;
	batch_decode(b, slot);
	return slot;
}

static int64_t finish_next(struct batch *b)
{
	int32_t slot = batch_finished(b);
	if (slot == BATCH_NONE)
		return -1;
	int64_t number = batch_at(b, slot)->number;
	batch_leave(b, slot);
	batch_give(b, slot);
	return number;
}

/* Outputs of 3, 5 and 3: after two rounds the first and the third end, in order of admission. */
static void ends_come_in_order_of_admission(void **state)
{
	(void)state;
	struct batch b;
	batch_init(&b);
	add(&b, 10, 4, 3);
	add(&b, 11, 4, 5);
	add(&b, 12, 7, 3);
	assert_int_equal(b.context, 5 + 5 + 8);
	assert_int_equal(batch_rounds_to_finish(&b), 2);
	batch_advance(&b, 1);
	assert_int_equal(b.context, 6 + 6 + 9);
	assert_int_equal(batch_finished(&b), BATCH_NONE);
	batch_advance(&b, 1);
	assert_int_equal(finish_next(&b), 10);
	assert_int_equal(finish_next(&b), 12);
	assert_int_equal(finish_next(&b), -1);
	assert_int_equal(b.context, 7);
	assert_int_equal(b.running, 1);
	assert_int_equal(batch_rounds_to_finish(&b), 2);
	batch_free(&b);
}

/* Of four, after one round: the last two are preempted, last first, and come back in their order.
 */
static void the_preempted_keep_their_order(void **state)
{
	(void)state;
	struct batch b;
	batch_init(&b);
	for (int i = 0; i < 4; i++)
		add(&b, i, 10, 9);
	batch_advance(&b, 1);
	assert_int_equal(batch_cached(&b, batch_at(&b, b.last)), 11);
	batch_preempt(&b);
	batch_preempt(&b);
	assert_int_equal(b.running, 2);
	assert_int_equal(b.decoders, 2);
	assert_int_equal(b.waiting, 2);
	assert_int_equal(b.context, 2 * 12);
	const struct sequence *head = batch_at(&b, b.preempted);
	assert_int_equal(head->number, 2);
	assert_int_equal(head->emitted, 2);
	assert_int_equal(batch_known(head), 12);
	assert_int_equal(batch_at(&b, batch_readmit(&b))->number, 2);
	assert_int_equal(batch_at(&b, batch_readmit(&b))->number, 3);
	assert_int_equal(batch_at(&b, b.last)->cached, 0);
	assert_int_equal(b.running - b.decoders, 2);
	batch_free(&b);
}

/* Many of mixed lengths, some leaving out of turn: ends come sorted by round, then by admission. */
static void the_heap_keeps_the_next_end_on_top(void **state)
{
	(void)state;
	struct batch b;
	uint64_t x = 5;
	int64_t added = 0, ended = 0;
	batch_init(&b);
	for (int round = 0; round < 3000; round++) {
		x = x * UINT64_C(6364136223846793005) + 1;
		if (round < 2000)
			add(&b, added++, 1 + (int32_t)(x >> 60), 2 + (int32_t)(x >> 57));
		if (x >> 61 == 0 && b.running) {
			batch_preempt(&b);
			int32_t slot = b.preempted;
			b.preempted = BATCH_NONE;
			b.waiting--;
			batch_give(&b, slot);
			ended++;
		}
		int64_t last = -1, due = batch_rounds_to_finish(&b);
		assert_true(due > 0);
		batch_advance(&b, 1);
		for (int32_t slot; (slot = batch_finished(&b)) != BATCH_NONE; ended++) {
			assert_int_equal(due, 1);
			assert_true(batch_at(&b, slot)->number > last);
			last = finish_next(&b);
		}
	}
	assert_int_equal(ended, added);
	assert_int_equal(b.running, 0);
	assert_int_equal(b.context, 0);
	assert_true(b.slots_used < 200); /* slots are used again */
	batch_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_come_in_order_of_admission),
		cmocka_unit_test(the_preempted_keep_their_order),
		cmocka_unit_test(the_heap_keeps_the_next_end_on_top),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
