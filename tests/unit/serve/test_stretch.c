/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "serve/stretch.h"

/* first 3.25 ticks, growth 0.5: lengths 3.25, 3.75, 4.25; boundaries 0, 3.25, 7, 11.25. */
static void boundaries_by_hand(void **state)
{
	(void)state;
	struct stretch s = {0};
	const struct price p = {3.25 * 0x1p-36, 0.5 * 0x1p-36, INT64_MAX};
	stretch_begin(&s, 100, &p);
	const tick expected[] = {100, 103, 107, 111};
	for (int j = 0; j < 4; j++)
		assert_int_equal(stretch_boundary(&s, j), expected[j]);
	assert_int_equal(stretch_gap(&s, 0), 3);
	assert_int_equal(stretch_gap(&s, 2), 4);
	assert_int_equal(stretch_round_at(&s, 104, 0), 2);
	assert_int_equal(stretch_round_at(&s, 103, 0), 1);
	assert_int_equal(stretch_round_at(&s, 90, 3), 3);
}

/* After 3 rounds, at 111.25, the next stretch starts a quarter of a tick beyond 111; from rest it
 * starts on the tick. */
static void the_next_starts_where_it_ended(void **state)
{
	(void)state;
	struct stretch s = {0};
	const struct price p = {3.25 * 0x1p-36, 0.5 * 0x1p-36, INT64_MAX}, q = {0x1p-38, 0, 1};
	stretch_begin(&s, 100, &p);
	stretch_advance(&s, 3);
	assert_int_equal(s.at, 111);
	stretch_begin(&s, 111, &p);
	assert_int_equal(stretch_boundary(&s, 1), 115); /* 114.5 rounds up */
	stretch_begin(&s, 120, &p);
	assert_int_equal(stretch_boundary(&s, 1), 123);
	stretch_begin(&s, 200, &q); /* a quarter of a tick: a round takes one at least */
	assert_int_equal(stretch_boundary(&s, 5), 205);
}

static void the_round_of_a_tick_is_found(void **state)
{
	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct stretch s = {0};
		double first_s = pow(10, -6 + i % 7), growth_s = i % 3 ? first_s / (1 + i) : 0;
		const struct price p = {first_s, growth_s, INT64_MAX};
		stretch_begin(&s, i, &p);
		int64_t j = 1 + (int64_t)i * i % 100003;
		tick at = stretch_boundary(&s, j);
		if (at == TICK_FAR)
			continue;
		assert_int_equal(stretch_round_at(&s, at, 0), j);
		assert_int_equal(stretch_round_at(&s, at + 1, 0), j + 1);
		assert_int_equal(stretch_round_at(&s, at - 1, 0), j);
		assert_int_equal(stretch_round_at(&s, at, j + 4), j + 4);
	}
}

/* Steps of ten days: boundaries stay at TICK_FAR, and a tick beyond it is still found. */
static void far_times_do_not_overflow(void **state)
{
	(void)state;
	struct stretch s = {0};
	const struct price p = {864000, 1e300, INT64_MAX};
	stretch_begin(&s, 0, &p);
	assert_int_equal(stretch_boundary(&s, 1), tick_from_s(864000));
	assert_int_equal(stretch_boundary(&s, 1000), TICK_FAR);
	assert_true(stretch_round_at(&s, INT64_MAX, 0) < 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boundaries_by_hand),
		cmocka_unit_test(the_next_starts_where_it_ended),
		cmocka_unit_test(the_round_of_a_tick_is_found),
		cmocka_unit_test(far_times_do_not_overflow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
