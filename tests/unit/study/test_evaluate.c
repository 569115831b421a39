/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "roofline/power.h"
#include "study/evaluate.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"h100-sxm-80gb", "l4-24gb", NULL};

#define CHAT(rate, more)                                                                           \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": " rate "}, "                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"seed\": 5" more "}"
#define SLO "{\"ttft_ms\": {\"p99\": 2000}, \"tpot_ms\": {\"p99\": 100}}"

static void run(struct outcome *o, struct fixture *f, size_t candidate, int replications, int jobs)
{
	struct evaluate_setup setup = {.scenario = &f->s,
				       .book = &f->book,
				       .replications = replications,
				       .jobs = jobs,
				       .rate_factor = 1,
				       .quiet = true};
	struct diag d;

	diag_init(&d);
	assert_true(evaluate(&setup, candidate, o, &d));
}

static void an_ordinary_load(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("4", ""), SLO);
	run(&o, &f, 0, 5, 2);
	assert_int_equal(o.verdict, VERDICT_OK);
	assert_string_equal(o.reason, "");
	assert_true(o.certain);
	/* auto: 100,000 and once more the warm-up, in twentieths */
	assert_int_equal(o.resolved.warmup % 5000, 0);
	assert_int_equal(o.resolved.requests, 100000 + o.resolved.warmup);
	assert_int_equal(o.offered, o.resolved.requests);
	assert_int_equal(o.completed + o.rejected, o.offered);
	/* five times 100,000 gaps: 0.14 % */
	assert_near(o.offered_rps, 4, 0.025);
	assert_near(o.requests_per_s, o.offered_rps, 0.02);
	assert_near(o.idle_share, 1 - o.offered_rps / o.saturated_rps, 1e-12);
	assert_near(o.attainment, 1, 0.01);
	assert_near(o.goodput_rps, o.requests_per_s * o.attainment, 0.01);
	assert_near(o.output_tokens_per_s, o.requests_per_s * f.s.facts.output_mean, 2);
	/* a dollar an hour over the rate offered */
	assert_near(o.usd_per_1k_requests, 1000 / 3600.0 / o.offered_rps, 1e-9);
	assert_near(o.usd_per_1k_requests_saturated, 1000 / 3600.0 / o.saturated_rps, 1e-9);
	assert_near(o.usd_per_1k_requests_saturated + o.usd_per_1k_requests_idle,
		    o.usd_per_1k_requests, 1e-15);
	assert_near(o.usd_per_1k_requests_idle, o.idle_share * o.usd_per_1k_requests, 1e-12);
	assert_true(o.idle_share > 0 && o.idle_share < 1);
	assert_near(o.usd_per_1m_tokens,
		    o.usd_per_1k_requests * 1e3 * o.requests_per_s / o.total_tokens_per_s, 1e-9);
	/* Little: sequences in the batch, while busy */
	assert_true(o.use.busy > 0 && o.use.busy <= 1);
	assert_near(o.use.batch_mean * o.use.busy,
		    o.requests_per_s * (o.latency_s[METRIC_E2E][Q_MEAN] -
					o.latency_s[METRIC_QUEUE][Q_MEAN] - 0.0036),
		    0.01 * o.use.batch_mean);
	assert_true(o.ttft_p99.low < o.latency_s[METRIC_TTFT][Q_P99] * 1.02 &&
		    o.ttft_p99.high > o.latency_s[METRIC_TTFT][Q_P99] * 0.98);
	for (int m = 0; m < METRICS; m++)
		for (int q = Q_P50; q < Q_MAX; q++)
			assert_true(o.latency_s[m][q] <= o.latency_s[m][q + 1]);
	assert_true(o.use.mfu > 0 && o.use.mfu < 1 && o.use.mbu > 0 && o.use.mbu < 1);
	assert_true(o.watts > power_idle_w(&f.candidate[0].gpu) &&
		    o.watts < f.candidate[0].gpu.tdp_w.value);
	assert_near(o.joules_per_request, o.watts / o.offered_rps, 0.01 * o.joules_per_request);
	assert_true(o.provenance.count > 3);
	outcome_free(&o);
	fixture_free(&f);
}

static void jobs_change_nothing(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome one, three;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("4", ", \"requests\": 3000"), SLO);
	run(&one, &f, 0, 3, 1);
	run(&three, &f, 0, 3, 3);
	assert_memory_equal(one.latency_s, three.latency_s, sizeof one.latency_s);
	assert_memory_equal(&one.ttft_p99, &three.ttft_p99, sizeof one.ttft_p99);
	assert_true(one.watts == three.watts && one.use.mfu == three.use.mfu);
	/* 9,000 requests leave 90 beyond a p99 */
	assert_true(isnan(one.ttft_p99.low));
	assert_false(one.certain);
	outcome_free(&one);
	outcome_free(&three);
	fixture_free(&f);
}

/* Four arrivals a second, to the tick; 1,500 of 3,000 are cut off: measured are the seconds from
 * 375 on. */
