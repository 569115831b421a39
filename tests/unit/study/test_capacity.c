/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <string.h>

#include "near.h"

#include "des/rng.h"
#include "study/capacity.h"
#include "study/estimate.h"
#include "study/saturation.h"
#include "unit/study/fixture_queue.h"

static const char *const no_gpu[] = {NULL};

#define QUEUE                                                                                      \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 1, "                   \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 100}, \"seed\": 4}"

struct world {
	struct fixture f;
	struct unit u;
	struct fleet fleet;
	struct capacity_setup setup;
	struct diag d;
};

static void begin(struct world *w, const char *slo, int64_t slots, int replications)
{
	diag_init(&w->d);
	fixture_init(&w->f, "llama-3.1-8b", no_gpu, QUEUE, slo);
	fixture_queue_unit(&w->u, slots);
	w->fleet = fleet_of(&w->u, NULL, 1);
	w->setup.fleet = (struct probe_setup){
		.scenario = &w->f.s, .fleet = &w->fleet, .replications = replications, .jobs = 2};
	w->setup.saturated.rps = 0;
	w->setup.known = NULL;
}

static void end(struct world *w)
{
	fixture_free(&w->f);
	unit_free(&w->u);
}

/* One slot, 100 steps of 1 ms a request: it serves 10 a second (rounding exp(100) up to whole
 * tokens of at least 1 changes the mean by 0.005 tokens). Two slots serve 20. */
static void saturation_of_slots(void **state)
{
	(void)state;
	for (int64_t slots = 1; slots <= 2; slots++) {
		struct world w;
		struct saturation sat;

		begin(&w, "{}", slots, 1);
		assert_true(saturation_measure(&sat, &w.f.s, &w.fleet, &w.d));
		/* sd of the mean of 16,000 exponentials: 0.8 % */
		assert_near(sat.rps, 10.0 * (double)slots, 10.0 * (double)slots * 0.03);
		assert_true(sat.interval.low < sat.rps && sat.rps < sat.interval.high);
		end(&w);
	}
}

/* Without an SLO: 0.99 of it, and 20 replicas hold 20 times as much. */
static void saturation_is_the_limit_without_an_slo(void **state)
{
	(void)state;
	struct world w;
	struct capacity one, twenty;

	begin(&w, "{}", 1, 1);
	assert_true(capacity_find(&one, &w.setup, &w.d));
	assert_near(one.max_rps, 0.99 * one.saturated_rps, 1e-12);
	assert_string_equal(one.limited_by, "saturation");
	w.fleet.part[0].replicas = 20;
	assert_true(capacity_find(&twenty, &w.setup, &w.d));
	assert_near(twenty.max_rps, 20 * one.max_rps, 0.03 * 20 * one.max_rps);
	end(&w);
}

/*
 * M/M/1 with mu = 10: P(T > t) = exp(-(mu - lambda) t), so the p99 of E2E is 2 s at lambda = mu -
 * ln(100)/2 = 7.697. Tolerance: the interval's 5 % of ln(100)/2, over lambda, 1.5 %, and the mean
 * service of this stream, 0.3 %.
 */
static void mm1_capacity(void **state)
{
	(void)state;
	struct world w;
	struct capacity c;
	double exact = 10 - log(100) / 2;

	begin(&w, "{\"e2e_ms\": {\"p99\": 2000}}", 1, 5);
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_near(c.max_rps, exact, 0.02 * exact);
	assert_string_equal(c.limited_by, "e2e_ms p99");
	assert_true(c.interval.low < c.max_rps && c.max_rps < c.interval.high);
	assert_true(c.interval.low < exact * 1.01 && exact * 0.99 < c.interval.high);
	assert_true(c.certain);
	assert_true(capacity_half(&c) <= CAPACITY_KNOWN);
	assert_true(c.simulations <= 10);
	/* The line meets the limit where the curve does. */
	struct probe there;
	assert_true(probe_look(&there, &w.setup.fleet, c.max_rps, c.requests, &w.d));
	assert_int_equal(there.requests, c.requests);
	assert_near(there.found[0].excess, 0, 0.02);
	end(&w);
}

/* A mean of 1 s: 1 / (mu - lambda), lambda = 9; a share of 0.9 within 1 s: 10 - ln(10). */
static void other_statistics(void **state)
{
	(void)state;
	struct world w;
	struct capacity c;

	begin(&w, "{\"e2e_ms\": {\"mean\": 1000}}", 1, 5);
	w.setup.fleet.requests_max = 200000;
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_near(c.max_rps, 9, 0.15);
	assert_string_equal(c.limited_by, "e2e_ms mean");
	end(&w);
	begin(&w, "{\"e2e_ms\": {\"p50\": 1000}, \"attainment\": 0.9}", 1, 5);
	w.setup.fleet.requests_max = 200000;
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_near(c.max_rps, 10 - log(10), 0.15);
	assert_string_equal(c.limited_by, "attainment");
	end(&w);
}

/* Alone a p99 of E2E is 100 ms * ln(100) = 460 ms: 400 cannot be held, 10 s are no limit below
 * 0.95. */
