/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "des/rng.h"
#include "study/capacity.h"
#include "study/replace.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"a100-sxm-80gb", "l4-24gb", "h100-sxm-80gb", NULL};

#define CHAT                                                                                       \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 2}, "                                 \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"seed\": 6}"
/* Medians well below saturation: short probes decide. */
#define SLO "{\"ttft_ms\": {\"p50\": 500}, \"tpot_ms\": {\"p50\": 30}}"

/* A single L4 holds it. */
#define LOOSE "{\"ttft_ms\": {\"p50\": 800}, \"tpot_ms\": {\"p50\": 80}}"

static void replace_from(struct replacement *r, struct fixture *f, size_t from, int64_t count,
			 const size_t *to, size_t to_count, int jobs, bool curve)
{
	struct replace_setup setup = {.base = {.scenario = &f->s,
					       .book = &f->book,
					       .replications = 1,
					       .jobs = jobs,
					       .rate_factor = 1,
					       .quiet = true},
				      .from = from,
				      .from_count = count,
				      .to = to,
				      .to_count = to_count,
				      .curve = curve};
	struct diag d;

	diag_init(&d);
	assert_true(replace_run(&setup, r, &d));
}

static void replace(struct replacement *r, struct fixture *f, int64_t count, const size_t *to,
		    size_t to_count, int jobs, bool curve)
{
	replace_from(r, f, 0, count, to, to_count, jobs, curve);
}

static void one_replaces_itself(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r;
	size_t to[] = {0};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	replace(&r, &f, 1, to, 1, 1, false);
	assert_int_equal(r.to[0].verdict, VERDICT_OK);
	assert_true(r.to[0].ratio == 1);
	assert_int_equal(r.to[0].units, 1);
	assert_true(r.to[0].max_rps == r.from.max_rps);
	assert_near(r.to[0].cost_ratio, 1, 0);
	assert_near(r.to[0].naive_bandwidth, 1, 0);
	replace_free(&r);
	/* Three behind a router carry at least three times as much, not four times. */
	replace(&r, &f, 3, to, 1, 2, false);
	assert_true(r.to[0].ratio >= 2.99 && r.to[0].ratio < 4);
	assert_int_equal(r.to[0].units, 3);
	assert_near(r.to[0].naive_compute, 3, 1e-12);
	replace_free(&r);
	fixture_free(&f);
}

/* The fleet that is named holds the rate, and the fleet that is named holds more. */
static void others_and_the_curve(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r;
	size_t to[] = {1, 2};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	replace(&r, &f, 1, to, 2, 1, true);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(r.to[i].verdict, VERDICT_OK);
		assert_true(r.to[i].max_rps >= r.from.max_rps);
		assert_near(r.to[i].ratio, r.from.max_rps / r.to[i].max_rps_each, 1e-12);
		assert_int_equal(r.to[i].count, r.to[i].units * r.to[i].tensor_parallel);
	}
	assert_true(r.to[0].ratio > 3 && r.to[1].ratio < 1);
	assert_int_equal(r.to[1].units, 1);
	/* A dollar a GPU and hour. */
	assert_near(r.to[0].cost_ratio, (double)r.to[0].count, 1e-9);
	assert_int_equal(r.points, 60);
	for (size_t i = 0; i < r.points; i++) {
		const struct cost_point *p = &r.point[i];

		assert_near(p->rate_rps, r.from.max_rps * (double)(i % 20 + 1) / 20, 1e-9);
		assert_true(p->holds && p->units >= 1);
		assert_near(p->usd_per_1k_requests, (double)p->count / 3600 / p->rate_rps * 1000,
			    1e-9);
		if (i % 20 > 0)
			assert_true(p->units >= p[-1].units);
	}
	assert_int_equal(r.point[19].units, 1);
	assert_int_equal(r.point[39].units, r.to[0].units);
	replace_free(&r);
	fixture_free(&f);
}

static void jobs_change_nothing(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement one, two;
	size_t to[] = {1};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	replace(&one, &f, 1, to, 1, 1, true);
	replace(&two, &f, 1, to, 1, 2, true);
	assert_true(one.from.max_rps == two.from.max_rps);
	assert_true(one.to[0].max_rps == two.to[0].max_rps);
	assert_int_equal(one.to[0].units, two.to[0].units);
	for (size_t i = 0; i < one.points; i++)
		assert_int_equal(one.point[i].units, two.point[i].units);
	replace_free(&one);
	replace_free(&two);
	fixture_free(&f);
}