static void rates_to_the_tick(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"constant\", \"rate\": 4}, \"input\": 100, "
		     "\"output\": 50, \"requests\": 3000, \"warmup\": 1500}",
		     SLO);
	run(&o, &f, 0, 2, 1);
	assert_int_equal(o.resolved.warmup, 1500);
	assert_int_equal(o.offered, 3000);
	assert_near(o.offered_rps, 4, 1e-9);
	/* 1,500 in 1,499 gaps and the last one's time in system */
	assert_near(o.requests_per_s, 1500 / (1499 / 4.0 + o.latency_s[METRIC_E2E][Q_P50]), 1e-3);
	assert_near(o.output_tokens_per_s, 50 * o.requests_per_s, 1e-6);
	assert_near(o.total_tokens_per_s, 150 * o.requests_per_s, 1e-6);
	outcome_free(&o);
	fixture_free(&f);
}

/* Near saturation the start from empty shows: it is cut, and as many requests are added. */
static void auto_runs_once_more_for_the_warm_up(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("2.72", ""), "{\"ttft_ms\": {\"p50\": 2000}}");
	run(&o, &f, 1, 2, 2);
	assert_true(o.resolved.warmup > 0);
	assert_int_equal(o.resolved.warmup % 100, 0);
	assert_int_equal(o.resolved.requests, 2000 + o.resolved.warmup);
	outcome_free(&o);
	fixture_free(&f);
}

static void more_than_it_can(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("40", ", \"requests\": 30000"), SLO);
	run(&o, &f, 1, 2, 2);
	assert_int_equal(o.verdict, VERDICT_OVERLOADED);
	assert_int_equal(o.resolved.warmup, 0);
	assert_near(o.idle_share, 0, 0);
	assert_true(o.saturated_rps < 40);
	assert_non_null(strstr(o.reason, "saturated at"));
	/* overloaded: over what is served */
	assert_near(o.usd_per_1k_requests, 1000 / 3600.0 / o.requests_per_s, 1e-9);
	assert_near(o.usd_per_1k_requests_saturated, 1000 / 3600.0 / o.saturated_rps, 1e-9);
	assert_true(isnan(o.usd_per_1k_requests_idle));
	assert_near(o.requests_per_s, o.saturated_rps, 0.1 * o.saturated_rps);
	outcome_free(&o);
	fixture_free(&f);
}

static void too_slow(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("1", ", \"requests\": 30000"),
		     "{\"tpot_ms\": {\"p50\": 30}}");
	run(&o, &f, 1, 2, 2);
	assert_int_equal(o.verdict, VERDICT_SLO_MISSED);
	assert_true(o.certain);
	assert_non_null(strstr(o.reason, "tpot_ms p50"));
	assert_non_null(strstr(o.reason, "30 ms"));
	assert_near(o.attainment, 0, 0.05);
	outcome_free(&o);
	fixture_free(&f);
}

static void too_large(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-70b", cards, CHAT("1", ""), SLO);
	run(&o, &f, 1, 2, 2);
	assert_int_equal(o.verdict, VERDICT_DOES_NOT_FIT);
	assert_true(strlen(o.reason) > 10);
	assert_true(isnan(o.requests_per_s) && isnan(o.usd_per_1k_requests) && isnan(o.watts));
	assert_int_equal(o.offered, RECORD_INT_UNSET);
	assert_int_equal(o.use.bound, BOUND_NONE);
	outcome_free(&o);
	fixture_free(&f);
}

/* No fp8 on Volta: nothing was settled, so nothing is told, not even as 0. */
static void what_is_not_supported_has_no_numbers(void **state)
{
	(void)state;
	static const char *const volta[] = {"v100-sxm2-32gb", NULL};
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", volta, CHAT("1", ""), SLO);
	f.s.precision.weights = FORMAT_FP8;
	run(&o, &f, 0, 1, 1);
	assert_int_equal(o.verdict, VERDICT_UNSUPPORTED);
	assert_int_equal(o.resolved.max_num_seqs, RECORD_INT_UNSET);
	assert_int_equal(o.resolved.kv_pool_blocks, RECORD_INT_UNSET);
	assert_int_equal(o.memory.kv_pool_tokens, RECORD_INT_UNSET);
	assert_true(isnan(o.resolved.mfu) && isnan(o.memory.weights_bytes));
	outcome_free(&o);
	fixture_free(&f);
}

