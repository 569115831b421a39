/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <gsl/gsl_statistics_double.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "study/calibration.h"

/* A server whose engine is known roughly: what the fit is to find out. */
#define SCENARIO                                                                                   \
	"{\"model\": \"qwen3-14b\", \"gpus\": \"h100\", \"engine\": {\"layer_us\": {\"value\": "   \
	"%g, \"sigma\": %g}, \"step_us\": {\"value\": %g, \"sigma\": %g}, \"frontend_ms\": "       \
	"{\"value\": %g, \"sigma\": %g}}, \"traffic\": {\"arrivals\": {\"process\": \"poisson\", " \
	"\"rate\": 2}, \"input\": 1024, \"output\": 128, \"requests\": 1500, \"warmup\": 0}}"

static const char *const figures[] = {"latency.ttft_ms.mean", "latency.ttft_ms.p50",
				      "latency.ttft_ms.p99",  "latency.tpot_ms.mean",
				      "latency.tpot_ms.p50",  "throughput.output_tokens_per_s"};

struct engine_times {
	double layer_us, step_us, frontend_ms;
};
static const struct engine_times truth = {45, 420, 6}, guess = {33, 310, 3.6};

static char *scenario_text(const struct engine_times *e)
{
	return xasprintf(SCENARIO, e->layer_us, 0.3 * e->layer_us, e->step_us, 0.3 * e->step_us,
			 e->frontend_ms, 0.3 * e->frontend_ms);
}

static struct scenario_options options_of(const char *text)
{
	return (struct scenario_options){
		.file = "S", .text = text, .data_dir = ".", .seed = RECORD_INT_UNSET};
}

/* What a server with these times measures at a rate, by chance of its own. */
static void measure(double value[COUNT(figures)], const struct engine_times *e, double rate,
		    int64_t seed)
{
	char *text = scenario_text(e), *set = xasprintf("traffic.arrivals.rate=%g", rate);
	const char *sets[] = {set, NULL};
	struct scenario_options o = options_of(text);
	const struct validation_row_setup setup = {
		.replications = 1, .jobs = 1, .figures_only = true};
	struct measured_figure figure[COUNT(figures)];
	struct measured_row row = {.figures = COUNT(figures), .figure = figure};
	struct validation_row r;
	struct diag d;

	diag_init(&d);
	o.sets = sets;
	o.seed = seed;
	for (size_t i = 0; i < COUNT(figures); i++)
		figure[i] = (struct measured_figure){.path = figures[i], .value = 1};
	struct scenario *s = scenario_read(&o, &d);
	if (!s || !validation_row_run(&r, &setup, s, &row, &d))
		fail_msg("%s: %s", d.path, d.message);
	for (size_t i = 0; i < COUNT(figures); i++)
		value[i] = r.figure[i].simulated;
	validation_row_free(&r);
	scenario_del(s);
	free(set);
	free(text);
}

/* A table of such runs; figure 0 of the first one is multiplied by `faulty`. */
static void write_table(struct measured_table *t, const double *rate, size_t rates, double faulty)
{
	double value[COUNT(figures)];

	measured_begin(t, "own/runs.csv");
	measured_add_column(t, "traffic.arrivals.rate");
	for (size_t i = 0; i < COUNT(figures); i++) {
		char *heading = xasprintf("=%s", figures[i]);
		measured_add_column(t, heading);
		free(heading);
	}
	for (size_t k = 0; k < rates; k++) {
		struct measured_row *row = measured_add_row(t, (long)k + 2);

		measure(value, &truth, rate[k], 100 + (int64_t)k);
		value[0] *= k == 0 ? faulty : 1;
		measured_fill(t, row, 0, xasprintf("%g", rate[k]));
		for (size_t i = 0; i < COUNT(figures); i++)
			measured_fill(t, row, 1 + i, xasprintf("%.9g", value[i]));
	}
}

static void calibrate(struct calibration *c, const struct measured_table *t, int jobs)
{
	char *text = scenario_text(&guess);
	const struct scenario_options o = options_of(text);
	struct scenario_source from;
	struct diag d;

	diag_init(&d);
	if (!scenario_source_open(&from, &o, &d))
		fail_msg("%s", d.message);
	const struct calibration_setup setup = {
		.table = t, .tables = 1, .from = &from, .options = &o, .jobs = jobs, .quiet = true};
	if (!calibration_run(c, &setup, &d))
		fail_msg("%s:%d: %s", d.file, d.line, d.message);
	scenario_source_close(&from);
	free(text);
}

static const struct calibration_constant *constant(const struct calibration *c, const char *path)
{
	for (size_t i = 0; i < c->constants; i++)
		if (strcmp(c->constant[i].path, path) == 0)
			return &c->constant[i];
	fail_msg("no constant %s", path);
	return NULL;
}

static void assert_found(const struct calibration *c, const char *path, double true_value)
{
	const struct calibration_constant *k = constant(c, path);

	if (!(fabs(k->after - true_value) < 2 * k->sigma_after))
		fail_msg("%s: %g is not %g +- %g", path, true_value, k->after, k->sigma_after);
	assert_true(k->sigma_after <= k->sigma_before * k->after / k->before * 1.0001);
}

