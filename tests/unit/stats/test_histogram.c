/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "stats/histogram.h"

/* Every bucket starts where the one before ended, and holds its own start. */
static void buckets_tile_the_integers(void **state)
{
	(void)state;
	int32_t last = histogram_bucket(INT64_MAX);

	assert_int_equal(last, 55 * 128 + 255);
	for (int32_t b = 0; b <= last; b++) {
		int64_t low = histogram_bucket_low(b);

		assert_int_equal(histogram_bucket(low), b);
		if (b > 0)
			assert_int_equal(histogram_bucket(low - 1), b - 1);
	}
}

static void small_values_are_exact(void **state)
{
	(void)state;
	struct histogram h;

	histogram_init(&h);
	assert_true(isnan(histogram_quantile(&h, 0.5)));
	assert_true(isnan(histogram_mean(&h)));
	histogram_add(&h, 3, 1);
	histogram_add(&h, 10, 2);
	histogram_add(&h, 255, 1);
	/* n = 4: at (n-1)q = 0.75 between 3 and 10: 3 + .75 * 7 = 8.25 */
	assert_near(histogram_quantile(&h, 0), 3, 0);
	assert_near(histogram_quantile(&h, 0.25), 8.25, 1e-12);
	assert_near(histogram_quantile(&h, 0.5), 10, 0);
	assert_near(histogram_quantile(&h, 1), 255, 0);
	assert_near(histogram_mean(&h), 278.0 / 4, 0);
	histogram_free(&h);
}

/* A million times one value: the midpoint stays inside what was seen. */
static void one_value_has_its_own_quantiles(void **state)
{
	(void)state;
	struct histogram h;
	int64_t value = (int64_t)1 << 40 | 12345;

	histogram_init(&h);
	histogram_add(&h, value, 1000000);
	assert_near(histogram_quantile(&h, 0.99), (double)value, 0);
	assert_near(histogram_mean(&h), (double)value, 0);
	histogram_free(&h);
}

/* A geometric ladder over 40 octaves, against the exact order statistic: 1/256 at most. */
static void quantiles_err_by_one_in_256(void **state)
{
	(void)state;
	struct histogram h;
	static int64_t value[20001];

	histogram_init(&h);
	for (int i = 0; i <= 20000; i++) {
		value[i] = (int64_t)(1000 * exp2(i / 500.0));
		histogram_add(&h, value[i], 1);
	}
	for (int i = 0; i <= 20000; i += 37) {
		double found = histogram_quantile(&h, i / 20000.0);

		assert_true(fabs(found / (double)value[i] - 1) < 1 / 256.0);
	}
	histogram_free(&h);
}

/* Merging in any order gives the same as adding all to one. */
static void merges_exactly(void **state)
{
	(void)state;
	struct histogram part[3], all, sum;

	histogram_init(&all);
	histogram_init(&sum);
	for (int p = 0; p < 3; p++)
		histogram_init(&part[p]);
	for (int64_t i = 1; i < 3000; i++) {
		histogram_add(&part[i % 2], i * i * i, i);
		histogram_add(&all, i * i * i, i);
	}
	for (int p = 2; p >= 0; p--)
		histogram_merge(&sum, &part[p]); /* part[2] is empty */
	assert_int_equal(sum.total, all.total);
	assert_true(sum.sum == all.sum);
	assert_int_equal(sum.min, all.min);
	assert_int_equal(sum.max, all.max);
	for (int q = 0; q <= 100; q++)
		assert_near(histogram_quantile(&sum, q / 100.0),
			    histogram_quantile(&all, q / 100.0), 0);
	for (int p = 0; p < 3; p++)
		histogram_free(&part[p]);
	histogram_free(&all);
	histogram_free(&sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile_the_integers),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(one_value_has_its_own_quantiles),
		cmocka_unit_test(quantiles_err_by_one_in_256),
		cmocka_unit_test(merges_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