static void limits_beyond_reach(void **state)
{
	(void)state;
	struct world w;
	struct capacity c;

	begin(&w, "{\"e2e_ms\": {\"p99\": 400}}", 1, 1);
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_true(c.alone_misses);
	assert_near(c.max_rps, 0, 0);
	assert_non_null(strstr(c.reason, "e2e_ms p99"));
	assert_non_null(strstr(c.reason, "400 ms"));
	end(&w);
	begin(&w, "{\"ttft_ms\": {\"p99\": 1e9}}", 1, 1);
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_near(c.max_rps, 0.99 * c.saturated_rps, 1e-9);
	end(&w);
}

/* Down to the least limit that a queue leaves room for: what is held there is worth a queue. A rate
 * at which nobody meets anybody is none. */
static void no_vanishing_rate(void **state)
{
	(void)state;
	double low = 452, high = 468, rate = 0;

	for (int i = 0; i < 10; i++) {
		double middle = (low + high) / 2;
		struct world w;
		struct capacity c;
		char slo[64];

		snprintf(slo, sizeof slo, "{\"e2e_ms\": {\"p99\": %.9g}}", middle);
		begin(&w, slo, 1, 1);
		assert_true(capacity_find(&c, &w.setup, &w.d));
		assert_true(!c.alone_misses || (c.max_rps == 0 && strstr(c.reason, "alone")));
		*(c.alone_misses ? &low : &high) = middle;
		rate = c.alone_misses ? rate : c.max_rps;
		end(&w);
	}
	assert_in_range((int64_t)(rate * 1e6), (int64_t)(2e6 / 1000 / 0.102), 200000);
}

/* No request fits: no rate at all, and the reason. */
static void nothing_fits(void **state)
{
	(void)state;
	struct world w;
	struct capacity c;

	begin(&w, "{\"e2e_ms\": {\"p99\": 400}}", 1, 1);
	w.u.replica.max_model_len = 1;
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_true(c.alone_misses);
	assert_non_null(strstr(c.reason, "rejected"));
	end(&w);
}

/* Constant steps: the estimate is the step; E2E 400 ms over 100 tokens leaves 4 ms a step. */
static void estimates(void **state)
{
	(void)state;
	struct world w;

	begin(&w, "{\"e2e_ms\": {\"p99\": 400}}", 1, 1);
	assert_near(estimate_step_s(&w.u, &w.f.s.facts, 5), 0.001, 1e-12);
	assert_near(estimate_alone_s(&w.u, &w.f.s.facts), 0.101, 0.001);
	assert_near(estimate_rate(&w.u, &w.f.s.facts, &w.f.s.slo, 9), 9, 1e-9);
	w.f.s.slo.limit_s[SLO_TPOT][SLO_P99] = 0.0005;
	assert_near(estimate_rate(&w.u, &w.f.s.facts, &w.f.s.slo, 9), 0.009, 1e-9);
	end(&w);
}

/*
 * 20,000 s at a fifth of the mean rate, then as many at nine times as much: nine requests of ten
 * come at 1.8 times the mean, and 1 % of all is 1.1 % of those: 1.8 lambda = 10 - ln(90)/2, lambda
 * = 4.31. A probe of 100,000 requests at 9/s would see the quiet half only.
 */
static void the_end_of_a_schedule_counts(void **state)
{
	(void)state;
	struct world w;
	struct capacity c;

	begin(&w, "{\"e2e_ms\": {\"p99\": 2000}}", 1, 1);
	fixture_free(&w.f);
	fixture_init(&w.f, "llama-3.1-8b", no_gpu,
		     "{\"arrivals\": {\"process\": \"schedule\", \"slot_s\": 20000, "
		     "\"rates\": [0.2, 1.8]}, \"input\": 1, "
		     "\"output\": {\"dist\": \"exponential\", \"mean\": 100}, \"seed\": 4}",
		     "{\"e2e_ms\": {\"p99\": 2000}}");
	assert_true(capacity_find(&c, &w.setup, &w.d));
	assert_near(c.max_rps, (10 - log(90) / 2) / 1.8, 0.15);
	assert_true(isnan(c.interval.low));
	end(&w);
}

/* What a card holds of a load of the length laws that the search meets in life. */
struct card {
	struct fixture f;
	struct unit u;
	struct fleet fleet;
	struct probe_setup probe;
};

static const char *const l4[] = {"l4-24gb", NULL};

static void begin_card(struct card *c, const char *traffic, const char *slo)
{
	fixture_init(&c->f, "llama-3.1-8b", l4, traffic, slo);
	unit_init(&c->u, &c->f.s, &c->f.candidate[0], 1);
	assert_int_equal(c->u.verdict, VERDICT_OK);
	c->fleet = fleet_of(&c->u, &c->f.candidate[0], 1);
	c->probe = (struct probe_setup){
		.scenario = &c->f.s, .fleet = &c->fleet, .replications = 1, .jobs = 1};
}

static void end_card(struct card *c)
{
	unit_free(&c->u);
	fixture_free(&c->f);
}

static struct capacity search_card(const struct card *c)
{
	struct capacity_setup setup = {.fleet = c->probe};
	struct capacity found;
	struct diag d;

