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

#include "study/unit_count.h"
#include "unit/study/fixture_side.h"

static struct unit_count find(struct fixture_side *w, double rate, int64_t known)
{
	struct unit_count_setup setup = {.rate_rps = rate, .known = known};
	struct unit_count c;

	unit_count_find(&c, &w->s, &setup);
	assert_false(w->s.failed);
	return c;
}

static int64_t count(struct fixture_side *w, double rate, int64_t known)
{
	return find(w, rate, known).units;
}

/* Without an SLO n units hold n times the rate of one, and not more; no probe is needed. */
static void without_an_slo(void **state)
{
	(void)state;
	static const struct {
		double times;
		int64_t known, units;
	} c[] = {{0.01, 0, 1}, {1, 0, 1},   {1.01, 0, 2}, {2.5, 0, 3},
		 {3, 0, 3},    {7.2, 0, 8}, {2.5, 5, 3},  {3.2, 3, 3}};
	struct fixture_side w;

	fixture_side_init(&w, "{}", 0, 1);
	assert_int_equal(w.result.verdict, VERDICT_OK);
	for (size_t i = 0; i < sizeof c / sizeof *c; i++)
		assert_int_equal(count(&w, c[i].times * w.s.each.max_rps, c[i].known), c[i].units);
	assert_int_equal(w.s.counted.probes, 0);
	fixture_side_free(&w);
}

/* Whether a fleet holds a rate, as a probe of its own sees it. */
static bool holds(struct fixture_side *w, double rate, int64_t units)
{
	struct fleet fleet = fleet_of(&w->s.unit, w->s.candidate, units);
	struct probe_setup setup = side_setup(&w->s, &fleet).fleet;
	struct probe p;
	struct diag d;

	diag_init(&d);
	if (rate > CAPACITY_SHARE * (double)units * w->s.each.saturated_rps)
		return false;
	assert_true(probe_look(&p, &setup, rate, 400000, &d));
	return p.holds;
}

/* Counting from one up, each fleet simulated with more requests, ends at the same; where the
 * interval holds another count it may be that. */
static void the_fewest_of_all(void **state)
{
	(void)state;
	static const double times[] = {0.7, 1.3, 2.2, 3.6, 5.9};
	static const char *const slo[] = {"{\"ttft_ms\": {\"p50\": 300}}",
					  "{\"tpot_ms\": {\"p90\": 90}}",
					  "{\"e2e_ms\": {\"p99\": 2500}}",
					  "{\"e2e_ms\": {\"p90\": 2500}, \"attainment\": 0.9}"};

	int alone = 0;

	for (size_t j = 0; j < sizeof slo / sizeof *slo; j++) {
		struct fixture_side w;

		fixture_side_init(&w, slo[j], 0, 2);
		assert_int_equal(w.result.verdict, VERDICT_OK);
		for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
			double rate = times[i] * w.s.each.max_rps;
			int64_t units = 1;

			while (!holds(&w, rate, units))
				units++;
			struct unit_count c = find(&w, rate, 0);

			bool certain = c.interval.low == c.interval.high;

			alone += certain;
			assert_in_range(c.units, units - !certain, units + !certain);
			assert_in_range(units, c.interval.low, c.interval.high);
		}
		fixture_side_free(&w);
	}
	assert_in_range(alone, 12, 20);
}

/* What the fleets around the count hold agrees; what is known needs no probe. */
static void capacities_agree(void **state)
{
	(void)state;
	struct fixture_side w;
	struct capacity fleet;

	fixture_side_init(&w, "{\"ttft_ms\": {\"p50\": 300}}", 0, 1);
	assert_int_equal(w.result.verdict, VERDICT_OK);
	double rate = 2.2 * w.s.each.max_rps;
	int64_t units = count(&w, rate, 0);

	assert_in_range(units, 2, 3);
	assert_true(side_fleet(&w.s, units, &fleet));
	assert_true(fleet.max_rps >= rate);
	assert_true(side_fleet(&w.s, units - 1, &fleet));
	assert_true(fleet.max_rps < rate);
	assert_int_equal(count(&w, rate, units), units);
	assert_true(w.s.counted.probes <= 2);
	fixture_side_free(&w);
}

/* Two L40S miss the limits by so much that no chance makes it two: the count is certain, though two
 * have no interval of their own. */
static void a_far_miss_is_certain(void **state)
{
	(void)state;
	static const char *const cards[] = {"l40-48gb", NULL};
	struct fixture_side w = {0};

	fixture_init(&w.f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 2}, "
		     "\"input\": {\"dist\": \"lognormal\", \"mean\": 1024, \"cv\": 0.9, "
		     "\"max\": 8192}, \"output\": {\"dist\": \"lognormal\", \"mean\": 256, "
		     "\"cv\": 0.8, \"min\": 1, \"max\": 2048}}",
		     "{\"ttft_ms\": {\"p99\": 2000}, \"tpot_ms\": {\"p99\": 100}}");
	fixture_side_settle(&w, 0, 2);
	assert_int_equal(w.result.verdict, VERDICT_OK);
	struct unit_count c = find(&w, 9.07, 0);
	assert_int_equal(c.units, 3);
	assert_true(c.interval.low == 3 && c.interval.high == 3);
	fixture_side_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_an_slo),
		cmocka_unit_test(the_fewest_of_all),
		cmocka_unit_test(capacities_agree),
		cmocka_unit_test(a_far_miss_is_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
