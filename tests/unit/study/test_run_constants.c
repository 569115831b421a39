/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/evaluate.h"
#include "study/run_constants.h"
#include "unit/study/fixture.h"

#define Z 1.959963984540054
#define LOAD(rate)                                                                                 \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": " rate "}, \"input\": 100, "          \
	"\"output\": 20, \"requests\": 4000}"

static const char *const cards[] = {"l4-24gb", NULL};

static struct outcome run(const struct fixture *f, int jobs)
{
	const struct evaluate_setup setup = {.scenario = &f->s,
					     .book = &f->book,
					     .replications = 2,
					     .jobs = jobs,
					     .rate_factor = 1,
					     .quiet = true,
					     .constants = true};
	struct outcome o;
	struct diag d;

	diag_init(&d);
	assert_true(evaluate(&setup, 0, &o, &d));
	assert_non_null(o.interval_constants);
	return o;
}

static void set(struct figure *f, double value, double sigma)
{
	f->value = value;
	f->sigma = sigma;
}

/* A GPU that takes no time: a step lasts the engine's step_us, and TPOT is known as well. */
static void a_fixed_step_by_hand(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD("1"), "{}");
	struct gpu *g = &f.candidate[0].gpu;
	struct engine_cost *e = &f.s.engine.cost;
	g->bandwidth.value = 1e20;
	g->peak.of[COMPUTE_BF16].value = 1e24;
	set(&e->layer, 0, 0);
	set(&e->request, 0, 0);
	set(&e->frontend, 0, 0);
	set(&e->host_factor, 1, 0);
	set(&e->step, 0.02, 0.001);
	struct outcome o = run(&f, 2);
	double tpot_s = o.latency_s[METRIC_TPOT][Q_P99];
	assert_near(tpot_s, 0.02, 1e-5);
	assert_near(o.interval_constants->tpot_p99.high, tpot_s * exp(Z * 0.05), 1e-5);
	assert_near(o.interval_constants->tpot_p99.low, tpot_s * exp(-Z * 0.05), 1e-5);
	assert_string_equal(o.interval_constants->largest, "step_us of vllm (fitted)");
	assert_near(o.interval_constants->throughput.high, o.requests_per_s, 0.01);
	outcome_free(&o);
	fixture_free(&f);
}

static double width(const struct fixture *f)
{
	struct outcome o = run(f, 2);
	const struct interval i = o.interval_constants->tpot_p99;

	assert_true(i.low < o.latency_s[METRIC_TPOT][Q_P99]);
	assert_true(i.high > o.latency_s[METRIC_TPOT][Q_P99]);
	outcome_free(&o);
	return log(i.high / i.low);
}

/* Of an mbu that is fitted, assumed, and a sigma of its own. */
static void grows_with_sigma(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD("1"), "{}");
	struct figure *mbu = &f.candidate[0].gpu.mbu;
	set(mbu, 0.6, 0.001);
	mbu->origin = ORIGIN_FITTED;
	double known = width(&f);
	mbu->sigma = (double)NAN;
	double fitted = width(&f);
	mbu->origin = ORIGIN_ASSUMED;
	double assumed = width(&f);
	assert_true(fitted > 1.2 * known);
	assert_true(assumed > 1.5 * fitted);
	fixture_free(&f);
}

static void same_for_any_jobs(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD("2"), "{}");
	struct outcome a = run(&f, 1), b = run(&f, 5);
	assert_memory_equal(a.interval_constants, b.interval_constants,
			    sizeof *a.interval_constants);
	outcome_free(&a);
	outcome_free(&b);
	fixture_free(&f);
}

/* Near saturation a standard deviation of mfu overloads it: no upper end. */
static void overload_has_no_upper_end(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD("1"), "{}");
	struct figure *mfu = (struct figure *)gpu_mfu(&f.candidate[0].gpu, COMPUTE_BF16);
	mfu->sigma = 0.3 * mfu->value;
	struct outcome o = run(&f, 2);
	double most = o.saturated_rps;
	outcome_free(&o);
	f.s.traffic.arrivals.rate = f.s.facts.rate_rps = 0.93 * most;
	o = run(&f, 2);
	assert_int_equal(o.verdict, VERDICT_OK);
	assert_true(isinf(o.interval_constants->ttft_p99.high));
	assert_true(o.interval_constants->throughput.low < 0.95 * o.requests_per_s);
	outcome_free(&o);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_step_by_hand),
		cmocka_unit_test(grows_with_sigma),
		cmocka_unit_test(same_for_any_jobs),
		cmocka_unit_test(overload_has_no_upper_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
