/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each process against its law: rate, variation, distribution of the gaps, and what a rate factor
 * does. */
#include <gsl/gsl_cdf.h>

#include "harness.h"
#include "traffic/arrival_clock.h"

enum { N = 200000 };

static void open_clock(struct arrivals *a, struct arrival_clock *c, const char *json,
		       double rate_factor)
{
	struct diag d;

	if (!harness_read(&arrivals_record, a, json, &d))
		fail_msg("%s: %s", json, d.message);
	arrival_clock_init(c, a, 21, 0, rate_factor);
}

/* Times of n arrivals; they must not decrease. */
static void draw_times(const char *json, double rate_factor, double *time_s, int n)
{
	struct arrivals a;
	struct arrival_clock c;

	open_clock(&a, &c, json, rate_factor);
	for (int i = 0; i < n; i++) {
		time_s[i] = arrival_clock_next_s(&c);
		assert_true(time_s[i] >= (i ? time_s[i - 1] : 0));
	}
	arrival_clock_free(&c);
	record_free(&arrivals_record, &a);
}

static void gaps_of(double *time_s, int n)
{
	for (int i = n - 1; i > 0; i--)
		time_s[i] -= time_s[i - 1];
}

static double mean_of(const double *x, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

static double cv_of(const double *x, int n)
{
	double mean = mean_of(x, n), sum = 0;

	for (int i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (n - 1)) / mean;
}

static double exponential(double x, const double *arg)
{
	return gsl_cdf_exponential_P(x, arg[0]);
}

static double gamma_law(double x, const double *arg)
{
	return gsl_cdf_gamma_P(x, arg[0], arg[1]);
}

static double weibull(double x, const double *arg)
{
	return gsl_cdf_weibull_P(x, arg[0], arg[1]);
}

/* Weibull of shape 1/2: mean 2 scale, cv sqrt(5). */
static void test_renewal_processes(void **state)
{
	static const struct {
		const char *json;
		double (*cdf)(double x, const double *arg);
		double arg[2], cv, cv_error;
	} processes[] = {
		{"{\"process\": \"poisson\", \"rate\": 4}", exponential, {0.25}, 1, .01},
		{"{\"process\": \"gamma\", \"rate\": 4, \"cv\": 2}", gamma_law, {.25, 1}, 2, .02},
		{"{\"process\": \"gamma\", \"rate\": 4, \"burstiness\": 4}",
		 gamma_law,
		 {4, 0.0625},
		 .5,
		 .01},
		{"{\"process\": \"weibull\", \"rate\": 4, \"cv\": 2.23606797749979}",
		 weibull,
		 {0.125, 0.5},
		 2.23606797749979,
		 .04},
		{"{\"process\": \"weibull\", \"rate\": 4, \"burstiness\": 1}",
		 weibull,
		 {.25, 1},
		 1,
		 .01},
	};
	static double gap[N];

	(void)state;
	for (size_t i = 0; i < sizeof(processes) / sizeof(*processes); i++) {
		draw_times(processes[i].json, 1, gap, N);
		gaps_of(gap, N);
		assert_true(fabs(mean_of(gap, N) * 4 - 1) < 4.5 * processes[i].cv / sqrt(N));
		if (fabs(cv_of(gap, N) / processes[i].cv - 1) > processes[i].cv_error)
			fail_msg("%s: cv %g", processes[i].json, cv_of(gap, N));
		if (harness_kolmogorov(gap, N, processes[i].cdf, processes[i].arg) > 2.5)
			fail_msg("%s: not its law", processes[i].json);
	}
}

static void test_constant(void **state)
{
	static double time_s[N];

	(void)state;
	draw_times("{\"process\": \"constant\", \"rate\": 8}", 1, time_s, N);
	for (int i = 0; i < N; i++)
		assert_true(time_s[i] == i / 8.0);
	draw_times("{\"process\": \"gamma\", \"rate\": 8, \"cv\": 0}", 1, time_s, N);
	for (int i = 0; i < N; i++)
		assert_true(time_s[i] == (i + 1) / 8.0);
	draw_times("{\"process\": \"weibull\", \"rate\": 8, \"cv\": 0}", 1, time_s, N);
	for (int i = 0; i < N; i++)
		assert_true(time_s[i] == (i + 1) / 8.0);
	draw_times("{\"process\": \"weibull\", \"rate\": 8, \"cv\": 0.001}", 1, time_s, N);
	gaps_of(time_s, N);
	assert_true(fabs(cv_of(time_s + 1, N - 1) / 0.001 - 1) < 0.01);
	/* The extremes of the field table: no error of GSL's. */
	draw_times("{\"process\": \"weibull\", \"rate\": 8, \"cv\": 100}", 1, time_s, N);
	draw_times("{\"process\": \"gamma\", \"rate\": 8, \"cv\": 100}", 1, time_s, N);
}

/* An interrupted Poisson process is a renewal process: cv^2 = 1 + 2 rate a/(a + b)^2 with a =
 * 1/on_s, b = 1/off_s. */
static void test_onoff(void **state)
{
	static double gap[N];
	const double rate = 10, on = 2, off = 6, a = 1 / on, b = 1 / off;
	double cv2 = 1 + 2 * rate * a / ((a + b) * (a + b)), cv;

	(void)state;
	draw_times("{\"process\": \"onoff\", \"rate\": 10, \"on_s\": 2, \"off_s\": 6}", 1, gap, N);
	gaps_of(gap, N);
	cv = cv_of(gap, N);
	assert_true(fabs(cv / sqrt(cv2) - 1) < 0.03);
	assert_true(fabs(mean_of(gap, N) * rate * on / (on + off) - 1) < 4.5 * cv / sqrt(N));
	/* Never off: Poisson. */
	draw_times("{\"process\": \"onoff\", \"rate\": 4, \"on_s\": 2, \"off_s\": 0}", 1, gap, N);
	gaps_of(gap, N);
	assert_true(harness_kolmogorov(gap, N, exponential, (const double[]){0.25}) < 2.5);
}

/* Counts by slot of the cycle follow the rates; inside a slot arrivals are uniform. */
static void test_schedule(void **state)
{
	static double time_s[N];
	const double rates[] = {1, 5, 0, 2};
	double count[4] = {0}, first_half = 0, cycles;

	(void)state;
	draw_times("{\"process\": \"schedule\", \"slot_s\": 10, \"rates\": [1, 5, 0, 2]}", 1,
		   time_s, N);
	for (int i = 0; i < N; i++) {
		double in_cycle = fmod(time_s[i], 40);

		count[(int)(in_cycle / 10)]++;
		first_half += in_cycle >= 10 && in_cycle < 15;
	}
	cycles = time_s[N - 1] / 40;
	for (int k = 0; k < 4; k++) {
		double expected = cycles * rates[k] * 10;

		assert_true(fabs(count[k] - expected) <= 5 * sqrt(expected));
	}
	assert_true(fabs(first_half - count[1] / 2) < 2.5 * sqrt(count[1]));
}

static void test_at_once(void **state)
{
	double time_s[100];

	(void)state;
	draw_times("{\"process\": \"offline\"}", 1, time_s, 100);
	assert_true(time_s[99] == 0);
	draw_times("{\"process\": \"closed\", \"concurrency\": 8}", 1, time_s, 100);
	assert_true(time_s[99] == 0);
}

/* The same draws at another rate: renewal times shrink exactly; onoff and schedule keep their
 * periods. */
static void test_rate_factor(void **state)
{
	static const char *const stretched[] = {
		"{\"process\": \"constant\", \"rate\": 3}",
		"{\"process\": \"poisson\", \"rate\": 3}",
		"{\"process\": \"gamma\", \"rate\": 3, \"cv\": 1.5}",
		"{\"process\": \"weibull\", \"rate\": 3, \"cv\": 1.5}",
	};
	static double slow[N], fast[N];

	(void)state;
	for (size_t k = 0; k < sizeof(stretched) / sizeof(*stretched); k++) {
		draw_times(stretched[k], 1, slow, N);
		draw_times(stretched[k], 4, fast, N);
		for (int i = 0; i < N; i++)
			assert_true(fast[i] == slow[i] / 4);
	}
	draw_times("{\"process\": \"onoff\", \"rate\": 10, \"on_s\": 2, \"off_s\": 6}", 4, fast, N);
	assert_true(fabs(N / fast[N - 1] / 10 - 1) < 0.05);
	draw_times("{\"process\": \"schedule\", \"slot_s\": 10, \"rates\": [1, 5, 0, 2]}", 4, fast,
		   N);
	assert_true(fabs(N / fast[N - 1] / 8 - 1) < 0.02);
	for (int i = 0; i < N; i++)
		assert_false(fmod(fast[i], 40) > 20.001 && fmod(fast[i], 40) < 29.999);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *json, *path, *part;
	} bad[] = {
		{"{\"process\": \"constant\"}", "rate", "need rate"},
		{"{\"process\": \"gamma\", \"rate\": 1}", "cv", "cv or burstiness"},
		{"{\"process\": \"weibull\", \"cv\": 1}", "rate", "need rate"},
		{"{\"process\": \"gamma\", \"rate\": 1, \"cv\": 1, \"burstiness\": 1}",
		 "burstiness", "give cv or burstiness"},
		{"{\"process\": \"onoff\", \"rate\": 1, \"on_s\": 1}", "off_s", "need off_s"},
		{"{\"process\": \"onoff\", \"rate\": 1, \"on_s\": 1e-9, \"off_s\": 1}", "on_s",
		 "below 0.001"},
		{"{\"process\": \"schedule\", \"rates\": [1]}", "slot_s", "needs slot_s"},
		{"{\"process\": \"schedule\", \"slot_s\": 1}", "rates", "needs rates"},
		{"{\"process\": \"schedule\", \"slot_s\": 1, \"rates\": [0, 0]}", "rates", "are 0"},
		{"{\"process\": \"schedule\", \"slot_s\": 1, \"rates\": [1, -2]}", "rates", "-2"},
		{"{\"process\": \"schedule\", \"slot_s\": 1e-9, \"rates\": [1]}", "rates",
		 "less than 0.001"},
		{"{\"process\": \"closed\"}", "concurrency", "need concurrency"},
	};
	struct arrivals a;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		harness_refused(&arrivals_record, &a, bad[i].json, bad[i].path, bad[i].part);
}

static void test_kinds_are_described(void **state)
{
	const char *const *names = arrivals_record.field[0].of;

	(void)state;
	for (int i = 0; i < ARRIVAL_KINDS_COUNT; i++) {
		assert_string_equal(names[i], arrival_kinds[i]->name);
		assert_true(strlen(arrival_kinds[i]->help) > 10);
	}
	assert_null(names[ARRIVAL_KINDS_COUNT]);
	assert_null(arrival_kinds[ARRIVAL_KINDS_COUNT]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_renewal_processes),
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_onoff),
		cmocka_unit_test(test_schedule),
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_rate_factor),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_kinds_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
