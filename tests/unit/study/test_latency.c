/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/latency.h"

/* Tallies filled by hand: request i of replication r took (i + 1) seconds, r % more. */
static void fill(struct load *l, int replications, int64_t requests, int64_t cut)
{
	*l = (struct load){.replications = replications, .requests = requests, .replicas = 1};
	l->tally = calloc((size_t)replications, sizeof *l->tally);
	for (int r = 0; r < replications; r++) {
		struct tally_setup setup = {
			.requests = requests, .pools = 1, .counters = {1}, .keep_samples = true};
		struct tally *t = &l->tally[r];

		tally_init(t, &setup);
		for (int64_t i = 0; i < requests; i++)
			t->ttft[i] = t->e2e[i] = tick_from_s((double)(i + 1)) / 100 * (100 + r);
	}
	l->cut = cut;
	l->first_slice = (int)(cut * 20 / requests);
}

/* Measured are 101..2000: mean 1050.5 of two replications, 1 % apart: 1050.5 * 1.005. */
static void pools_what_is_measured(void **state)
{
	(void)state;
	struct load load;
	struct latency l;

	fill(&load, 2, 2000, 100);
	latency_init(&l, &load, METRIC_TTFT);
	assert_int_equal(latency_count(&l), 3800);
	assert_near(latency_statistic(&l, LATENCY_MEAN, false), 1050.5 * 1.005, 1e-6);
	assert_near(latency_statistic(&l, 0, false), 101, 1e-6);
	assert_near(latency_statistic(&l, 1, false), 2020, 1e-6);
	latency_free(&l);
	load_free(&load);
}

/* p50 leaves 1,900 beyond: medians 1050.5 and 1061.005, t(0.975, 1) = 12.7062. p99 leaves 38:
 * none. */
static void interval_over_replications(void **state)
{
	(void)state;
	struct load load;
	struct latency l;

	fill(&load, 2, 2000, 100);
	latency_init(&l, &load, METRIC_TTFT);
	struct interval i = latency_interval(&l, 0.5, false);
	assert_near((i.low + i.high) / 2, 1050.5 * 1.005, 1e-6);
	assert_near((i.high - i.low) / 2, 12.7062 * 1050.5 * 0.01 / 2, 0.01);
	i = latency_interval(&l, 0.99, false);
	assert_true(isnan(i.low) && isnan(i.high));
	latency_free(&l);
	load_free(&load);
}

/* One replication: ten batches of 190, means 195.5, 385.5, ...: sd of 190 * (0..9). */
static void interval_over_batches(void **state)
{
	(void)state;
	struct load load;
	struct latency l;

	fill(&load, 1, 2000, 100);
	latency_init(&l, &load, METRIC_TTFT);
	struct interval i = latency_interval(&l, LATENCY_MEAN, false);
	assert_near((i.low + i.high) / 2, 1050.5, 1e-6);
	/* t(0.975, 9) = 2.262157, sd of 0..9 is 3.027650 */
	assert_near((i.high - i.low) / 2, 2.262157 * 190 * 3.027650 / sqrt(10), 1e-3);
	latency_free(&l);
	load_free(&load);
}

/* 19 of 1,900 rejected: the p99 of all 1,900 lies at rank 1880.01 of 1,881 served, p99.5 beyond. */
static void rejected_are_infinitely_late(void **state)
{
	(void)state;
	struct load load;
	struct latency l;

	fill(&load, 1, 2000, 100);
	for (int64_t i = 0; i < 19; i++)
		load.tally[0].ttft[100 + 100 * i] = load.tally[0].e2e[100 + 100 * i] = -1;
	latency_init(&l, &load, METRIC_TTFT);
	assert_int_equal(latency_count(&l), 1881);
	assert_near(latency_statistic(&l, 0.985, true), 1991, 10);
	assert_true(latency_statistic(&l, 0.985, true) > latency_statistic(&l, 0.985, false));
	assert_true(isinf(latency_statistic(&l, 0.995, true)));
	assert_true(isinf(latency_statistic(&l, 1, true)));
	assert_true(isinf(latency_statistic(&l, LATENCY_MEAN, true)));
	assert_near(latency_statistic(&l, 1, false), 2000, 1e-6);
	latency_free(&l);
	load_free(&load);
}

/* Without samples: the slices' sketches from the cut on, to 1/256. */
static void sketches_from_the_cut_on(void **state)
{
	(void)state;
	struct load load;
	struct latency l;
	struct tally_setup setup = {.requests = 2000, .pools = 1, .counters = {1}};

	load = (struct load){.replications = 1, .requests = 2000, .cut = 100, .first_slice = 1};
	load.tally = calloc(1, sizeof *load.tally);
	tally_init(load.tally, &setup);
	for (int64_t i = 0; i < 2000; i++) {
		int s = i < 1000 ? (int)(i / 100) : 10;

		histogram_add(&load.tally[0].slice[s].sketch[METRIC_E2E],
			      tick_from_s((double)(i + 1)), 1);
		histogram_add(&load.tally[0].slice[s].itl, tick_from_s(1 + s), 3);
		load.tally[0].slice[s].arrivals++;
		load.tally[0].slice[s].completed++;
	}
	latency_init(&l, &load, METRIC_E2E);
	assert_int_equal(latency_count(&l), 1900);
	assert_near(latency_statistic(&l, 0.5, false), 1050.5, 1050.5 / 256);
	latency_free(&l);
	latency_init(&l, &load, METRIC_ITL);
	assert_int_equal(latency_count(&l), 5700);
	assert_near(latency_statistic(&l, 0, false), 2, 2 / 256.0);
	latency_free(&l);
	load_free(&load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_what_is_measured),
		cmocka_unit_test(interval_over_replications),
		cmocka_unit_test(interval_over_batches),
		cmocka_unit_test(rejected_are_infinitely_late),
		cmocka_unit_test(sketches_from_the_cut_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
