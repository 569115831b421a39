/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/capacity.h"
#include "study/capacity_result.h"
#include "study/needs_rate.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"l40s-48gb", "t4-16gb", "a100-sxm-80gb", NULL};

/* Short: a median leaves enough samples beyond it. */
#define CHAT(arrivals)                                                                             \
	"{\"arrivals\": {" arrivals "}, "                                                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"seed\": 5}"
#define POISSON "\"process\": \"poisson\", \"rate\": 0.5"

static void find(struct capacity_result *r, struct fixture *f, size_t candidate, int jobs)
{
	struct evaluate_setup setup = {.scenario = &f->s,
				       .book = &f->book,
				       .replications = 3,
				       .jobs = jobs,
				       .rate_factor = 1,
				       .quiet = true};
	struct diag d;

	diag_init(&d);
	assert_true(capacity_result_find(r, &setup, candidate, &d));
}

/* `at` is the load at max_rps, whatever the scenario's rate. */
static void the_run_is_at_the_rate_found(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity_result r, again;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT(POISSON), "{\"e2e_ms\": {\"p50\": 2000}}");
	find(&r, &f, 2, 2);
	assert_int_equal(r.verdict, VERDICT_OK);
	assert_string_equal(r.gpu, "a100-sxm-80gb");
	assert_string_equal(r.limited_by, "e2e_ms p50");
	assert_true(r.interval.low < r.max_rps && r.max_rps < r.interval.high);
	assert_true(r.certain);
	assert_non_null(r.at);
	assert_near(r.at->offered_rps, r.max_rps, 0.03 * r.max_rps);
	assert_near(r.at->latency_s[METRIC_E2E][Q_P50], 2, 0.03);
	/* a dollar an hour */
	assert_near(r.usd_per_1k_requests, 1000 / (3600 * r.max_rps), 1e-12);
	find(&again, &f, 2, 1);
	assert_true(again.max_rps == r.max_rps);
	assert_true(again.at->latency_s[METRIC_E2E][Q_P99] == r.at->latency_s[METRIC_E2E][Q_P99]);
	capacity_result_free(&again);
	capacity_result_free(&r);
	fixture_free(&f);
}

/* The interval from constants, with the one that matters most; the run at the rate has none. */
static void constants_are_moved_where_asked(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity_result r;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT(POISSON), "{\"e2e_ms\": {\"p50\": 2000}}");
	find(&r, &f, 2, 2);
	assert_null(r.interval_constants);
	capacity_result_free(&r);
	struct evaluate_setup setup = {.scenario = &f.s,
				       .book = &f.book,
				       .replications = 1,
				       .jobs = 2,
				       .rate_factor = 1,
				       .quiet = true,
				       .constants = true};
	f.candidate[2].gpu.mbu.sigma = 0.4 * f.candidate[2].gpu.mbu.value;
	f.candidate[2].gpu.mbu.origin = ORIGIN_ASSUMED;
	struct diag d;
	diag_init(&d);
	assert_true(capacity_result_find(&r, &setup, 2, &d));
	const struct capacity_constants *c = r.interval_constants;
	assert_non_null(c);
	assert_true(c->max_rps.low < 0.95 * r.max_rps && c->max_rps.high > 1.05 * r.max_rps);
	assert_string_equal(c->largest, "mbu of a100-sxm-80gb (assumed)");
	assert_null(r.at->interval_constants);
	capacity_result_free(&r);
	fixture_free(&f);
}

static void without_limits_it_is_the_saturated_throughput(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity_result r;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT(POISSON), "{}");
	find(&r, &f, 2, 2);
	assert_string_equal(r.limited_by, "saturation");
	assert_near(r.max_rps, CAPACITY_SHARE * r.saturated_rps, 1e-12);
	assert_near(r.at->saturated_rps, r.saturated_rps, 1e-12);
	capacity_result_free(&r);
	fixture_free(&f);
}

static void nothing_is_run_where_there_is_no_rate(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity_result r;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT(POISSON), "{\"ttft_ms\": {\"p50\": 1}}");
	find(&r, &f, 0, 2);
	assert_int_equal(r.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(r.reason, "each request alone, ttft_ms p50 is "));
	assert_non_null(strstr(r.reason, "the limit is 1 ms"));
	assert_true(r.max_rps == 0);
	assert_null(r.at);
	assert_true(isnan(r.usd_per_1k_requests));
	capacity_result_free(&r);
	find(&r, &f, 1, 2); /* 16 GB of weights */
	assert_int_equal(r.verdict, VERDICT_DOES_NOT_FIT);
	assert_non_null(strstr(r.reason, "missing"));
	assert_true(isnan(r.max_rps) && isnan(r.saturated_rps));
	assert_null(r.at);
	capacity_result_free(&r);
	fixture_free(&f);
}

/* A schedule is one run that ends: at the rate found it is the very run that held. */
static void a_schedule_has_no_interval(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity_result r;

	fixture_init(&f, "llama-3.1-8b", cards,
		     CHAT("\"process\": \"schedule\", \"slot_s\": 60, \"rates\": [1, 4, 2]"),
		     "{\"ttft_ms\": {\"p90\": 1000}}");
	find(&r, &f, 0, 2);
	assert_int_equal(r.verdict, VERDICT_OK);
	assert_true(isnan(r.interval.low));
	assert_int_equal(r.at->verdict, VERDICT_OK);
	assert_true(r.certain);
	capacity_result_free(&r);
	fixture_free(&f);
}

static void traffic_without_a_rate(void **state)
{
	(void)state;
	static const char *const arrivals[] = {
		CHAT("\"process\": \"closed\", \"concurrency\": 4, \"think_s\": 0"),
		CHAT("\"process\": \"offline\"")};
	static const char *const said[] = {"not closed", "not offline"};

	for (int i = 0; i < 2; i++) {
		struct fixture f;
		struct diag d;

		diag_init(&d);
		fixture_init(&f, "llama-3.1-8b", cards, arrivals[i], "{}");
		assert_false(needs_rate(&f.s, "this compares rates", &d));
		assert_non_null(strstr(d.message, "this compares rates: it needs"));
		assert_non_null(strstr(d.message, said[i]));
		assert_string_equal(d.path, "traffic.arrivals.process");
		fixture_free(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_run_is_at_the_rate_found),
		cmocka_unit_test(constants_are_moved_where_asked),
		cmocka_unit_test(without_limits_it_is_the_saturated_throughput),
		cmocka_unit_test(nothing_is_run_where_there_is_no_rate),
		cmocka_unit_test(a_schedule_has_no_interval),
		cmocka_unit_test(traffic_without_a_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