/* A prompt of 1,000 tokens takes an L4 some 300 ms alone and no less than 150 in groups over PCIe;
 * an A100 70. */
static void cannot_with_the_reason(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r;
	size_t to[] = {1, 2};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, "{\"ttft_ms\": {\"p90\": 100}}");
	replace(&r, &f, 1, to, 2, 2, false);
	assert_int_equal(r.to[0].verdict, VERDICT_CANNOT);
	assert_non_null(strstr(r.to[0].reason, "ttft_ms p90"));
	assert_non_null(strstr(r.to[0].reason, "100 ms"));
	assert_int_equal(r.to[1].verdict, VERDICT_OK);
	replace_free(&r);
	fixture_free(&f);
	/* Nobody decodes in a millisecond: the from side holds no rate. */
	fixture_init(&f, "llama-3.1-8b", cards, CHAT, "{\"tpot_ms\": {\"p90\": 1}}");
	replace(&r, &f, 1, to, 2, 2, false);
	assert_near(r.from.max_rps, 0, 0);
	assert_int_equal(r.to[1].verdict, VERDICT_CANNOT);
	assert_non_null(strstr(r.to[1].reason, "a100-sxm-80gb itself holds no rate"));
	replace_free(&r);
	fixture_free(&f);
}

/* A 70B model takes two A100s and no single L4: the smallest degree that fits is found. */
static void groups_where_one_is_too_small(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r;
	size_t to[] = {1};

	fixture_init(&f, "llama-3.1-70b", cards, CHAT, "{}");
	replace(&r, &f, 2, to, 1, 2, false);
	assert_int_equal(r.from.tensor_parallel, 2);
	assert_int_equal(r.from.units, 1);
	assert_true(r.to[0].tensor_parallel >= 8);
	assert_int_equal(r.to[0].verdict, VERDICT_OK);
	assert_int_equal(r.to[0].count, r.to[0].units * r.to[0].tensor_parallel);
	replace_free(&r);
	replace(&r, &f, 1, to, 1, 2, false);
	assert_int_equal(r.from.verdict, VERDICT_CANNOT);
	assert_near(r.from.max_rps, 0, 0);
	replace_free(&r);
	fixture_free(&f);
}

/* An L4 reads an 8B's weights in 58 ms: a TPOT of 45 takes two. They hold what two hold that were
 * asked for, whatever one was found to serve. */
static void groups_where_one_is_too_slow(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r, two;
	size_t to[] = {1};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, "{\"tpot_ms\": {\"p50\": 45}}");
	replace(&r, &f, 2, to, 1, 2, false);
	f.s.deployment.tensor_parallel = 2;
	replace(&two, &f, 2, to, 1, 2, false);
	assert_int_equal(r.to[0].tensor_parallel, 2);
	assert_true(r.to[0].max_rps_each > 0);
	assert_true(r.to[0].max_rps_each == two.to[0].max_rps_each);
	replace_free(&r);
	replace_free(&two);
	fixture_free(&f);
}

/* What costs nothing to know: four of a GPU replace four of it. */
static void four_replace_four(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r;
	size_t to[] = {0};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	replace(&r, &f, 4, to, 1, 2, false);
	assert_int_equal(r.to[0].units, 4);
	assert_int_equal(r.to[0].count, 4);
	assert_true(r.to[0].max_rps == r.from.max_rps);
	assert_near(r.to[0].cost_ratio, 1, 0);
	replace_free(&r);
	fixture_free(&f);
}

/* Nor does a looser limit lower what is held. */
static void looser_holds_no_less(void **state)
{
	(void)state;
	static const char *const l4[] = {"l4-24gb", NULL};
	static const char *const slo[] = {"{\"ttft_ms\": {\"p50\": 200}}",
					  "{\"ttft_ms\": {\"p50\": 300}}",
					  "{\"ttft_ms\": {\"p50\": 2000}}", "{}"};
	double before = 0;

	for (int i = 0; i < 4; i++) {
		struct fixture f;
		struct replacement r;
		size_t to[] = {0};

		fixture_init(&f, "llama-3.1-8b", l4, CHAT, slo[i]);
		replace(&r, &f, 1, to, 1, 2, false);
		assert_true(r.to[0].max_rps_each >= before);
		before = r.to[0].max_rps_each;
		replace_free(&r);
		fixture_free(&f);
	}
}

