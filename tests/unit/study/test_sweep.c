/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"

#include "study/sweep.h"

#define LIST(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* A step takes step_us and next to nothing of the GPU; one request at a time. */
#define ONE_CLIENT                                                                                 \
	"{\"model\": \"llama-3.1-8b\","                                                            \
	" \"gpus\": [{\"base\": \"a100\", \"bandwidth_gbs\": 1e6, \"peak_tflops\": 1e6}, \"l4\"]," \
	" \"engine\": {\"layer_us\": 0, \"step_us\": 1000, \"request_us\": 0, \"frontend_ms\": 0," \
	"   \"launch_us\": 0, \"host_seq_us\": 0, \"schedule_ahead\": 0},"                         \
	" \"traffic\": {\"arrivals\": {\"process\": \"closed\", \"concurrency\": 1},"              \
	"   \"input\": 100, \"output\": 10, \"requests\": 50}}"

#define OPEN                                                                                       \
	"{\"model\": \"llama-3.1-8b\", \"gpus\": [\"l4\", \"l40s\"],"                              \
	" \"traffic\": {\"arrivals\": {\"rate\": 1}, \"input\": 100, \"output\": 10,"              \
	"   \"requests\": 200, \"seed\": 7}, \"slo\": {\"e2e_ms\": {\"p50\": 2000}}}"

/* A sweep over a text, its scenario and an empty price book. */
struct world {
	struct scenario_options options;
	struct scenario_source from;
	struct scenario *s;
	struct price_book book;
	struct sweep w;
	struct diag d;
};

static bool open_world(struct world *x, const char *text, const char *const *sets,
		       const char *const *over)
{
	memset(x, 0, sizeof *x);
	diag_init(&x->d);
	x->options = (struct scenario_options){
		.file = "S", .text = text, .sets = sets, .data_dir = ".", .seed = RECORD_INT_UNSET};
	assert_true(scenario_source_open(&x->from, &x->options, &x->d));
	x->s = scenario_read_from(&x->from, &x->options, &x->d);
	assert_non_null(x->s);
	const struct evaluate_setup base = {.scenario = x->s, .quiet = true};

	return sweep_init(&x->w, over, &base, &x->from, &x->options, &x->d);
}

static void close_world(struct world *x)
{
	sweep_free(&x->w);
	scenario_del(x->s);
	scenario_source_close(&x->from);
}

static struct evaluate_setup setup_of(const struct world *x, int jobs)
{
	return (struct evaluate_setup){
		.book = &x->book, .replications = 1, .jobs = jobs, .rate_factor = 1, .quiet = true};
}

/* Each step emits a token: E2E is output x step, but for the device's part, the same a step. */
static void a_grid_by_hand(void **state)
{
	(void)state;
	struct world x;
	struct sweep_runs r;

	assert_true(open_world(&x, ONE_CLIENT, NULL,
			       LIST("engine.step_us=1000,2000", "traffic.output=10,20,30")));
	assert_int_equal(x.w.points, 6);
	const struct evaluate_setup setup = setup_of(&x, 2);
	assert_true(sweep_evaluate(&r, &x.w, &setup, &x.d));
	assert_int_equal(r.n, 12); /* two GPUs */
	for (size_t i = 0; i < 12; i += 2) {
		double tokens = 10 * (double)(i / 2 % 3 + 1), step_s = i < 6 ? 1e-3 : 2e-3;
		const struct sweep_run *run = &r.run[i];

		assert_int_equal(run->point, i / 2);
		assert_string_equal(run->outcome.gpu, "a100-sxm-80gb+");
		assert_string_equal(r.run[i + 1].outcome.gpu, "l4-24gb");
		assert_near(run->outcome.latency_s[METRIC_E2E][Q_MEAN], tokens * step_s,
			    tokens * 0.03e-3);
		if (i >= 6) /* the same but for a millisecond a step */
			assert_near(run->outcome.latency_s[METRIC_E2E][Q_MEAN] -
					    r.run[i - 6].outcome.latency_s[METRIC_E2E][Q_MEAN],
				    tokens * 1e-3, 1e-9);
	}
	sweep_runs_free(&r);
	close_world(&x);
}

/* A point is one more --set, the last of all. */
static void a_point_is_a_layer_on_top(void **state)
{
	(void)state;
	struct world x;

	assert_true(open_world(&x, OPEN, LIST("traffic.arrivals.rate=5", "traffic.input=300"),
			       LIST("traffic.arrivals.rate=2:4:2", "precision.weights=bf16,fp8")));
	assert_near(x.s->traffic.arrivals.rate, 5, 0);
	assert_int_equal(x.w.points, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct scenario *s = x.w.point[i].scenario;

		assert_near(s->traffic.arrivals.rate, i < 2 ? 2 : 4, 0);
		assert_near(s->facts.rate_rps, i < 2 ? 2 : 4, 0);
		assert_int_equal(s->precision.weights == x.w.point[1].scenario->precision.weights,
				 i % 2);
		assert_near(s->traffic.input.value, 300, 0);
		assert_int_equal(s->candidates, 2);
		assert_string_equal(x.w.point[i].value[1], i % 2 ? "fp8" : "bf16");
	}
	close_world(&x);
}

static void points_may_change_gpus_and_seeds(void **state)
{
	(void)state;
	struct world x;

	assert_true(open_world(&x, OPEN, NULL, LIST("gpus[1].mbu=0.5,0.75")));
	assert_near(x.w.point[0].scenario->candidate[1].gpu.mbu.value, 0.5, 0);
	assert_near(x.w.point[1].scenario->candidate[1].gpu.mbu.value, 0.75, 0);
	close_world(&x);
	assert_true(open_world(&x, OPEN, NULL, LIST("gpus=a100,[\"t4\",\"h100\"]")));
	assert_int_equal(x.w.point[0].scenario->candidates, 1);
	assert_int_equal(x.w.point[1].scenario->candidates, 2);
	close_world(&x);
	assert_true(open_world(&x, OPEN, NULL, LIST("traffic.seed=1:3:3")));
	assert_int_equal(x.w.point[2].scenario->traffic.seed, 3);
	close_world(&x);
}

