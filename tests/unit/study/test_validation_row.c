/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "base/xmalloc.h"
#include "study/validation_row.h"

/* One slot, one output token, prompts alike: every request takes one step of the same length. */
#define ONE_SLOT                                                                                   \
	"{\"model\": \"llama-3.1-8b\", \"gpus\": \"l4\", \"engine\": {\"max_num_seqs\": 1, "       \
	"\"frontend_ms\": 0, \"schedule_ahead\": 0}, \"traffic\": {\"arrivals\": %s, "             \
	"\"input\": %d, \"output\": %d, \"requests\": %d}}"

static struct scenario *read_text(const char *text)
{
	const struct scenario_options o = {
		.file = "S", .text = text, .data_dir = ".", .seed = RECORD_INT_UNSET};
	struct diag d;
	struct scenario *s;

	diag_init(&d);
	s = scenario_read(&o, &d);
	if (!s)
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
	return s;
}

static struct scenario *one_slot(const char *arrivals, int input, int output, int requests)
{
	char *text = xasprintf(ONE_SLOT, arrivals, input, output, requests);
	struct scenario *s = read_text(text);

	free(text);
	return s;
}

/* `figure`s, which must outlive the result. */
static void run_with(struct validation_row *r, const struct validation_row_setup *setup,
		     struct scenario *s, struct measured_figure *figure, size_t figures)
{
	const struct measured_row row = {.figures = figures, .figure = figure};
	struct diag d;

	diag_init(&d);
	if (!validation_row_run(r, setup, s, &row, &d))
		fail_msg("%s", d.message);
	scenario_del(s);
}

static double alone_s(void)
{
	struct measured_figure ttft = {.path = "latency.ttft_ms.mean", .value = 1e3};
	struct validation_row r;

	run_with(&r, &(struct validation_row_setup){.jobs = 1},
		 one_slot("{\"process\": \"closed\", \"concurrency\": 1}", 500, 1, 20), &ttft, 1);
	double s = r.figure[0].simulated * 1e-3;
	assert_int_equal(r.load, VALIDATION_CLOSED);
	assert_int_equal(r.replications, 1);
	assert_true(isnan(r.figure[0].low) && isnan(r.figure[0].high));
	assert_true(isnan(r.saturated_rps));
	validation_row_free(&r);
	return s;
}

static struct scenario *at_load(double rho, double step_s, int requests)
{
	char arrivals[96];

	snprintf(arrivals, sizeof arrivals, "{\"process\": \"poisson\", \"rate\": %.9g}",
		 rho / step_s);
	return one_slot(arrivals, 500, 1, requests);
}

/* M/D/1: a request waits rho/(2(1 - rho)) steps (Pollaczek and Khinchine), and then has one. */
static void a_queue_with_a_known_answer(void **state)
{
	struct measured_figure figure[] = {{.path = "latency.ttft_ms.mean", .value = 1e3},
					   {.path = "latency.queue_ms.mean", .value = 1e3},
					   {.path = "throughput.requests_per_s", .value = 1e-3},
					   {.path = "latency.tpot_ms.mean", .value = 1e3}};
	double step_s = alone_s(), rho = 0.5;
	struct validation_row r;

	(void)state;
	run_with(&r, &(struct validation_row_setup){.jobs = 2}, at_load(rho, step_s, 20000), figure,
		 4);
	assert_int_equal(r.verdict, VERDICT_OK);
	assert_int_equal(r.load, VALIDATION_BELOW);
	assert_int_equal(r.requests, 20000);
	assert_int_equal(r.replications, 4);
	assert_near(r.offered_rps * step_s, rho, 1e-6);
	assert_near(r.saturated_rps * step_s, 1, 1e-3);
	assert_near(r.figure[0].simulated / (1e3 * step_s), 1 + rho / (2 * (1 - rho)), 0.04);
	assert_near(r.figure[1].simulated / (1e3 * step_s), rho / (2 * (1 - rho)), 0.04);
	assert_near(r.figure[2].simulated * step_s, rho, 0.02);
	assert_true(isnan(r.figure[3].simulated)); /* one token has no time between tokens */
	validation_row_free(&r);
}

static void loads(void **state)
{
	struct measured_figure ttft = {.path = "latency.ttft_ms.mean", .value = 1e3};
	double step_s = alone_s();
	struct validation_row r;

	(void)state;
	run_with(&r, &(struct validation_row_setup){.jobs = 1, .replications = 1},
		 at_load(0.89, step_s, 100), &ttft, 1);
	assert_int_equal(r.load, VALIDATION_BELOW);
	validation_row_free(&r);
	run_with(&r, &(struct validation_row_setup){.jobs = 1, .replications = 1},
		 at_load(0.91, step_s, 100), &ttft, 1);
	assert_int_equal(r.load, VALIDATION_ABOVE);
	validation_row_free(&r);
	char bursts[160];
	snprintf(bursts, sizeof bursts,
		 "{\"process\": \"schedule\", \"slot_s\": 10, \"rates\": [%.9g, %.9g]}",
		 0.1 / step_s, 0.95 / step_s);
	run_with(&r, &(struct validation_row_setup){.jobs = 1, .replications = 1},
		 one_slot(bursts, 500, 1, 100), &ttft, 1);
	assert_int_equal(r.load, VALIDATION_ABOVE);
	validation_row_free(&r);
	run_with(&r, &(struct validation_row_setup){.replications = 1, .figures_only = true},
		 at_load(0.91, step_s, 100), &ttft, 1);
	assert_true(isnan(r.saturated_rps));
	validation_row_free(&r);
}