static void scale_types(struct figure_by_type *f, double times)
{
	struct figure *figure = (struct figure *)f;

	for (size_t i = 0; i < sizeof *f / sizeof *figure; i++)
		figure[i].value *= times;
}

/* The card with its compute, bandwidth and memory so many times as much. */
static void scale(struct gpu *g, const double times[3])
{
	scale_types(&g->peak, times[0]);
	g->bandwidth.value *= times[1];
	g->memory.value *= times[2];
}

/* Of two random cards of equal efficiencies and times the one that is at least as good in
 * everything never takes more units, nor holds less, but for what is known of a rate. */
static void better_needs_no_more(void **state)
{
	(void)state;
	static const char *const pair[] = {"a100-sxm-80gb", "l4-24gb", "l4-24gb", NULL};
	uint64_t key = rng_key(20261201, "cards", 0), draw = 0;

	for (int i = 0; i < 6; i++) {
		double worse[3], better[3];
		struct fixture f;
		struct replacement r;
		size_t to[] = {1, 2};

		fixture_init(&f, "llama-3.1-8b", pair, CHAT, i % 2 ? "{}" : LOOSE);
		for (int k = 0; k < 3; k++) {
			worse[k] = 1 + rng_uniform_at(key, draw++);
			better[k] = worse[k] * (1 + fmax(0, rng_uniform_at(key, draw++) - 0.3));
		}
		scale(&f.candidate[1].gpu, worse);
		scale(&f.candidate[2].gpu, better);
		replace(&r, &f, 2, to, 2, 2, false);
		assert_true(r.to[1].units <= r.to[0].units);
		assert_true(r.to[1].max_rps_each >= (1 - CAPACITY_POINT) * r.to[0].max_rps_each);
		replace_free(&r);
		fixture_free(&f);
	}
}

/* With N the count of one A100 in L4s: N - 1 L4s are replaced by one, N by two, the unrounded ratio
 * just above 1; or by one, where N L4s hold no more, as far as that is known: fleets seen at rates
 * a thousandth apart differ by as much either way. */
static void both_ways_agree(void **state)
{
	(void)state;
	static const char *const slo[] = {
		SLO, "{}", "{\"ttft_ms\": {\"p90\": 700}, \"tpot_ms\": {\"p90\": 90}}",
		"{\"e2e_ms\": {\"p90\": 16000}, \"attainment\": 0.9}",
		"{\"ttft_ms\": {\"p95\": 1100}, \"tpot_ms\": {\"p95\": 80}}"};

	for (size_t i = 0; i < sizeof slo / sizeof *slo; i++) {
		struct fixture f;
		struct replacement r;
		size_t to[] = {1}, back[] = {0};

		fixture_init(&f, "llama-3.1-8b", cards, CHAT, slo[i]);
		replace(&r, &f, 1, to, 1, 2, false);
		int64_t n = r.to[0].units, tp = r.to[0].tensor_parallel;
		double held = r.from.max_rps;

		assert_true(n > 1);
		assert_true(r.to[0].max_rps >= held);
		replace_free(&r);
		replace_from(&r, &f, to[0], (n - 1) * tp, back, 1, 2, false);
		assert_int_equal(r.to[0].units, 1);
		assert_true(r.to[0].ratio <= 1);
		replace_free(&r);
		replace_from(&r, &f, to[0], n * tp, back, 1, 2, false);
		assert_int_equal(r.to[0].units, r.to[0].ratio > 1 + 1e-9 ? 2 : 1);
		assert_true(r.to[0].ratio >= 1 - CAPACITY_POINT &&
			    r.to[0].ratio < (double)n / (double)(n - 1));
		replace_free(&r);
		fixture_free(&f);
	}
}

