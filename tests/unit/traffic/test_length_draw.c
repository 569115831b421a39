/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each law against GSL's distribution functions: distance, moments, truncation, and the mean that
 * facts report. */
#include <gsl/gsl_cdf.h>

#include "harness.h"
#include "traffic/length_draw.h"

enum { N = 200000 };

/* A law with its distribution function over the reals, before truncation. */
struct law {
	const char *json;
	double (*cdf)(double x, const double *arg);
	double arg[2];
	double low, high; /* bounds, or 0 and infinity */
};

static double normal(double x, const double *arg)
{
	return gsl_cdf_gaussian_P(x - arg[0], arg[1]);
}

static double lognormal(double x, const double *arg)
{
	return x > 0 ? gsl_cdf_lognormal_P(x, arg[0], arg[1]) : 0;
}

static double exponential(double x, const double *arg)
{
	return gsl_cdf_exponential_P(x, arg[0]);
}

static double gamma_law(double x, const double *arg)
{
	return x > 0 ? gsl_cdf_gamma_P(x, arg[0], arg[1]) : 0;
}

/* mu and sigma of mean 1024, cv 0.9 and of mean 256, cv 0.8, worked apart: sigma^2 = ln 1.81 and
 * ln 1.64. */
static const struct law laws[] = {
	{"{\"dist\": \"normal\", \"mean\": 500, \"sd\": 100}", normal, {500, 100}, 0, INFINITY},
	{"{\"dist\": \"normal\", \"mean\": 500, \"sd\": 100, \"min\": 450, \"max\": 520}",
	 normal,
	 {500, 100},
	 450,
	 520},
	{"{\"dist\": \"lognormal\", \"mean\": 1024, \"cv\": 0.9}",
	 lognormal,
	 {6.6348083829605855, 0.7702771223902047},
	 0,
	 INFINITY},
	{"{\"dist\": \"lognormal\", \"mean\": 256, \"cv\": 0.8, \"min\": 10, \"max\": 400}",
	 lognormal,
	 {5.297829323561508, 0.7033464593186682},
	 10,
	 400},
	{"{\"dist\": \"lognormal\", \"mu\": 5, \"sigma\": 1.5}", lognormal, {5, 1.5}, 0, INFINITY},
	{"{\"dist\": \"exponential\", \"mean\": 128}", exponential, {128}, 0, INFINITY},
	{"{\"dist\": \"exponential\", \"mean\": 128, \"max\": 100}", exponential, {128}, 0, 100},
	{"{\"dist\": \"gamma\", \"mean\": 1000, \"cv\": 0.5}", gamma_law, {4, 250}, 0, INFINITY},
	{"{\"dist\": \"gamma\", \"mean\": 1000, \"cv\": 2}", gamma_law, {0.25, 4000}, 0, INFINITY},
	{"{\"dist\": \"gamma\", \"mean\": 1000, \"cv\": 10}", gamma_law, {0.01, 1e5}, 0, INFINITY},
	{"{\"dist\": \"gamma\", \"mean\": 1000, \"cv\": 2, \"min\": 50, \"max\": 3000}",
	 gamma_law,
	 {0.25, 4000},
	 50,
	 3000},
	{"{\"dist\": \"gamma\", \"mean\": 5000, \"cv\": 0.01}", gamma_law, {1e4, 0.5}, 0, INFINITY},
};

/* P(length <= k): the truncated law at k + 1/2, as lengths are rounded; at most 1 at the upper
 * bound. */
static double rounded_cdf(const struct law *law, double k)
{
	double below = law->low > 0 ? law->cdf(law->low, law->arg) : 0;
	double all = isinf(law->high) ? 1 : law->cdf(law->high, law->arg);

	if (k >= law->high)
		return 1;
	return fmax(0, (law->cdf(k + 0.5, law->arg) - below) / (all - below));
}

static void draw_all(const char *json, int32_t *tokens, double *mean, double *claimed)
{
	struct length_law law;
	struct length_draw draw;
	struct diag d;
	uint64_t key = rng_key(11, "input", 0);

	if (!harness_read(&length_law_record, &law, json, &d) || !length_draw_init(&draw, &law, &d))
		fail_msg("%s: %s", json, d.message);
	*mean = 0;
	for (int i = 0; i < N; i++) {
		tokens[i] = length_draw_at(&draw, key, i);
		*mean += tokens[i] / (double)N;
	}
	*claimed = length_draw_mean(&draw);
	length_draw_free(&draw);
	record_free(&length_law_record, &law);
}

static int compare_tokens(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Kolmogorov's distance of whole numbers: the steps of both functions lie at the same places. */
static double distance(const struct law *law, int32_t *tokens)
{
	double most = 0;

	qsort(tokens, N, sizeof(*tokens), compare_tokens);
	for (int i = 0; i < N; i++)
		if (i + 1 == N || tokens[i + 1] != tokens[i])
			most = fmax(most, fabs((i + 1) / (double)N - rounded_cdf(law, tokens[i])));
	return most * sqrt(N);
}

static double deviation(const int32_t *tokens, double mean)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += (tokens[i] - mean) * (tokens[i] - mean);
	return sqrt(sum / (N - 1));
}

