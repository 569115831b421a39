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

#include "study/side.h"
#include "unit/study/fixture.h"

#define TRAFFIC                                                                                    \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, \"output\": 20}"

static const char *const cards[] = {"l4-24gb", NULL};

struct world {
	struct fixture f;
	struct evaluate_setup base;
	struct replace_side result;
	struct side s;
};

static void begin(struct world *w, const char *slo, int64_t gpus)
{
	memset(w, 0, sizeof *w);
	fixture_init(&w->f, "llama-3.1-8b", cards, TRAFFIC, slo);
	w->base = (struct evaluate_setup){
		.scenario = &w->f.s, .book = &w->f.book, .replications = 1, .jobs = 1};
	w->s = (struct side){
		.base = &w->base, .candidate = &w->f.candidate[0], .result = &w->result};
	diag_init(&w->s.diag);
	side_settle(&w->s, gpus);
}

static void end(struct world *w)
{
	side_free(&w->s);
	fixture_free(&w->f);
}

/* Without an SLO n units hold n times the rate of one, and not more. */
static void units_without_an_slo(void **state)
{
	(void)state;
	static const struct {
		double times;
		int64_t known, units;
	} c[] = {{0.01, 0, 1}, {1, 0, 1},   {1.01, 0, 2}, {2.5, 0, 3},
		 {3, 0, 3},    {7.2, 0, 8}, {2.5, 5, 3},  {3.2, 3, 3}};
	struct world w;
	struct probe found;

	begin(&w, "{}", 0);
	assert_int_equal(w.result.verdict, VERDICT_OK);
	assert_int_equal(w.result.tensor_parallel, 1);
	for (size_t i = 0; i < sizeof c / sizeof *c; i++)
		assert_int_equal(
			side_units(&w.s, c[i].times * w.s.each.max_rps, c[i].known, 0, &found),
			c[i].units);
	end(&w);
}

/* The fleet found holds the rate in its probe, and one unit less does not; what is known needs
 * none. */
static void the_fewest_hold(void **state)
{
	(void)state;
	struct world w;
	struct probe found;
	struct capacity fleet;

	begin(&w, "{\"ttft_ms\": {\"p50\": 300}}", 0);
	double rate = 2.2 * w.s.each.max_rps;
	int64_t units = side_units(&w.s, rate, 0, 0, &found);

	assert_in_range(units, 2, 3);
	assert_true(found.holds && found.rate_rps == rate);
	assert_true(side_fleet(&w.s, units, &found, &fleet));
	assert_true(fleet.max_rps >= rate);
	assert_true(side_fleet(&w.s, units - 1, NULL, &fleet));
	assert_true(fleet.max_rps < rate);
	assert_int_equal(side_units(&w.s, rate, units, 0, &found), units);
	assert_true(found.rate_rps == 0);
	end(&w);
}

/* Groups of two make no three; no degree decodes a token in 0.1 ms. */
static void reasons(void **state)
{
	(void)state;
	struct world w;

	begin(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 3);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "tpot_ms p50"));
	assert_non_null(strstr(w.result.reason, "tensor_parallel 1"));
	end(&w);
	begin(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 0);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "the best degree that fits"));
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_without_an_slo),
		cmocka_unit_test(the_fewest_hold),
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