/* The median error of a metric's figures but p99, whose chance is several per cent. */
static double error_of(const struct calibration *c, const char *metric, bool after)
{
	double *error = xcalloc(c->figures, sizeof *error), median;
	size_t n = 0;

	for (size_t i = 0; i < c->figures; i++) {
		const struct calibration_figure *f = &c->figure[i];

		if (strncmp(f->figure->path, metric, strlen(metric)) == 0 &&
		    !strstr(f->figure->path, "p99"))
			error[n++] = fabs((after ? f->after : f->before) / f->figure->value - 1);
	}
	median = gsl_stats_median(error, 1, n);
	free(error);
	return median;
}

static void known_constants_are_found(void **state)
{
	static const double rates[] = {2, 5, 8};
	struct measured_table t;
	struct calibration c;

	(void)state;
	write_table(&t, rates, COUNT(rates), 1);
	calibrate(&c, &t, 2);
	assert_true(c.converged);
	assert_int_equal(c.rows, 3);
	assert_int_equal(c.figures, 3 * COUNT(figures));
	assert_found(&c, "layer_us", truth.layer_us);
	assert_found(&c, "step_us", truth.step_us);
	assert_found(&c, "frontend_ms", truth.frontend_ms);
	assert_true(error_of(&c, "latency.tpot_ms.p50", false) > 0.04);
	assert_true(error_of(&c, "latency.tpot_ms", true) < 0.02);
	assert_true(error_of(&c, "latency.ttft_ms", true) < 0.02);
	calibration_free(&c);
	measured_free(&t);
}

static void one_rate_cannot_tell_a_layer_from_a_step(void **state)
{
	static const double rate = 6;
	struct measured_table t;
	struct calibration c;

	(void)state;
	write_table(&t, &rate, 1, 1);
	calibrate(&c, &t, 2);
	assert_true(constant(&c, "step_us")->group > 0);
	assert_int_equal(constant(&c, "step_us")->group, constant(&c, "layer_us")->group);
	/* What is not told stays where it was. */
	assert_true(constant(&c, "amfu")->told < 0.1);
	assert_true(fabs(constant(&c, "amfu")->after / constant(&c, "amfu")->before - 1) < 0.02);
	calibration_free(&c);
	measured_free(&t);
}

static void an_outlier_pulls_less(void **state)
{
	static const double rates[] = {2, 5, 8};
	struct measured_table t;
	struct calibration c;

	(void)state;
	write_table(&t, rates, COUNT(rates), 2);
	calibrate(&c, &t, 2);
	assert_true(c.figure[0].weight < 0.5);
	for (size_t i = 1; i < c.figures; i++)
		assert_true(c.figure[i].weight > 0.5);
	assert_true(error_of(&c, "latency.tpot_ms", true) < 0.02);
	assert_true(error_of(&c, "latency.ttft_ms.p50", true) < 0.04);
	calibration_free(&c);
	measured_free(&t);
}

static void any_number_of_jobs(void **state)
{
	static const double rates[] = {2, 8};
	struct measured_table t;
	struct calibration one, three;

	(void)state;
	write_table(&t, rates, COUNT(rates), 1);
	calibrate(&one, &t, 1);
	calibrate(&three, &t, 3);
	assert_int_equal(one.constants, three.constants);
	for (size_t i = 0; i < one.constants; i++) {
		assert_true(one.constant[i].after == three.constant[i].after);
		assert_true(one.constant[i].sigma_after == three.constant[i].sigma_after);
	}
	calibration_free(&one);
	calibration_free(&three);
	measured_free(&t);
}

/* Units of the file, also of a link's table by number of GPUs; what chance cannot change is fitted
 * exactly as far as it is told. */
static void units_of_links(void **state)
{
	const char *text = "{\"model\": \"llama-3.1-8b\", \"gpus\": \"h100\", \"deployment\": "
			   "{\"tensor_parallel\": 2}, \"traffic\": {\"arrivals\": {\"process\": "
			   "\"closed\", \"concurrency\": 1}, \"input\": 100, \"output\": 20, "
			   "\"requests\": 5}}";
	const struct scenario_options o = options_of(text);
	struct scenario_source from;
	struct measured_table t;
	struct calibration c;
	struct diag d;

	(void)state;
	diag_init(&d);
	assert_true(scenario_source_open(&from, &o, &d));
	measured_begin(&t, "own/runs.csv");
	measured_add_column(&t, "=latency.tpot_ms.mean");
	measured_fill(&t, measured_add_row(&t, 2), 0, xstrdup("6"));
	const struct calibration_setup setup = {
		.table = &t, .tables = 1, .from = &from, .options = &o, .jobs = 1, .quiet = true};
	if (!calibration_run(&c, &setup, &d))
		fail_msg("%s", d.message);
	assert_true(constant(&c, "link_lat_us.2")->before > 1);
	assert_true(constant(&c, "link_lat_us.2")->before < 100);
	assert_true(constant(&c, "link_busbw_gbs.2")->before < 1000);
	assert_true(fabs(c.figure[0].after / 6 - 1) < fabs(c.figure[0].before / 6 - 1));
	calibration_free(&c);
	measured_free(&t);
	scenario_source_close(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_constants_are_found),
		cmocka_unit_test(one_rate_cannot_tell_a_layer_from_a_step),
		cmocka_unit_test(an_outlier_pulls_less),
		cmocka_unit_test(any_number_of_jobs),
		cmocka_unit_test(units_of_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