static void test_laws_match_gsl(void **state)
{
	static int32_t tokens[N];
	double mean, claimed;

	(void)state;
	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++) {
		const struct law *law = &laws[i];
		double sd, far;

		draw_all(law->json, tokens, &mean, &claimed);
		sd = deviation(tokens, mean);
		far = distance(law, tokens);
		if (far > 2.5)
			fail_msg("%s: distance %g", law->json, far);
		if (fabs(mean - claimed) > 4.5 * sd / sqrt(N))
			fail_msg("%s: mean %g, claimed %g", law->json, mean, claimed);
		assert_true(tokens[0] >= fmax(1, law->low) && tokens[N - 1] <= law->high);
	}
}

/* Mean and cv before truncation are those asked for. */
static void test_moments(void **state)
{
	static const struct {
		const char *json;
		double mean, cv, mean_error, cv_error;
	} asked[] = {
		{"{\"dist\": \"lognormal\", \"mean\": 1024, \"cv\": 0.9}", 1024, 0.9, .01, .03},
		{"{\"dist\": \"gamma\", \"mean\": 1000, \"cv\": 2}", 1000, 2, .02, .02},
		{"{\"dist\": \"exponential\", \"mean\": 128}", 128, 1, .01, .01},
		{"{\"dist\": \"normal\", \"mean\": 500, \"sd\": 100}", 500, .2, .003, .01},
		{"{\"dist\": \"uniform\", \"min\": 1, \"max\": 1000}", 500.5, .5768, .005, .005},
	};
	static int32_t tokens[N];

	(void)state;
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		double mean, claimed, cv;

		draw_all(asked[i].json, tokens, &mean, &claimed);
		cv = deviation(tokens, mean) / mean;
		assert_true(fabs(mean / asked[i].mean - 1) < asked[i].mean_error);
		assert_true(fabs(cv / asked[i].cv - 1) < asked[i].cv_error);
		/* Lengths below half a token count as 1. */
		assert_true(fabs(claimed / asked[i].mean - 1) < 3e-4);
	}
}

/* No mass at the bounds: the share of the last length is what its neighbour's is. */
static void test_no_mass_at_the_ends(void **state)
{
	static int32_t tokens[N];
	double mean, claimed;
	int at_top = 0, below_top = 0;

	(void)state;
	draw_all("{\"dist\": \"exponential\", \"mean\": 128, \"max\": 20}", tokens, &mean,
		 &claimed);
	for (int i = 0; i < N; i++) {
		at_top += tokens[i] == 20;
		below_top += tokens[i] == 19;
	}
	/* Half a cell against a whole one. */
	assert_true(fabs(at_top / (0.5 * below_top) - 1) < 0.1);
}

static void test_uniform_takes_every_length_alike(void **state)
{
	static int32_t tokens[N];
	double mean, claimed, chi = 0, expected = N / 10.0;
	int count[10] = {0};

	(void)state;
	draw_all("{\"dist\": \"uniform\", \"min\": 5, \"max\": 14}", tokens, &mean, &claimed);
	for (int i = 0; i < N; i++) {
		assert_true(tokens[i] >= 5 && tokens[i] <= 14);
		count[tokens[i] - 5]++;
	}
	for (int i = 0; i < 10; i++)
		chi += (count[i] - expected) * (count[i] - expected) / expected;
	assert_true(gsl_cdf_chisq_Q(chi, 9) > 1e-5);
	assert_true(fabs(claimed - 9.5) < 1e-3);
}

static void test_zipf_falls_by_its_power(void **state)
{
	static int32_t tokens[N];
	double mean, claimed, weight[50], sum = 0, chi = 0;
	int count[50] = {0};

	(void)state;
	draw_all("{\"dist\": \"zipf\", \"min\": 100, \"max\": 149, \"theta\": 1.1}", tokens, &mean,
		 &claimed);
	for (int k = 0; k < 50; k++)
		sum += weight[k] = pow(k + 1, -1.1);
	for (int i = 0; i < N; i++)
		count[tokens[i] - 100]++;
	for (int k = 0; k < 50; k++) {
		double expected = N * weight[k] / sum;

		chi += (count[k] - expected) * (count[k] - expected) / expected;
	}
	assert_true(gsl_cdf_chisq_Q(chi, 49) > 1e-5);
}

static int share(const int32_t *tokens, int at_most)
{
	int count = 0;

	for (int i = 0; i < N; i++)
		count += tokens[i] <= at_most;
	return count;
}

