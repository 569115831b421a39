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

#include "stats/samples.h"

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The definition: sort, then between the neighbours of (n-1)q. */
static double by_sorting(const int64_t *sorted, size_t n, double q)
{
	double at = (double)(n - 1) * q;
	size_t low = (size_t)at, high = low + 1 < n ? low + 1 : low;

	return (double)sorted[low] +
	       (at - (double)low) * ((double)sorted[high] - (double)sorted[low]);
}

static void compare(const int64_t *value, size_t n)
{
	static const double q[] = {0, 0.25, 0.5, 0.5, 0.501, 0.9, 0.95, 0.99, 0.999, 1};
	enum { K = sizeof q / sizeof *q };
	int64_t *sorted = malloc(n * sizeof *sorted), *scratch = malloc(n * sizeof *scratch);
	double found[K];

	memcpy(sorted, value, n * sizeof *sorted);
	memcpy(scratch, value, n * sizeof *scratch);
	qsort(sorted, n, sizeof *sorted, ascending);
	samples_quantiles(scratch, n, q, K, found);
	for (size_t i = 0; i < K; i++)
		assert_near(found[i], by_sorting(sorted, n, q[i]), 0);
	qsort(scratch, n, sizeof *scratch, ascending);
	assert_memory_equal(scratch, sorted, n * sizeof *sorted); /* reordered, nothing lost */
	free(sorted);
	free(scratch);
}

static void equals_sorting(void **state)
{
	(void)state;
	uint64_t x = 1;

	for (size_t n = 1; n < 5000; n = n * 3 / 2 + 1) {
		int64_t *value = malloc(n * sizeof *value);

		for (int spread = 1; spread <= 62; spread += 12) { /* few and many ties */
			for (size_t i = 0; i < n; i++) {
				x = x * 6364136223846793005u + 1442695040888963407u;
				value[i] = (int64_t)(x >> (64 - spread));
			}
			compare(value, n);
		}
		free(value);
	}
}

/* Orders that ruin a naive pivot; 200,000 values would then take 4e10 steps. */
static void bad_orders_are_no_trap(void **state)
{
	(void)state;
	enum { N = 200000 };
	static int64_t value[N];

	for (int64_t i = 0; i < N; i++)
		value[i] = i;
	compare(value, N);
	for (int64_t i = 0; i < N; i++)
		value[i] = N - i;
	compare(value, N);
	for (int64_t i = 0; i < N; i++)
		value[i] = i < N / 2 ? i : N - i;
	compare(value, N);
	for (int64_t i = 0; i < N; i++)
		value[i] = 7;
	compare(value, N);
}

static void nothing_has_no_quantile(void **state)
{
	(void)state;
	double q[] = {0.5, 0.99}, found[] = {0, 0};

	samples_quantiles(NULL, 0, q, 2, found);
	assert_true(isnan(found[0]) && isnan(found[1]));
	assert_true(isnan(samples_mean(NULL, 0)));
}

static void compacts_and_averages(void **state)
{
	(void)state;
	int64_t value[] = {-1, 5, 0, -1, INT64_MAX, 7, -1};

	assert_int_equal(samples_compact(value, 7), 4);
	assert_int_equal(value[0], 5);
	assert_int_equal(value[1], 0);
	assert_int_equal(value[2], INT64_MAX);
	assert_int_equal(value[3], 7);
	assert_near(samples_mean((int64_t[]){INT64_MAX, INT64_MAX}, 2), 0x1p63, 0);
	assert_near(samples_mean((int64_t[]){1, 2, 6}, 3), 3, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_sorting),
		cmocka_unit_test(bad_orders_are_no_trap),
		cmocka_unit_test(nothing_has_no_quantile),
		cmocka_unit_test(compacts_and_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
