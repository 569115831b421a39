/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cheapest mix against every composition simulated; limits, prices, and why there is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "study/mix_trial.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"l4-24gb", "a100-sxm-80gb", NULL};

#define TRAFFIC(rate)                                                                              \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": " rate "}, "                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 800, \"cv\": 1.5, \"max\": 3500}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 100, \"cv\": 1, \"max\": 500}, "          \
	"\"seed\": 3}"
/* Medians: short probes decide. */
#define SLO "{\"ttft_ms\": {\"p50\": 1000}, \"tpot_ms\": {\"p50\": 80}}"

struct question {
	struct fixture f;
	int64_t limit[4];
	struct mix_setup setup;
	struct mix m;
};

static void begin(struct question *q, const char *traffic, const char *slo, double usd_small,
		  double usd_large)
{
	fixture_init(&q->f, "llama-3.1-8b", cards, traffic, slo);
	q->f.candidate[0].price_override = usd_small;
	q->f.candidate[1].price_override = usd_large;
	for (int i = 0; i < 4; i++)
		q->limit[i] = INT64_MAX;
	q->setup = (struct mix_setup){.base = {.scenario = &q->f.s,
					       .book = &q->f.book,
					       .replications = 1,
					       .jobs = 1,
					       .rate_factor = 1,
					       .quiet = true},
				      .limit = q->limit};
}

static void find(struct question *q)
{
	struct diag d;

	diag_init(&d);
	assert_true(mix_find(&q->m, &q->setup, &d));
}

static void release(struct question *q)
{
	mix_free(&q->m);
	fixture_free(&q->f);
}

static int64_t units_of(const struct mix_fleet *f, size_t candidate)
{
	const struct mix_pool *p = f->pools.data;
	int64_t units = 0;

	for (size_t i = 0; i < f->pools.count; i++)
		if (p[i].candidate == candidate)
			units += p[i].units;
	return units;
}

/* The cheapest of all small compositions, each simulated behind each router. */
static double try_all(struct question *q, int64_t small, int64_t large)
{
	struct mix_types types;
	double least = INFINITY;
	struct diag d;

	diag_init(&d);
	assert_true(mix_type_find_all(&types, &q->setup, &d));
	assert_int_equal(types.types, 2);
	for (int64_t a = 0; a <= small; a++)
		for (int64_t b = 0; b <= large; b++) {
			struct programme_units units = {{a, b}};
			struct mix_trial t;

			assert_true(mix_trial_run(&t, &types, &units, &d));
			if (t.router >= 0)
				least = fmin(least,
					     (double)a * q->f.candidate[0].price_override +
						     (double)b * q->f.candidate[1].price_override);
		}
	mix_type_free_all(&types);
	return least;
}

/* Each class goes somewhere, and all of them are the load. */
static void check_classes(const struct mix_fleet *f)
{
	const struct mix_class *c = f->classes.data;
	const struct mix_pool *p = f->pools.data;
	double share = 0;

	for (size_t i = 0; i < f->classes.count; i++) {
		const double *fraction = c[i].fractions.data;

		assert_int_equal(c[i].fractions.count, 2);
		assert_near(fraction[0] + fraction[1], 1, 1e-9);
		share += c[i].share;
	}
	assert_near(share, 1, 1e-9);
	assert_near(p[0].share + p[1].share, 1, 1e-9);
}

/* An A100 and some L4 hold what two A100 would. */
static void cheapest_of_all(void **state)
{
	(void)state;
	struct question q;

	begin(&q, TRAFFIC("24"), SLO, 0.7, 3.67);
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_OK);
	assert_near(q.m.best.usd_per_hour, try_all(&q, 6, 2), 1e-9);
	assert_int_equal(q.m.best.pools.count, 2);
	assert_true(q.m.best.usd_per_hour < q.m.alone[0].usd_per_hour);
	assert_true(q.m.best.usd_per_hour < q.m.alone[1].usd_per_hour);
	assert_true(q.m.best.search->proven);
	assert_near(q.m.best.usd_per_1k_requests, q.m.best.usd_per_hour / 3.6 / 24, 1e-9);
	check_classes(&q.m.best);
	release(&q);
}

