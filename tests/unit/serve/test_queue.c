/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "serve/queue.h"

static void push(struct queue *q, int64_t number)
{
	const struct request r = {number, 10 * number, (int32_t)(number + 1),
				  (int32_t)(2 * number)};
	queue_push(q, &r);
}

static void expect_head(struct queue *q, int64_t number)
{
	struct request r = {0};
	queue_head(q, &r);
	assert_int_equal(r.number, number);
	assert_int_equal(r.arrival, 10 * number);
	assert_int_equal(queue_head_arrival(q), 10 * number);
	if (q->keep_lengths) {
		assert_int_equal(r.input_tokens, number + 1);
		assert_int_equal(r.output_tokens, 2 * number);
	}
	queue_drop(q);
}

/* Three in, two out, over and over: the ring wraps and grows at every offset. */
static void first_come_first_served(void **state)
{
	(void)state;
	for (int keep = 0; keep < 2; keep++) {
		struct queue q;
		int64_t in = 0, out = 0;
		queue_init(&q, keep);
		while (in < 3000) {
			for (int i = 0; i < 3; i++)
				push(&q, in++);
			for (int i = 0; i < 2; i++)
				expect_head(&q, out++);
			assert_int_equal(q.count, in - out);
		}
		while (out < in)
			expect_head(&q, out++);
		assert_int_equal(q.count, 0);
		assert_true(keep == !!q.lengths);
		queue_free(&q);
	}
}

static void an_entry_is_16_bytes(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct queued), 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_come_first_served),
		cmocka_unit_test(an_entry_is_16_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
