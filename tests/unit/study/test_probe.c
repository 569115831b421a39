/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/probe.h"
#include "unit/study/fixture_queue.h"

static const char *const no_gpu[] = {NULL};

#define QUEUE                                                                                      \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 1, "                   \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 100}, \"seed\": 4}"

/* A probe whose p99 of TTFT is `value` with this interval; the limit is 2 s. */
static struct probe found(double value, double low, double high)
{
	struct probe p = {.rate_rps = 5, .limits = 1, .requests = 120000};

	p.found[0] = (struct finding){.metric = SLO_TTFT,
				      .statistic = SLO_P99,
				      .value = value,
				      .limit = 2,
				      .interval = {low, high},
				      .excess = log(value / 2)};
	p.holds = p.found[0].excess <= 0;
	return p;
}

static void what_decides(void **state)
{
	(void)state;
	struct fixture f;
	struct probe_setup s = {.replications = 1, .jobs = 1};
	static const struct {
		double value, low, high;
		bool decided;
	} c[] = {
		{1.5, 1.2, 1.8, true},	{2.5, 2.2, 2.8, true},	{1.99, 1.96, 2.05, false},
		{2.2, 1.8, 2.6, false}, {2.4, 0.3, 1.9, false}, /* beyond, on the wrong side */
		{4.1, 1, 9, true},				/* off by a factor of two */
		{0.9, NAN, NAN, true},	{1.9, NAN, NAN, false},
	};

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE, "{\"ttft_ms\": {\"p99\": 2000}}");
	s.scenario = &f.s;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct probe p = found(c[i].value, c[i].low, c[i].high);

		assert_int_equal(probe_is_decided(&p, &s), c[i].decided);
		assert_int_equal(probe_is_far(&p), fabs(log(c[i].value / 2)) > log(2));
	}
	struct probe p = found(1.9, 1.8, 2.1);
	assert_near(probe_half_width(&p.found[0]), 0.075, 1e-12);
	p = found(1.9, NAN, NAN);
	assert_true(isinf(probe_half_width(&p.found[0])));
	p.found[0].statistic = SLO_MAX;
	assert_true(isnan(probe_half_width(&p.found[0])));
	fixture_free(&f);
}

/* Of an attainment of 0.9 a tenth may miss. */
static void what_decides_a_share(void **state)
{
	(void)state;
	struct fixture f;
	struct probe_setup s = {.replications = 1, .jobs = 1};
	struct probe p = {.rate_rps = 5, .limits = 1, .requests = 20000, .holds = true};

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE,
		     "{\"ttft_ms\": {\"p50\": 2000}, \"attainment\": 0.9}");
	s.scenario = &f.s;
	p.found[0] = (struct finding){.metric = JUDGE_SHARE,
				      .value = 0.902,
				      .limit = 0.9,
				      .interval = {0.893, 0.911},
				      .excess = log(0.98)};
	assert_false(probe_is_decided(&p, &s));
	assert_near(probe_half_width(&p.found[0]), 0.09, 1e-12);
	p.found[0].interval = (struct interval){0.901, 0.903};
	assert_true(probe_is_decided(&p, &s));
	p.holds = false;
	assert_false(probe_is_decided(&p, &s));
	p.found[0].interval = (struct interval){0.88, 0.89};
	assert_true(probe_is_decided(&p, &s));
	fixture_free(&f);
}

/* A scout has a fifth of the 111,111 that each replication has in earnest. */
static void looks(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;
	struct probe p;
	struct diag d;
	struct fleet fleet;
	struct probe_setup s = {.fleet = &fleet, .replications = 5, .jobs = 1};

	diag_init(&d);
	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE, "{\"e2e_ms\": {\"p99\": 2000}}");
	fixture_queue_unit(&u, 1);
	fleet = fleet_of(&u, NULL, 1);
	s.scenario = &f.s;
	assert_int_equal(probe_base_requests(&s), 5 * 111111);
	/* M/M/1, mu 10: p99 is ln(100) / (10 - rate), 0.58 s at 2 and 2.3 s at 8. */
	assert_true(probe_scout(&p, &s, 2, &d));
	assert_true(p.holds && p.requests == 22222 && p.replications == 1);
	assert_near(p.found[0].excess, log(log(100) / 8 / 2), 0.1);
	assert_true(probe_look(&p, &s, 8, 150000, &d));
	assert_true(!p.holds && p.requests == 150000 && p.replications == 5);
	assert_near(p.found[0].excess, log(log(100) / 2 / 2), 0.1);
	/* No run is longer than 1e8 s, none larger than allowed. */
	assert_int_equal(probe_most_requests(&s, 1e-4), 10000);
	s.requests_max = 60000;
	assert_int_equal(probe_base_requests(&s), 60000);
	assert_true(probe_look(&p, &s, 8, 150000, &d));
	assert_int_equal(p.requests, 60000);
	unit_free(&u);
	fixture_free(&f);
	/* A median asks for 2,000: 20,000 a unit at least, up to 100,000. */
	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE, "{\"e2e_ms\": {\"p50\": 2000}}");
	s = (struct probe_setup){.scenario = &f.s, .fleet = &fleet, .replications = 1};
	assert_int_equal(probe_base_requests(&s), 20000);
	fleet.part[0].replicas = 3;
	assert_int_equal(probe_base_requests(&s), 60000);
	fleet.part[0].replicas = 30;
	assert_int_equal(probe_base_requests(&s), 100000);
	fleet.part[0].replicas = 300;
	assert_int_equal(probe_base_requests(&s), 300000);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_decides),
		cmocka_unit_test(what_decides_a_share),
		cmocka_unit_test(looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
