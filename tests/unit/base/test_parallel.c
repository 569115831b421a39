/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/parallel.h"

enum { POINTS = 1000 };

struct slots {
	int hits[POINTS];
	size_t reported, calls;
};

static void body(size_t i, void *arg)
{
	struct slots *s = arg;

	s->hits[i]++;
}

static void done(size_t count, void *arg)
{
	struct slots *s = arg;

	s->calls++;
	assert_int_equal(count, s->calls); /* one after the other, in order */
	s->reported = count;
}

static void test_each_once(void **state)
{
	static const int jobs[] = {1, 2, 7, 0, 5000};

	(void)state;
	for (size_t j = 0; j < sizeof(jobs) / sizeof(*jobs); j++) {
		struct slots s = {{0}, 0, 0};

		parallel_for(POINTS, jobs[j], body, done, &s);
		for (int i = 0; i < POINTS; i++)
			assert_int_equal(s.hits[i], 1);
		assert_int_equal(s.reported, POINTS);
	}
}

static void test_nothing(void **state)
{
	struct slots s = {{0}, 0, 0};

	(void)state;
	parallel_for(0, 4, body, NULL, &s);
	assert_int_equal(s.hits[0], 0);
	assert_true(parallel_processors() >= 1);
}

static void test_threads_left_over(void **state)
{
	(void)state;
	assert_int_equal(parallel_inner(1, 4), 4);
	assert_int_equal(parallel_inner(2, 4), 2);
	assert_int_equal(parallel_inner(3, 4), 1);
	assert_int_equal(parallel_inner(5, 4), 1);
	assert_int_equal(parallel_inner(0, 4), 1);
	assert_int_equal(parallel_inner(1, 0), parallel_processors());
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once),
					   cmocka_unit_test(test_threads_left_over),
					   cmocka_unit_test(test_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