static void test_empirical_meets_its_quantiles(void **state)
{
	static int32_t tokens[N];
	double mean, claimed;

	(void)state;
	draw_all("{\"dist\": \"empirical\", \"quantiles\": [[0.5, 100], [0.9, 400], [1, 1000]]}",
		 tokens, &mean, &claimed);
	assert_true(fabs(share(tokens, 100) / (double)N - 0.5) < 0.006);
	assert_true(fabs(share(tokens, 400) / (double)N - 0.9) < 0.004);
	assert_int_equal(share(tokens, 1000), N);
	assert_int_equal(share(tokens, 0), 0);
	/* Linear pieces: 1..100, 100..400, 400..1000. */
	assert_true(fabs(claimed - (.5 * 50.5 + .4 * 250 + .1 * 700)) < 0.2);
	/* Half of all below 100 is cut off. */
	draw_all("{\"dist\": \"empirical\", \"quantiles\": [[0, 0], [0.5, 100], [1, 300]], "
		 "\"min\": 100}",
		 tokens, &mean, &claimed);
	assert_int_equal(share(tokens, 99), 0);
	assert_true(fabs(claimed - 200) < 0.2);
	/* An atom at the bound stays. */
	draw_all("{\"dist\": \"empirical\", \"quantiles\": [[0, 1], [0.2, 100], [0.8, 100], [1, "
		 "300]], \"min\": 100}",
		 tokens, &mean, &claimed);
	assert_true(fabs(share(tokens, 100) / (double)N - 0.75) < 0.006);
}

static void test_without_spread_is_constant(void **state)
{
	static const char *const flat[] = {
		"512",
		"{\"dist\": \"constant\", \"value\": 512.4}",
		"{\"dist\": \"normal\", \"mean\": 512, \"sd\": 0}",
		"{\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0, \"max\": 600}",
		"{\"dist\": \"lognormal\", \"mu\": 6.2383246250395077, \"sigma\": 0}",
		"{\"dist\": \"gamma\", \"mean\": 512, \"cv\": 0}",
		"{\"dist\": \"uniform\", \"min\": 512, \"max\": 512}",
		"{\"dist\": \"zipf\", \"min\": 512, \"max\": 512, \"theta\": 1}",
		"{\"dist\": \"empirical\", \"quantiles\": [[0.5, 512]]}",
	};
	static int32_t tokens[N];
	double mean, claimed;

	(void)state;
	for (size_t i = 0; i < sizeof(flat) / sizeof(*flat); i++) {
		draw_all(flat[i], tokens, &mean, &claimed);
		for (int k = 0; k < N; k++)
			assert_int_equal(tokens[k], 512);
		assert_true(fabs(claimed - 512) < 1e-6);
	}
}

/* All that the field table lets through can be drawn: GSL raises no error (its handler would
 * abort). */
static void test_extreme_parameters(void **state)
{
	static const double cv[] = {1e-6, 1e-4, 1e-2, 1, 5, 20};
	static const double mean[] = {1e-3, 1, 1e3, 1e9};
	struct length_law law;
	struct length_draw draw;
	struct diag d;

	(void)state;
	diag_init(&d);
	for (int i = 0; i < 24; i++) {
		record_init(&length_law_record, &law);
		law.dist = LENGTH_gamma;
		law.cv = cv[i % 6];
		law.mean = mean[i / 6];
		assert_true(length_draw_init(&draw, &law, &d));
		assert_true(length_draw_tokens(&draw, 0x1p-53) >= 1);
		assert_true(length_draw_tokens(&draw, 1 - 0x1p-53) <= LENGTH_DRAW_MAX);
		length_draw_free(&draw);
		law.dist = LENGTH_lognormal;
		assert_true(length_draw_init(&draw, &law, &d));
		assert_true(length_draw_tokens(&draw, 0x1p-53) >= 1);
		assert_true(length_draw_tokens(&draw, 1 - 0x1p-53) <= LENGTH_DRAW_MAX);
		length_draw_free(&draw);
	}
}

static void test_greatest_length(void **state)
{
	static const struct {
		const char *json;
		int64_t max;
	} known[] = {
		{"7", 7},
		{"{\"dist\": \"exponential\", \"mean\": 9}", INT64_MAX / 4},
		{"{\"dist\": \"exponential\", \"mean\": 9, \"max\": 64}", 64},
		{"{\"dist\": \"uniform\", \"min\": 2, \"max\": 31}", 31},
		{"{\"dist\": \"zipf\", \"min\": 2, \"max\": 31, \"theta\": 0.5}", 31},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0, 2], [1, 77]]}", 77},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0, 2], [1, 77]], \"max\": 50}", 50},
	};
	struct length_law law;
	struct length_draw draw;
	struct diag d;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_true(harness_read(&length_law_record, &law, known[i].json, &d));
		assert_true(length_draw_init(&draw, &law, &d));
		assert_int_equal(length_draw_max(&draw), known[i].max);
		length_draw_free(&draw);
		record_free(&length_law_record, &law);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws_match_gsl),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_no_mass_at_the_ends),
		cmocka_unit_test(test_uniform_takes_every_length_alike),
		cmocka_unit_test(test_zipf_falls_by_its_power),
		cmocka_unit_test(test_empirical_meets_its_quantiles),
		cmocka_unit_test(test_without_spread_is_constant),
		cmocka_unit_test(test_extreme_parameters),
		cmocka_unit_test(test_greatest_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