/* Intervals come from the replications; they, not the threads, make the answer. */
static struct replacement replace_doubting(struct fixture *f, size_t to, int jobs)
{
	struct replacement r;
	struct replace_setup setup = {.base = {.scenario = &f->s,
					       .book = &f->book,
					       .replications = 1,
					       .jobs = jobs,
					       .rate_factor = 1,
					       .quiet = true,
					       .constants = true},
				      .from_count = 1,
				      .to = &to,
				      .to_count = 1};
	struct diag d;

	diag_init(&d);
	assert_true(replace_run(&setup, &r, &d));
	return r;
}

/* A GPU against itself: whatever its constants are, they are so on both sides. */
static void constants_cancel(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	struct replacement r = replace_doubting(&f, 0, 2);
	assert_true(r.to[0].ratio_interval_constants.low == 1);
	assert_true(r.to[0].ratio_interval_constants.high == 1);
	assert_true(r.to[0].units_interval_constants.low == 1);
	assert_true(r.to[0].units_interval_constants.high == 1);
	assert_string_equal(r.to[0].largest_constant, "");
	replace_free(&r);
	fixture_free(&f);
}

static double doubt(struct fixture *f, int jobs)
{
	struct replacement r = replace_doubting(f, 1, jobs);
	struct interval i = r.to[0].ratio_interval_constants,
			units = r.to[0].units_interval_constants;

	assert_true(i.low < r.to[0].ratio && r.to[0].ratio < i.high);
	assert_true(units.low <= (double)r.to[0].units && (double)r.to[0].units <= units.high);
	assert_true(r.to[0].largest_constant_share > 0.1);
	replace_free(&r);
	return log(i.high / i.low);
}

/* What is assumed of one side widens it, the engine's times hardly do, and jobs change nothing. */
static void constants_widen(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, LOOSE);
	struct figure *mfu = (struct figure *)gpu_mfu(&f.candidate[1].gpu, COMPUTE_BF16);
	mfu->sigma = (double)NAN;
	mfu->origin = ORIGIN_FITTED;
	double fitted = doubt(&f, 1);
	assert_true(doubt(&f, 4) == fitted);
	mfu->origin = ORIGIN_ASSUMED;
	assert_true(doubt(&f, 2) > 1.2 * fitted);
	fixture_free(&f);
}

static void replications_make_the_interval(void **state)
{
	(void)state;
	struct fixture f;
	struct replacement r[2];
	size_t to[] = {1, 2};

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, SLO);
	for (int i = 0; i < 2; i++) {
		struct replace_setup setup = {.base = {.scenario = &f.s,
						       .book = &f.book,
						       .replications = 3,
						       .jobs = i + 1,
						       .rate_factor = 1,
						       .quiet = true},
					      .from_count = 2,
					      .to = to,
					      .to_count = 2};
		struct diag d;

		diag_init(&d);
		assert_true(replace_run(&setup, &r[i], &d));
	}
	for (int i = 0; i < 2; i++) {
		const struct replace_side *a = &r[0].to[i], *b = &r[1].to[i];

		assert_true(a->ratio == b->ratio && a->max_rps == b->max_rps);
		assert_true(a->ratio_interval.low == b->ratio_interval.low);
		assert_int_equal(a->simulations, b->simulations);
		assert_true(a->ratio_interval.low < a->ratio && a->ratio < a->ratio_interval.high);
		assert_true(a->ratio_interval.high < a->ratio_interval.low * 1.04);
		assert_in_range(a->units, a->units_interval.low, a->units_interval.high);
	}
	replace_free(&r[0]);
	replace_free(&r[1]);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_replaces_itself),
		cmocka_unit_test(others_and_the_curve),
		cmocka_unit_test(jobs_change_nothing),
		cmocka_unit_test(cannot_with_the_reason),
		cmocka_unit_test(groups_where_one_is_too_small),
		cmocka_unit_test(groups_where_one_is_too_slow),
		cmocka_unit_test(four_replace_four),
		cmocka_unit_test(looser_holds_no_less),
		cmocka_unit_test(better_needs_no_more),
		cmocka_unit_test(both_ways_agree),
		cmocka_unit_test(constants_cancel),
		cmocka_unit_test(constants_widen),
		cmocka_unit_test(replications_make_the_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