/* Everything at once, and clients that wait: no rate is offered. */
static void loads_without_a_rate(void **state)
{
	(void)state;
	static const char *const arrivals[] = {
		"{\"arrivals\": {\"process\": \"offline\"}, \"input\": 100, \"output\": 50, "
		"\"requests\": 2000}",
		"{\"arrivals\": {\"process\": \"closed\", \"concurrency\": 8}, \"input\": 100, "
		"\"output\": 50, \"requests\": 2000}"};
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		struct outcome o;

		fixture_init(&f, "llama-3.1-8b", cards, arrivals[i], "{}");
		run(&o, &f, 0, 1, 1);
		assert_int_equal(o.verdict, VERDICT_OK);
		assert_true(isnan(o.offered_rps) && isnan(o.idle_share));
		assert_true(isnan(o.goodput_rps) && isnan(o.attainment));
		assert_near(o.usd_per_1k_requests, 1000 / 3600.0 / o.requests_per_s, 1e-9);
		assert_near(o.usd_per_1k_requests_saturated, 1000 / 3600.0 / o.saturated_rps, 1e-9);
		assert_true(isnan(o.usd_per_1k_requests_idle));
		assert_int_equal(o.completed, 2000);
		if (i == 1)
			assert_near(o.use.batch_mean, 8, 0.05);
		outcome_free(&o);
		fixture_free(&f);
	}
}

/* A pool of ten tokens: each request of 100 + 50 is rejected. */
static void all_rejected(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, "
		     "\"output\": 50, \"requests\": 500}",
		     SLO);
	f.s.engine.scheduling.max_model_len = 50;
	run(&o, &f, 0, 1, 1);
	assert_int_equal(o.verdict, VERDICT_DOES_NOT_FIT);
	assert_int_equal(o.rejected, 500);
	assert_int_equal(o.completed, 0);
	assert_true(isnan(o.latency_s[METRIC_TTFT][Q_P50]));
	assert_true(isnan(o.saturated_rps) && isnan(o.idle_share) && isnan(o.use.kv_max));
	outcome_free(&o);
	fixture_free(&f);
}

/* Ten requests a minute apart: the last is always under way when it arrives. */
static void a_few_requests_are_no_backlog(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"constant\", \"rate\": 0.016}, \"input\": 100, "
		     "\"output\": 50, \"requests\": 10}",
		     "{}");
	run(&o, &f, 0, 1, 1);
	assert_int_equal(o.verdict, VERDICT_OK);
	outcome_free(&o);
	fixture_free(&f);
}

/* On average far below saturation, but all of it at the end: a third stays behind. Also where more
 * than a million requests leave no samples. */
static void what_stays_behind_is_named(void **state)
{
	(void)state;
	static const char *const traffic[] = {
		"{\"arrivals\": {\"process\": \"schedule\", \"slot_s\": 30000, "
		"\"rates\": [0.001, 6]}, \"input\": 512, \"output\": 128, \"requests\": 10000}",
		"{\"arrivals\": {\"process\": \"schedule\", \"slot_s\": 3000000, "
		"\"rates\": [0.0001, 60]}, \"input\": 100, \"output\": 4, \"requests\": 1100000}"};

	for (int i = 0; i < 2; i++) {
		struct fixture f;
		struct outcome o;

		fixture_init(&f, "llama-3.1-8b", cards, traffic[i], "{}");
		run(&o, &f, 1, 1, 1);
		assert_true(o.offered_rps < o.saturated_rps);
		assert_int_equal(o.verdict, VERDICT_OVERLOADED);
		assert_non_null(strstr(o.reason, "not done when the last arrived"));
		outcome_free(&o);
		fixture_free(&f);
	}
}

/* A million arrive in a second, before the first step ends: nothing is rejected. */
static void stopped_before_anything_is_done(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"constant\", \"rate\": 1e8}, \"input\": 4000, "
		     "\"output\": 50, \"requests\": 1500000}",
		     "{}");
	run(&o, &f, 1, 1, 1);
	assert_int_equal(o.completed, 0);
	assert_int_equal(o.verdict, VERDICT_OVERLOADED);
	assert_true(isnan(o.usd_per_1k_requests));
	outcome_free(&o);
	fixture_free(&f);
}

static void a_warm_up_that_leaves_nothing(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;
	struct diag d;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT("4", ", \"requests\": 300"), SLO);
	f.s.traffic.warmup = 300;
	struct evaluate_setup setup = {
		.scenario = &f.s, .book = &f.book, .replications = 1, .jobs = 1, .rate_factor = 1};
	diag_init(&d);
	assert_false(evaluate(&setup, 0, &o, &d));
	assert_non_null(strstr(d.message, "warm-up"));
	outcome_free(&o);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_load),
		cmocka_unit_test(jobs_change_nothing),
		cmocka_unit_test(rates_to_the_tick),
		cmocka_unit_test(auto_runs_once_more_for_the_warm_up),
		cmocka_unit_test(more_than_it_can),
		cmocka_unit_test(too_slow),
		cmocka_unit_test(too_large),
		cmocka_unit_test(what_is_not_supported_has_no_numbers),
		cmocka_unit_test(loads_without_a_rate),
		cmocka_unit_test(all_rejected),
		cmocka_unit_test(a_few_requests_are_no_backlog),
		cmocka_unit_test(what_stays_behind_is_named),
		cmocka_unit_test(stopped_before_anything_is_done),
		cmocka_unit_test(a_warm_up_that_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