/* Whatever the prices, the mix costs no more than the cheapest fleet of one kind. */
static void never_dearer(void **state)
{
	(void)state;
	static const double usd_small[] = {0.3, 1};

	for (size_t i = 0; i < 2; i++) {
		struct question q;

		begin(&q, TRAFFIC("9"), SLO, usd_small[i], 3);
		find(&q);
		assert_int_equal(q.m.best.verdict, VERDICT_OK);
		assert_true(q.m.best.usd_per_hour <=
			    fmin(q.m.alone[0].usd_per_hour, q.m.alone[1].usd_per_hour) + 1e-9);
		release(&q);
	}
}

static void limits_hold(void **state)
{
	(void)state;
	struct question q;

	begin(&q, TRAFFIC("24"), SLO, 0.7, 3.67);
	q.limit[1] = 1;
	q.limit[0] = 40;
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_OK);
	assert_true(units_of(&q.m.best, 1) <= 1);
	/* By itself it would take two: shown, with the limit as the reason. */
	assert_int_equal(q.m.alone[1].verdict, VERDICT_CANNOT);
	assert_int_equal(units_of(&q.m.alone[1], 1), 2);
	assert_non_null(strstr(q.m.alone[1].reason, "limit is 1"));
	release(&q);
}

static void too_little_to_be_had(void **state)
{
	(void)state;
	struct question q;

	begin(&q, TRAFFIC("24"), SLO, 0.7, 3.67);
	q.limit[0] = q.limit[1] = 1;
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_CANNOT);
	assert_int_equal(q.m.best.pools.count, 0);
	assert_true(q.m.best.max_rps > 14 && q.m.best.max_rps < 24);
	assert_non_null(strstr(q.m.best.reason, "1 l4-24gb, 1 a100-sxm-80gb"));
	release(&q);
}

static void nothing_to_be_had(void **state)
{
	(void)state;
	struct question q;

	begin(&q, TRAFFIC("2"), SLO, 0.7, 3.67);
	q.limit[0] = 0;
	q.f.candidate[1].price_override = NAN;
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(q.m.best.reason, "l4-24gb: its limit is 0"));
	assert_non_null(strstr(q.m.best.reason, "a100-sxm-80gb: no price"));
	release(&q);
}

static void out_of_reach(void **state)
{
	(void)state;
	struct question q;

	begin(&q, TRAFFIC("2"), "{\"ttft_ms\": {\"p50\": 0.1}}", 0.7, 3.67);
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(q.m.best.reason, "even with each request alone"));
	release(&q);
}

/* Long prompts are out of the L4's reach: it is a type for the short ones alone, or of two GPUs. */
static void short_prompts_alone(void **state)
{
	(void)state;
	struct question q;
	struct mix_types types;
	struct diag d;

	diag_init(&d);
	begin(&q, TRAFFIC("8"), "{\"ttft_ms\": {\"p90\": 200}}", 0.7, 3.67);
	assert_true(mix_type_find_all(&types, &q.setup, &d));
	assert_true(types.types >= 2);
	const struct mix_type *first = types.type[0], *second = types.type[1];
	assert_int_equal(first->candidate, 0);
	if (second->candidate == 0) {
		assert_true(first->whole && !second->whole);
		assert_true(first->side.unit.tp > second->side.unit.tp);
		assert_true(second->of_class[0].max_rps > 0);
	} else {
		assert_false(first->whole);
	}
	mix_type_free_all(&types);
	find(&q);
	assert_int_equal(q.m.best.verdict, VERDICT_OK);
	release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheapest_of_all),	cmocka_unit_test(never_dearer),
		cmocka_unit_test(limits_hold),		cmocka_unit_test(nothing_to_be_had),
		cmocka_unit_test(too_little_to_be_had), cmocka_unit_test(out_of_reach),
		cmocka_unit_test(short_prompts_alone),
	};

	if (!mix_is_built())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