/* The same as one scenario with --set, whatever the jobs. */
static void a_point_is_a_run(void **state)
{
	(void)state;
	struct world x;
	struct sweep_runs r, again;
	struct outcome o;

	assert_true(open_world(&x, OPEN, NULL, LIST("traffic.arrivals.rate=1:400:4")));
	struct evaluate_setup setup = setup_of(&x, 3);
	assert_true(sweep_evaluate(&r, &x.w, &setup, &x.d));
	setup.jobs = 1;
	assert_true(sweep_evaluate(&again, &x.w, &setup, &x.d));
	for (size_t i = 0; i < r.n; i++) {
		setup.scenario = x.w.point[i / 2].scenario;
		assert_true(evaluate(&setup, i % 2, &o, &x.d));
		assert_int_equal(r.run[i].outcome.verdict, o.verdict);
		for (int q = 0; q < QUANTILES; q++) {
			double e2e = r.run[i].outcome.latency_s[METRIC_E2E][q];

			assert_true(e2e == o.latency_s[METRIC_E2E][q]);
			assert_true(e2e == again.run[i].outcome.latency_s[METRIC_E2E][q]);
		}
		outcome_free(&o);
	}
	/* those that miss stay, with their verdict */
	assert_int_equal(r.run[6].outcome.verdict, VERDICT_OVERLOADED);
	assert_true(r.run[6].outcome.latency_s[METRIC_E2E][Q_P50] > 0);
	sweep_runs_free(&again);
	sweep_runs_free(&r);
	close_world(&x);
}

static void a_replacement_at_every_point(void **state)
{
	(void)state;
	struct world x;
	struct replacement r[2], alone;
	const size_t to = 0;

	assert_true(open_world(&x, OPEN, NULL, LIST("precision.weights=bf16,nvfp4")));
	struct replace_setup setup = {
		.base = setup_of(&x, 2), .from = 1, .from_count = 1, .to_count = 1, .to = &to};
	assert_true(sweep_replace(r, &x.w, &setup, &x.d));
	setup.base.scenario = x.w.point[1].scenario;
	assert_true(replace_run(&setup, &alone, &x.d));
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(r[i].sides, 1);
		assert_string_equal(r[i].to[0].gpu, "l4-24gb");
		assert_true(r[i].to[0].ratio > 1);
	}
	assert_true(r[1].to[0].ratio == alone.to[0].ratio);
	assert_true(r[1].to[0].ratio != r[0].to[0].ratio);
	replace_free(&alone);
	replace_free(&r[0]);
	replace_free(&r[1]);
	close_world(&x);
}

/* Where the from side itself holds nothing, the point stays, with the reason. */
static void a_point_that_cannot(void **state)
{
	(void)state;
	struct world x;
	struct replacement r[2];
	const size_t to = 0;

	assert_true(open_world(&x, OPEN, NULL, LIST("slo.e2e_ms.p50=1,2000")));
	const struct replace_setup setup = {
		.base = setup_of(&x, 2), .from = 1, .from_count = 1, .to_count = 1, .to = &to};
	assert_true(sweep_replace(r, &x.w, &setup, &x.d));
	assert_int_equal(r[0].to[0].verdict, VERDICT_CANNOT);
	assert_non_null(strstr(r[0].to[0].reason, "l40s-48gb itself holds no rate"));
	assert_true(r[0].from.max_rps == 0);
	assert_int_equal(r[1].to[0].verdict, VERDICT_OK);
	replace_free(&r[0]);
	replace_free(&r[1]);
	close_world(&x);
}

static void expect_failure(const char *const *over, const char *file, const char *message)
{
	struct world x;

	assert_false(open_world(&x, OPEN, NULL, over));
	if (!strstr(x.d.message, message) || strcmp(x.d.file, file) != 0)
		fail_msg("%s: %s", x.d.file, x.d.message);
	close_world(&x);
}

/* What is wrong at a point names it. */
static void mistakes(void **state)
{
	(void)state;
	expect_failure(LIST("traffic.arrivals.rate=1,x"), "--over traffic.arrivals.rate=x",
		       "number");
	expect_failure(LIST("traffic.arrivals.rat=1,2"), "--over traffic.arrivals.rat=1", "rat");
	expect_failure(LIST("traffic.requests=100,200", "traffic.warmup=50:150:3"),
		       "--over traffic.warmup=100",
		       ", at the point traffic.requests=100, traffic.warmup=100");
	expect_failure(LIST("traffic.arrivals.process=poisson,closed"), "S",
		       ", at the point traffic.arrivals.process=closed");
	expect_failure(LIST("traffic.seed=1,2", "traffic.seed=3,4"), "", "both --over change");
	expect_failure(LIST("a=1", "b=1", "c=1"), "", "at most 2");
	expect_failure(LIST("traffic.seed=1:200:200", "traffic.requests=1:51:51"), "",
		       "are 10200 points; a sweep has at most 10000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_grid_by_hand),
		cmocka_unit_test(a_point_is_a_layer_on_top),
		cmocka_unit_test(points_may_change_gpus_and_seeds),
		cmocka_unit_test(a_point_is_a_run),
		cmocka_unit_test(a_replacement_at_every_point),
		cmocka_unit_test(a_point_that_cannot),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