/* Nothing is cut off a run of ten but what the scenario says. */
static void a_finite_run_is_whole(void **state)
{
	struct measured_figure figure[] = {{.path = "requests.completed", .value = 1},
					   {.path = "throughput.requests_per_s", .value = 1e-3}};
	double step_s = alone_s();
	struct validation_row r;

	(void)state;
	run_with(&r, &(struct validation_row_setup){.jobs = 1},
		 one_slot("{\"process\": \"offline\"}", 500, 1, 10), figure, 2);
	assert_int_equal(r.requests, 10);
	assert_near(r.figure[0].simulated, 10, 0);
	assert_near(r.figure[1].simulated * step_s, 1, 1e-6);
	validation_row_free(&r);
}

/* Of another run, not of the mean: a p50 of 20 requests scatters. One more run lies in the band of
 * 39 with a probability of 95 %; of 300 in six bands 285 +- 20. */
static void the_band_holds_further_runs(void **state)
{
	struct measured_figure ttft = {.path = "latency.ttft_ms.p50", .value = 1e3};
	double step_s = alone_s();
	int inside = 0;

	(void)state;
	for (int band = 0; band < 6; band++) {
		struct scenario *s = at_load(0.8, step_s, 20);
		struct validation_row r, one;

		s->traffic.seed = 1000 + band;
		run_with(&r,
			 &(struct validation_row_setup){.replications = 39, .figures_only = true},
			 s, &ttft, 1);
		assert_int_equal(r.replications, 39);
		for (int i = 0; i < 50; i++) {
			s = at_load(0.8, step_s, 20);
			s->traffic.seed = i;
			run_with(&one,
				 &(struct validation_row_setup){.replications = 1,
								.figures_only = true},
				 s, &ttft, 1);
			inside += r.figure[0].low <= one.figure[0].simulated &&
				  one.figure[0].simulated <= r.figure[0].high;
			validation_row_free(&one);
		}
		assert_true(r.figure[0].low < r.figure[0].simulated);
		assert_true(r.figure[0].simulated < r.figure[0].high);
		validation_row_free(&r);
	}
	assert_in_range(inside, 255, 299);
	/* Of three the median is the second, and the band has nowhere to go beyond them. */
	struct validation_row three;
	run_with(&three, &(struct validation_row_setup){.replications = 3, .figures_only = true},
		 at_load(0.8, step_s, 20), &ttft, 1);
	assert_true(three.figure[0].low < three.figure[0].simulated);
	assert_true(three.figure[0].simulated < three.figure[0].high);
	validation_row_free(&three);
}

static void jobs_change_nothing(void **state)
{
	struct measured_figure ttft = {.path = "latency.ttft_ms.p99", .value = 1e3};
	struct validation_row r[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		run_with(&r[i], &(struct validation_row_setup){.jobs = 1 + 3 * i},
			 at_load(0.7, 0.2, 50), &ttft, 1);
	assert_int_equal(r[0].replications, VALIDATION_REPLICATIONS);
	assert_memory_equal(r[0].figure, r[1].figure, sizeof *r[0].figure);
	validation_row_free(&r[0]);
	validation_row_free(&r[1]);
}

static void what_does_not_fit_is_not_run(void **state)
{
	struct measured_figure ttft = {.path = "latency.ttft_ms.p99", .value = 1e3};
	struct validation_row r;

	(void)state;
	run_with(&r, &(struct validation_row_setup){.jobs = 1},
		 read_text("{\"model\": \"llama-3.1-70b\", \"gpus\": \"l4\", \"traffic\": "
			   "{\"arrivals\": {\"rate\": 1}, \"input\": 100, \"output\": 10}}"),
		 &ttft, 1);
	assert_int_equal(r.verdict, VERDICT_DOES_NOT_FIT);
	assert_true(r.reason[0]);
	validation_row_free(&r);
}

/* ---- headings ---- */

static void a_figure_is_a_number_of_a_result(void **state)
{
	static const struct {
		const char *heading, *message;
	} cases[] = {
		{"=latency.ttft_ms.p50", NULL},
		{"=memory.kv_pool_tokens", NULL},
		{"=energy.watts", NULL},
		{"=latency.ttft.p50", "unknown key \"ttft\""},
		{"=latency.ttft_ms.p51", "unknown key \"p51\""},
		{"=verdict", "is no number"},
		{"=interval.ttft_ms_p99", "is no number"},
		{"=latency", "is no number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct measured_column column = {
			.name = (char *)cases[i].heading, .kind = MEASURED_FIGURE, .place = 9};
		const struct measured_table t = {
			.file = (char *)"t.csv", .columns = 1, .column = &column};
		struct diag d;

		diag_init(&d);
		assert_true(validation_row_check(&t, &d) == !cases[i].message);
		if (!cases[i].message)
			continue;
		if (!strstr(d.message, cases[i].message) || d.line != 1 || d.column != 9 ||
		    strcmp(d.file, "t.csv") != 0)
			fail_msg("%s: %s:%d:%d: %s", cases[i].heading, d.file, d.line, d.column,
				 d.message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_queue_with_a_known_answer),
		cmocka_unit_test(loads),
		cmocka_unit_test(a_finite_run_is_whole),
		cmocka_unit_test(the_band_holds_further_runs),
		cmocka_unit_test(jobs_change_nothing),
		cmocka_unit_test(what_does_not_fit_is_not_run),
		cmocka_unit_test(a_figure_is_a_number_of_a_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
