/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "stats/interval.h"
#include "stats/mser.h"

/* Five values 1..5: mean 3, s = sqrt(2.5), t(0.975, 4) = 2.776445 (any table):
 * 3 -+ 2.776445 * 1.581139 / 2.236068 = 3 -+ 1.963243. */
static void student_by_hand(void **state)
{
	(void)state;
	double value[] = {4, 1, 5, 2, 3};
	struct interval i = interval_student(value, 5, 0.95);

	assert_near(i.low, 3 - 1.963243, 1e-6);
	assert_near(i.high, 3 + 1.963243, 1e-6);
	i = interval_student(value, 1, 0.95);
	assert_true(isnan(i.low) && isnan(i.high));
	i = interval_student((double[]){1, NAN, 2}, 3, 0.95);
	assert_true(isnan(i.low) && isnan(i.high));
	i = interval_student((double[]){1, INFINITY}, 2, 0.95);
	assert_true(isnan(i.low) && isnan(i.high));
}

/* The definition of MSER, quadratic. */
static size_t naive(const double *y, size_t n)
{
	double best = INFINITY;
	size_t cut = 0;

	for (size_t d = 0; d <= n / 2 && d < n; d++) {
		double mean = 0, squares = 0, rest = (double)(n - d);

		for (size_t i = d; i < n; i++)
			mean += y[i] / rest;
		for (size_t i = d; i < n; i++)
			squares += (y[i] - mean) * (y[i] - mean);
		if (squares / (rest * rest) < best) {
			best = squares / (rest * rest);
			cut = d;
		}
	}
	return cut;
}

static void mser_finds_the_ramp(void **state)
{
	(void)state;
	enum { N = 400 };
	double y[N];
	unsigned x = 1;

	for (int ramp = 0; ramp < 200; ramp += 20) {
		for (int i = 0; i < N; i++) {
			x = x * 1103515245u + 12345u;
			y[i] = 10 + (x >> 16) % 1000 / 1000.0;
			y[i] -= i < ramp ? 8.0 * (ramp - i) / ramp : 0;
		}
		size_t cut = mser_cut(y, N);

		assert_int_equal(cut, naive(y, N));
		assert_in_range(cut, ramp * 3 / 4, ramp + 20);
	}
}

static void mser_edges(void **state)
{
	(void)state;
	double flat[] = {2, 2, 2, 2};
	double late[] = {1, 1, 1, 1, 1, 9, 9, 9}; /* the best cut lies beyond the half */

	assert_int_equal(mser_cut(flat, 0), 0);
	assert_int_equal(mser_cut(flat, 1), 0);
	assert_int_equal(mser_cut(flat, 4), 0);
	assert_in_range(mser_cut(late, 8), 0, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_by_hand),
		cmocka_unit_test(mser_finds_the_ramp),
		cmocka_unit_test(mser_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
