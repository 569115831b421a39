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

/* A probe of 120,000 requests whose p99 of TTFT is `value` with this interval; the limit is 2 s. */
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

static void the_rule(void **state)
{
	(void)state;
	struct fixture f;
	struct probe_setup s = {.replications = 1, .jobs = 1};
	const struct {
		double value, low, high, slope;
		int64_t more;
	} c[] = {
		{1.5, 1.2, 1.8, 0, 0},	       /* surely below */
		{2.5, 2.2, 2.8, 0, 0},	       /* surely above */
		{1.99, 1.96, 2.05, 0, 0},      /* 0.09 is below 5 % of 2 */
		{1.98, 1.91, 2.05, 0, 470400}, /* 1.4 times too wide: 2 * 1.96 times as many */
		{2.2, 1.8, 2.6, 0, 960000},    /* 0.4 to exclude by 0.2: 2 * 2^2 times */
		{2.2, 1.8, 2.6, 50, 0},	       /* 0.8 is below 50 * 1 % of 2 */
		{2.4, 0.3, 1.9, 0, 960000},    /* beyond the limit, on the wrong side */
		{1.99, 0.1, 9, 0, 2000000},
		{4.1, 1, 9, 0, 0}, /* off by more than a factor of two */
	};

	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE, "{\"ttft_ms\": {\"p99\": 2000}}");
	s.scenario = &f.s;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct probe p = found(c[i].value, c[i].low, c[i].high);

		assert_near((double)probe_more(&p, &s, c[i].slope), (double)c[i].more, 1);
	}
	struct probe few = found(1.5, 1.2, 1.8);
	few.requests = 22222; /* less than a thousand beyond the p99 */
	assert_int_equal(probe_more(&few, &s, 0), 44444);
	struct probe full = found(1.99, 0.1, 9);
	full.requests = s.requests_max = 200000;
	assert_int_equal(probe_more(&full, &s, 0), 0);
	fixture_free(&f);
}

/* Of an attainment of 0.9 a tenth may miss: 20 % of that are 0.02. */
static void the_rule_for_a_share(void **state)
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
	assert_int_equal(probe_more(&p, &s, 0), 0);
	p.found[0].interval = (struct interval){0.882, 0.922}; /* twice too wide: 8 times */
	assert_near((double)probe_more(&p, &s, 0), 160000, 1);
	fixture_free(&f);
}

/* A far probe has a fifth of 111,111; a near one all, and a second look the number asked for. */
static void looks(void **state)
{
	(void)state;
	struct fixture f;
	struct unit u;
	struct probe p;
	struct diag d;
	struct fleet fleet;
	struct probe_setup s = {.fleet = &fleet, .replications = 1, .jobs = 1};

	diag_init(&d);
	fixture_init(&f, "llama-3.1-8b", no_gpu, QUEUE, "{\"e2e_ms\": {\"p99\": 2000}}");
	fixture_queue_unit(&u, 1);
	fleet = fleet_of(&u, NULL, 1);
	s.scenario = &f.s;
	/* M/M/1, mu 10: p99 is ln(100) / (10 - rate), 0.58 s at 2 and 2.3 s at 8. */
	assert_true(probe_look(&p, &s, 2, 0, &d));
	assert_true(p.holds && p.simulations == 1 && p.requests == 22222);
	assert_near(probe_excess(&p), -PROBE_EXCESS_MAX, 0);
	assert_true(probe_look(&p, &s, 8, 0, &d));
	assert_true(!p.holds && p.simulations == 2 && p.requests == 111111);
	assert_near(probe_excess(&p), log(log(100) / 2 / 2), 0.1);
	assert_true(probe_look(&p, &s, 2, 150000, &d));
	assert_true(p.holds && p.simulations == 1 && p.requests == 150000);
	unit_free(&u);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule),
		cmocka_unit_test(the_rule_for_a_share),
		cmocka_unit_test(looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
