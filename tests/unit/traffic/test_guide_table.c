/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search against a plain one, at and around every entry; the inverse against the function. */
#include "harness.h"
#include "des/rng.h"
#include "traffic/guide_table.h"

enum { ENTRIES = 500 };

/* Entries of very unequal width, some equal. */
static void fill(struct guide_table *t)
{
	double sum = 0;

	guide_table_init(t, ENTRIES, true);
	for (size_t i = 0; i < ENTRIES; i++) {
		t->u[i] = sum;
		t->value[i] = (double)(i / 2);
		sum += i % 7 ? pow(rng_uniform_at(1, i), 8) : 0;
	}
	for (size_t i = 0; i < ENTRIES; i++)
		t->u[i] /= sum * 1.01;
	guide_table_index(t);
}

static size_t search(const struct guide_table *t, double u)
{
	size_t i = 0;

	while (i + 1 < t->count && t->u[i + 1] <= u)
		i++;
	return i;
}

static void test_find(void **state)
{
	struct guide_table t;

	(void)state;
	fill(&t);
	for (size_t i = 0; i < ENTRIES; i++) {
		assert_int_equal(guide_table_find(&t, t.u[i]), search(&t, t.u[i]));
		if (t.u[i] > 0) {
			double below = nextafter(t.u[i], 0);

			assert_int_equal(guide_table_find(&t, below), search(&t, below));
		}
	}
	for (uint64_t i = 0; i < 100000; i++) {
		double u = rng_uniform_at(2, i);

		assert_int_equal(guide_table_find(&t, u), search(&t, u));
	}
	guide_table_free(&t);
}

static void test_interpolation_and_inverse(void **state)
{
	struct guide_table t;

	(void)state;
	guide_table_init(&t, 4, true);
	memcpy(t.u, (const double[]){0, 0.2, 0.6, 1}, 4 * sizeof(double));
	memcpy(t.value, (const double[]){10, 20, 20, 60}, 4 * sizeof(double));
	guide_table_index(&t);
	assert_true(fabs(guide_table_interpolate(&t, 0.1) - 15) < 1e-12);
	assert_true(fabs(guide_table_interpolate(&t, 0.4) - 20) < 1e-12);
	assert_true(fabs(guide_table_interpolate(&t, 0.8) - 40) < 1e-12);
	assert_true(guide_table_interpolate(&t, 1) == 60);
	assert_true(guide_table_inverse(&t, 9) == 0 && guide_table_inverse(&t, 60) == 1);
	assert_true(fabs(guide_table_inverse(&t, 15) - 0.1) < 1e-12);
	/* The end of a flat piece, and just below its start. */
	assert_true(fabs(guide_table_inverse(&t, 20) - 0.6) < 1e-12);
	assert_true(fabs(guide_table_inverse(&t, nextafter(20, 0)) - 0.2) < 1e-12);
	guide_table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_interpolation_and_inverse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
