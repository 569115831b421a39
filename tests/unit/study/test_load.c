/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/load.h"
#include "unit/study/fixture_queue.h"

static const char *const no_gpu[] = {NULL};

#define QUEUE(rate)                                                                                \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": " rate "}, \"input\": 1, "            \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 100}, \"seed\": 3}"

static void auto_requests_leave_a_thousand_beyond(void **state)
{
	(void)state;
	struct slo slo;

	fixture_text(&slo_record, &slo, "{}");
	assert_int_equal(slo_auto_requests(&slo), 100000);
	record_free(&slo_record, &slo);
	fixture_text(&slo_record, &slo, "{\"ttft_ms\": {\"mean\": 5}, \"e2e_ms\": {\"max\": 9}}");
	assert_int_equal(slo_auto_requests(&slo), 100000);
	record_free(&slo_record, &slo);
	fixture_text(&slo_record, &slo, "{\"ttft_ms\": {\"p50\": 5}, \"tpot_ms\": {\"p95\": 9}}");
	assert_int_equal(slo_auto_requests(&slo), 20000);
	record_free(&slo_record, &slo);
	fixture_text(&slo_record, &slo, "{\"ttft_ms\": {\"p99.9\": 5}}");
	assert_int_equal(slo_auto_requests(&slo), 1000000);
	record_free(&slo_record, &slo);
	fixture_text(&slo_record, &slo, "{\"ttft_ms\": {\"p50\": 5}, \"attainment\": 0.9}");
	assert_int_equal(slo_auto_requests(&slo), 10000);
	record_free(&slo_record, &slo);
	fixture_text(&slo_record, &slo, "{\"ttft_ms\": {\"p99\": 5}, \"attainment\": 0.9}");
	assert_int_equal(slo_auto_requests(&slo), 100000);
	record_free(&slo_record, &slo);
}

static void run(struct load *l, struct fixture *f, struct unit *u, struct load_setup setup)
{
	struct fleet fleet = fleet_of(u, NULL, 1);
	struct diag d;

	diag_init(&d);
	setup.scenario = &f->s;
	setup.fleet = &fleet;
	setup.rate_factor = 1;
	assert_true(load_run(l, &setup, &d));
}

/* The cut is a whole number of slices in the first half, also where it was asked for. */
static void warm_up_is_whole_slices(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;
	struct load l;

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE("9.5"), "{}");
	fixture_queue_unit(&u, 1);
	run(&l, &f, &u,
	    (struct load_setup){
		    .replications = 3, .requests = 2000, .warmup = LOAD_WARMUP_AUTO, .jobs = 1});
	assert_int_equal(l.cut % 100, 0);
	assert_true(l.cut > 0 && l.cut <= 1000); /* a load of 0.95 starts from empty */
	assert_int_equal(l.first_slice, l.cut / 100);
	load_free(&l);
	run(&l, &f, &u,
	    (struct load_setup){.replications = 1, .requests = 2000, .warmup = 1777, .jobs = 1});
	assert_int_equal(l.cut, 1777);
	assert_int_equal(l.tally[0].slice[0].arrivals, 1777);
	assert_int_equal(l.tally[0].slice[l.first_slice].arrivals, 223);
	load_free(&l);
	/* N + c once more, slices still N/20 wide. */
	run(&l, &f, &u,
	    (struct load_setup){
		    .replications = 1, .requests = 2300, .sliced = 2000, .warmup = 300, .jobs = 1});
	assert_int_equal(l.cut, 300);
	assert_int_equal(l.first_slice, 3);
	assert_int_equal(l.tally[0].slice[9].arrivals, 100);
	assert_int_equal(l.tally[0].slice[10].arrivals, 1300);
	load_free(&l);
	fixture_free(&f);
	unit_free(&u);
}

static void jobs_change_nothing(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;
	struct load one, four;
	struct load_setup setup = {.replications = 5, .requests = 3000, .warmup = 0};

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE("8"), "{}");
	fixture_queue_unit(&u, 2);
	setup.jobs = 1;
	run(&one, &f, &u, setup);
	setup.jobs = 4;
	run(&four, &f, &u, setup);
	for (int r = 0; r < 5; r++)
		assert_memory_equal(one.tally[r].e2e, four.tally[r].e2e, 3000 * sizeof(tick));
	assert_memory_not_equal(one.tally[0].e2e, one.tally[1].e2e, 3000 * sizeof(tick));
	load_free(&one);
	load_free(&four);
	fixture_free(&f);
	unit_free(&u);
}

/* Sketches in place of samples: the same cut from the averaged series of the tallies. */
static void series_serve_where_samples_do_not(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;
	struct load exact, sketched;
	struct load_setup setup = {
		.replications = 2, .requests = 4000, .warmup = LOAD_WARMUP_AUTO, .jobs = 1};

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE("9.5"), "{}");
	fixture_queue_unit(&u, 1);
	run(&exact, &f, &u, setup);
	setup.samples_max = 1000;
	run(&sketched, &f, &u, setup);
	assert_non_null(exact.tally[0].e2e);
	assert_null(sketched.tally[0].e2e);
	assert_int_equal(exact.cut, sketched.cut);
	load_free(&exact);
	load_free(&sketched);
	fixture_free(&f);
	unit_free(&u);
}

/* 100 s of 10/s and 100 s of 30/s are a cycle of 4,000: 25 make the 100,000 of a p99; at 0.7 of the
 * rates 36 of 2,800. */
static void schedules_are_played_in_whole_cycles(void **state)
{
	(void)state;
	static const struct {
		const char *slot_s, *more;
		double factor;
		int64_t requests;
	} c[] = {{"100", "", 1, 100000},
		 {"100", "", 0.7, 100800},
		 {"10000", "", 1, 400000},
		 {"1e6", "", 1, LOAD_CYCLE_MAX},
		 {"100", ", \"requests\": 777", 0.7, 777},
		 {"100", "", 1e-7, 200}}; /* 10^8 s at 2e-6 a second */

	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct fixture f;
		char traffic[256];

		snprintf(traffic, sizeof traffic,
			 "{\"arrivals\": {\"process\": \"schedule\", \"slot_s\": %s, "
			 "\"rates\": [10, 30]}, \"input\": 1, \"output\": 2%s}",
			 c[i].slot_s, c[i].more);
		fixture_init(&f, "llama-3.1-8b", no_gpu, traffic, "{}");
		assert_int_equal(load_plan_requests(&f.s, c[i].factor), c[i].requests);
		fixture_free(&f);
	}
}

/* The first rows of a trace where so many are asked for, else all. */
static void traces_are_played_whole_or_cut(void **state)
{
	(void)state;
	struct fixture f;

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE("1"), "{}");
	assert_int_equal(load_plan_requests(&f.s, 1), 100000);
	assert_true(isnan(load_cycle_requests(&f.s, 1)));
	f.s.traffic.trace = "trace.csv";
	f.s.facts.requests = 5000;
	assert_int_equal(load_plan_requests(&f.s, 2), 5000);
	f.s.traffic.requests = 300;
	assert_int_equal(load_plan_requests(&f.s, 2), 300);
	f.s.traffic.requests = 6000;
	assert_int_equal(load_plan_requests(&f.s, 2), 5000);
	f.s.traffic.trace = NULL;
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(auto_requests_leave_a_thousand_beyond),
		cmocka_unit_test(warm_up_is_whole_slices),
		cmocka_unit_test(jobs_change_nothing),
		cmocka_unit_test(series_serve_where_samples_do_not),
		cmocka_unit_test(schedules_are_played_in_whole_cycles),
		cmocka_unit_test(traces_are_played_whole_or_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
