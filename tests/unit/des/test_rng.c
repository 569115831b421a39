/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams: uniform, reproducible, and independent of their neighbours in seed, name, replication
 * and counter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "des/rng.h"

enum { N = 200000, CELLS = 200 };

/* The two-sided bound that a fair generator misses once in 10^5 tests. */
static void assert_chi_squared(const long *count, long n)
{
	double chi = 0, expected = (double)n / CELLS;

	for (int i = 0; i < CELLS; i++)
		chi += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
	assert_true(gsl_cdf_chisq_P(chi, CELLS - 1) > 1e-5);
	assert_true(gsl_cdf_chisq_Q(chi, CELLS - 1) > 1e-5);
}

static double correlation(const double *a, const double *b, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (a[i] - 0.5) * (b[i] - 0.5);
	return 12 * sum / n;
}

static void test_sequence_is_uniform(void **state)
{
	long count[CELLS] = {0};
	gsl_rng *rng = rng_new(1, "arrivals", 0);

	(void)state;
	for (int i = 0; i < N; i++)
		count[(int)(gsl_rng_uniform(rng) * CELLS)]++;
	assert_chi_squared(count, N);
	gsl_rng_free(rng);
}

static void test_counter_is_uniform(void **state)
{
	long count[CELLS] = {0};
	uint64_t key = rng_key(1, "input", 0);

	(void)state;
	for (uint64_t i = 0; i < N; i++) {
		double u = rng_uniform_at(key, i);

		assert_true(u > 0 && u < 1);
		count[(int)(u * CELLS)]++;
	}
	assert_chi_squared(count, N);
}

/* First draws over consecutive seeds: where a generator that is seeded weakly shows it. */
static void test_first_draws_of_neighbouring_seeds(void **state)
{
	long sequence[CELLS] = {0}, counter[CELLS] = {0};

	(void)state;
	for (uint64_t seed = 0; seed < N; seed++) {
		gsl_rng *rng = rng_new(seed, "arrivals", 0);

		sequence[(int)(gsl_rng_uniform(rng) * CELLS)]++;
		counter[(int)(rng_uniform_at(rng_key(seed, "input", 0), 0) * CELLS)]++;
		gsl_rng_free(rng);
	}
	assert_chi_squared(sequence, N);
	assert_chi_squared(counter, N);
}

static void fill(double *u, uint64_t seed, const char *stream, int replication)
{
	gsl_rng *rng = rng_new(seed, stream, replication);

	for (int i = 0; i < N; i++)
		u[i] = gsl_rng_uniform(rng);
	gsl_rng_free(rng);
}

static void fill_at(double *u, uint64_t seed, const char *stream, int replication, uint64_t from)
{
	uint64_t key = rng_key(seed, stream, replication);

	for (uint64_t i = 0; i < N; i++)
		u[i] = rng_uniform_at(key, from + i);
}

static void test_neighbours_are_uncorrelated(void **state)
{
	static double a[N], b[N];
	const double bound = 4.5 / sqrt(N);

	(void)state;
	fill(a, 7, "arrivals", 0);
	fill(b, 8, "arrivals", 0);
	assert_true(fabs(correlation(a, b, N)) < bound);
	fill(b, 7, "arrivals", 1);
	assert_true(fabs(correlation(a, b, N)) < bound);
	fill(b, 7, "arrivalt", 0);
	assert_true(fabs(correlation(a, b, N)) < bound);
	assert_true(fabs(correlation(a, a + 1, N - 1)) < bound);
	fill_at(a, 7, "input", 0, 0);
	fill_at(b, 7, "output", 0, 0);
	assert_true(fabs(correlation(a, b, N)) < bound);
	fill_at(b, 8, "input", 0, 0);
	assert_true(fabs(correlation(a, b, N)) < bound);
	fill_at(b, 7, "input", 0, 1);
	assert_true(fabs(correlation(a, b, N)) < bound);
}

/* The generator's first outputs from state {1, 2, 3, 4}, worked by hand. */
static void test_known_outputs(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(rng_type);
	uint64_t *s = gsl_rng_state(rng);

	(void)state;
	for (int i = 0; i < 4; i++)
		s[i] = (uint64_t)i + 1;
	/* rotl(1 + 4, 23) + 1; then the state is {7, 0, 2^18 + 2, 6 * 2^45}. */
	assert_int_equal(gsl_rng_get(rng), 41943041);
	assert_int_equal(s[0], 7);
	assert_int_equal(s[1], 0);
	assert_int_equal(s[2], 262146);
	assert_int_equal(s[3], 211106232532992);
	assert_int_equal(gsl_rng_get(rng), 58720359);
	gsl_rng_free(rng);
}

static void test_same_names_same_stream(void **state)
{
	(void)state;
	assert_true(rng_key(3, "input", 2) == rng_key(3, "input", 2));
	assert_true(rng_key(3, "input", 2) != rng_key(3, "input", 3));
	assert_true(rng_key(3, "input", 2) != rng_key(2, "input", 2));
	assert_true(rng_uniform_at(5, 9) == rng_uniform_at(5, 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequence_is_uniform),
		cmocka_unit_test(test_counter_is_uniform),
		cmocka_unit_test(test_first_draws_of_neighbouring_seeds),
		cmocka_unit_test(test_neighbours_are_uncorrelated),
		cmocka_unit_test(test_known_outputs),
		cmocka_unit_test(test_same_names_same_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