	diag_init(&d);
	assert_true(capacity_find(&found, &setup, &d));
	return found;
}

#define CHAT                                                                                       \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": {\"dist\": "           \
	"\"lognormal\", \"mean\": 256, \"cv\": 0.9, \"max\": 2048}, \"output\": {\"dist\": "       \
	"\"lognormal\", \"mean\": 64, \"cv\": 0.8, \"max\": 512}, \"seed\": 3}"

/* The last of the rates, half a percent apart, that hold with as many requests as the search's last
 * probe had: what a search by brute force finds. */
static double scan(const struct card *c, const struct capacity *found)
{
	double rate = found->max_rps * 0.95, last = 0;
	struct probe p;
	struct diag d;

	diag_init(&d);
	for (int i = 0; i < 20; i++, rate *= 1.005) {
		assert_true(probe_look(&p, &c->probe, rate, found->requests, &d));
		if (!p.holds)
			return last;
		last = rate;
	}
	return last;
}

/* As close as the line from a probe within 3 % leads: a fraction of that. */
static void scanning_finds_the_same(void **state)
{
	(void)state;
	static const char *const slo[] = {
		"{\"ttft_ms\": {\"p50\": 250}}", "{\"tpot_ms\": {\"p90\": 70}}",
		"{\"e2e_ms\": {\"p95\": 12000}}",
		"{\"itl_ms\": {\"p50\": 80}, \"ttft_ms\": {\"p90\": 600}}",
		"{\"tpot_ms\": {\"p90\": 80}, \"attainment\": 0.9}"};

	for (size_t i = 0; i < sizeof slo / sizeof *slo; i++) {
		struct card c;

		begin_card(&c, CHAT, slo[i]);
		struct capacity found = search_card(&c);

		assert_true(found.max_rps > 0 && strcmp(found.limited_by, "saturation") != 0);
		assert_true(found.simulations <= 11);
		assert_near(scan(&c, &found), found.max_rps, 0.0075 * found.max_rps);
		end_card(&c);
	}
}

/* A histogram's percentile may be off by 1/256, which no number of requests mends. */
static void itl_is_known_to_a_bucket(void **state)
{
	(void)state;
	struct card c;
	struct probe there;
	struct diag d;

	diag_init(&d);
	begin_card(&c, CHAT, "{\"itl_ms\": {\"p90\": 80}}");
	struct capacity found = search_card(&c);

	assert_string_equal(found.limited_by, "itl_ms p90");
	assert_true(probe_look(&there, &c.probe, found.max_rps, found.requests, &d));
	double half = 0.9 / 256 + 0.9 * probe_half_width(&there.found[0]);
	assert_true(log(found.interval.high / found.max_rps) * found.slope > half);
	assert_true(log(found.max_rps / found.interval.low) * found.slope > half);
	end_card(&c);
}

/* Random loads and limits: half as much again of every limit holds no less, but for what is known
 * of a rate. */
static void looser_holds_no_less(void **state)
{
	(void)state;
	uint64_t key = rng_key(20261201, "looser", 0);

	for (uint64_t i = 0; i < 8; i++) {
		double before = 0;
		char traffic[512], slo[256];
		double u[5];

		for (uint64_t k = 0; k < 5; k++)
			u[k] = rng_uniform_at(key, 5 * i + k);
		snprintf(traffic, sizeof traffic,
			 "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": "
			 "{\"dist\": \"gamma\", \"mean\": %.0f, \"cv\": %.2f, \"max\": 4096}, "
			 "\"output\": {\"dist\": \"exponential\", \"mean\": %.0f, \"max\": 1024}, "
			 "\"seed\": %llu}",
			 64 * pow(16, u[0]), 0.3 + u[1], 16 * pow(12, u[2]),
			 (unsigned long long)i + 1);
		for (double loose = 1; loose < 4; loose *= 1.5) {
			struct card c;

			snprintf(slo, sizeof slo,
				 "{\"ttft_ms\": {\"p50\": %.0f}, \"tpot_ms\": {\"p90\": %.0f}}",
				 loose * 50 * pow(40, u[3]), loose * 50 * pow(4, u[4]));
			begin_card(&c, traffic, slo);
			struct capacity found = search_card(&c);

			if (found.max_rps < before * (1 - CAPACITY_POINT))
				fail_msg("%s with %s: %g after %g", traffic, slo, found.max_rps,
					 before);
			before = found.max_rps;
			end_card(&c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saturation_of_slots),
		cmocka_unit_test(saturation_is_the_limit_without_an_slo),
		cmocka_unit_test(mm1_capacity),
		cmocka_unit_test(other_statistics),
		cmocka_unit_test(limits_beyond_reach),
		cmocka_unit_test(no_vanishing_rate),
		cmocka_unit_test(nothing_fits),
		cmocka_unit_test(estimates),
		cmocka_unit_test(scanning_finds_the_same),
		cmocka_unit_test(itl_is_known_to_a_bucket),
		cmocka_unit_test(looser_holds_no_less),
		cmocka_unit_test(the_end_of_a_schedule_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
