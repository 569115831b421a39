/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fleets of unlike GPUs: what their routers are told, and what comes of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "study/capacity.h"
#include "study/saturation.h"
#include "study/settled_fleet.h"
#include "unit/study/fixture_pools.h"

static const char *const mixed[] = {"l4-24gb", "a100-sxm-80gb", NULL};
static const char *const alike[] = {"l4-24gb", "l4-24gb", NULL};
static const int64_t three_one[] = {3, 1}, two_one[] = {2, 1};

#define CHAT(rate)                                                                                 \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": " rate "}, "                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"requests\": 6000, \"seed\": 5}"

static struct evaluate_setup setup_of(const struct fixture *f)
{
	return (struct evaluate_setup){.scenario = &f->s,
				       .book = &f->book,
				       .replications = 2,
				       .jobs = 1,
				       .rate_factor = 1,
				       .quiet = true};
}

static void run(struct outcome *o, struct fixture *f)
{
	struct evaluate_setup setup = setup_of(f);
	struct diag d;

	diag_init(&d);
	assert_true(evaluate(&setup, 0, o, &d));
}

/* What a run of any mixed fleet must add up to. */
static void expect_sums(const struct outcome *o, const struct fixture_pools *p)
{
	const struct outcome_pool *pool = o->pools.data;
	double share = 0, watts = 0, busy = 0, units = 0;

	assert_int_equal(o->pools.count, p->f.s.pools);
	for (size_t i = 0; i < o->pools.count; i++) {
		share += pool[i].share;
		watts += pool[i].watts;
		busy += pool[i].use.busy * (double)pool[i].replicas;
		units += (double)pool[i].replicas;
		assert_int_equal(pool[i].replicas, p->pool[i].replicas);
		assert_true(pool[i].memory.kv_pool_tokens > 0);
		assert_true(o->use.kv_max >= pool[i].use.kv_max);
	}
	assert_near(share, 1, 1e-12);
	assert_near(watts, o->watts, 1e-9 * watts);
	assert_near(busy / units, o->use.busy, 1e-9);
	assert_int_equal(o->gpus_total, (int64_t)units);
	assert_int_equal(o->completed + o->rejected, o->offered);
}

/* Three L4 at $1 and an A100 at $2: $5 an hour. The A100 has 6 times the bandwidth. */
static void a_mixed_fleet(void **state)
{
	(void)state;
	struct fixture_pools p;
	struct outcome o;

	fixture_pools_init(&p, mixed, three_one, &router_capacity_weighted, CHAT("8"),
			   "{\"ttft_ms\": {\"p99\": 2000}}");
	run(&o, &p.f);
	assert_int_equal(o.verdict, VERDICT_OK);
	assert_string_equal(o.gpu, "all");
	expect_sums(&o, &p);
	assert_near(o.rental.usd_per_hour, 5, 1e-12);
	assert_near(o.usd_per_1k_requests, 5 / 3.6 / o.offered_rps, 1e-9);
	const struct outcome_pool *pool = o.pools.data;
	assert_string_equal(pool[0].gpu, "l4-24gb");
	assert_true(pool[1].share > 0.5 && pool[1].share < 1);
	assert_int_equal(o.memory.kv_pool_tokens, RECORD_INT_UNSET);
	assert_int_equal(o.resolved.max_num_seqs, RECORD_INT_UNSET);
	outcome_free(&o);
	fixture_pools_free(&p);
}

/* Two pools of one GPU behind least-loaded are the fleet of their sum, to the bit where requests
 * are concerned. */
static void equal_pools_are_their_sum(void **state)
{
	(void)state;
	struct fixture_pools p;
	struct fixture f;
	struct outcome two, one;

	fixture_pools_init(&p, alike, two_one, &router_least_loaded, CHAT("3"), "{}");
	fixture_init(&f, "llama-3.1-8b", alike, CHAT("3"), "{}");
	f.s.deployment.replicas = 3;
	run(&two, &p.f);
	run(&one, &f);
	expect_sums(&two, &p);
	assert_memory_equal(two.latency_s, one.latency_s, sizeof two.latency_s);
	assert_near(two.requests_per_s, one.requests_per_s, 0);
	assert_near(two.use.busy, one.use.busy, 1e-12);
	assert_near(two.use.mfu, one.use.mfu, 1e-12);
	assert_near(two.use.kv_mean, one.use.kv_mean, 1e-12);
	assert_near(two.watts, one.watts, 1e-9);
	/* two runs of their own; the sum of the pools' rates */
	assert_near(two.saturated_rps, one.saturated_rps, 0.02 * one.saturated_rps);
	assert_null(one.pools.data);
	outcome_free(&two);
	outcome_free(&one);
	fixture_free(&f);
	fixture_pools_free(&p);
}

/* In a fleet of one GPU both new routers are least-loaded, exactly. */
static void one_gpu_needs_no_weights(void **state)
{
	(void)state;
	const struct router_kind *const router[] = {&router_least_loaded, &router_capacity_weighted,
						    &router_length_aware};
	struct fixture f;
	struct outcome o[3];

	fixture_init(&f, "llama-3.1-8b", alike, CHAT("3"), "{}");
	f.s.deployment.replicas = 3;
	for (int i = 0; i < 3; i++) {
		f.s.deployment.router = fixture_router(router[i]);
		run(&o[i], &f);
		assert_memory_equal(o[i].latency_s, o[0].latency_s, sizeof o[0].latency_s);
		assert_near(o[i].saturated_rps, o[0].saturated_rps, 0);
	}
	for (int i = 0; i < 3; i++)
		outcome_free(&o[i]);
	fixture_free(&f);
}

/* The strongest verdict of a part is the fleet's, with its name. */
static void one_part_that_cannot_stops_all(void **state)
{
	(void)state;
	static const char *const with_small[] = {"a100-sxm-80gb", "t4-16gb", NULL};
	struct fixture_pools p;
	struct outcome o;

	fixture_pools_init(&p, with_small, two_one, &router_length_aware, CHAT("3"), "{}");
	run(&o, &p.f);
	assert_int_equal(o.verdict, VERDICT_DOES_NOT_FIT);
	assert_non_null(strstr(o.reason, "t4-16gb: "));
	assert_int_equal(o.pools.count, 2);
	assert_int_equal(o.offered, RECORD_INT_UNSET);
	outcome_free(&o);
	fixture_pools_free(&p);
}

/* Weights are the units' own saturated rates; without a table short prompts go to the weaker GPU,
 * so many that its share of the tokens is its share of the capacity. */
static void the_router_is_told(void **state)
{
	(void)state;
	struct fixture_pools p;
	struct settled_fleet f;
	struct outcome o;
	struct diag d;

	fixture_pools_init(&p, mixed, three_one, &router_length_aware, CHAT("8"), "{}");
	struct evaluate_setup setup = setup_of(&p.f);
	diag_init(&d);
	assert_true(settled_fleet_init(&f, &setup, 0, &d));
	struct fleet one = fleet_of(&f.unit[1], &p.pool[1].candidate, 1);
	struct saturation sat;
	assert_true(saturation_measure(&sat, &p.f.s, &one, &d));
	assert_near(f.fleet.part[1].unit_rps, sat.rps, 0);
	assert_true(f.fleet.part[1].unit_rps > 3 * f.fleet.part[0].unit_rps);
	assert_in_range(f.fleet.routes, 2, 3);
	assert_near(f.fleet.route[0].share[0], 1, 0);
	assert_near(f.fleet.route[f.fleet.routes - 1].share[1], 1, 0);
	double small = 3 * f.fleet.part[0].unit_rps;
	double capacity = small / (small + f.fleet.part[1].unit_rps);
	settled_fleet_free(&f);
	run(&o, &p.f);
	expect_sums(&o, &p);
	const struct length_share *class = o.resolved.length_shares.data;
	assert_in_range(o.resolved.length_shares.count, 2, 3);
	assert_near(((double *)class[0].shares.data)[0], 1, 0);
	const struct outcome_pool *pool = o.pools.data;
	/* short prompts are more requests than tokens */
	assert_true(pool[0].share > capacity);
	outcome_free(&o);
	fixture_pools_free(&p);
}

/* A table that is written is used, and a whole fleet has a capacity below where it saturates. */
static void a_table_that_is_given(void **state)
{
	(void)state;
	double first[] = {0, 1}, second[] = {1, 0};
	struct length_share class[] = {{300, {2, sizeof(double), first}},
				       {RECORD_INT_UNSET, {2, sizeof(double), second}}};
	struct fixture_pools p;
	struct settled_fleet f;
	struct capacity c;
	struct diag d;

	fixture_pools_init(&p, mixed, three_one, &router_length_aware, CHAT("8"),
			   "{\"ttft_ms\": {\"p90\": 2000}}");
	p.f.s.deployment.length_shares = (struct record_list){2, sizeof *class, class};
	struct evaluate_setup setup = setup_of(&p.f);
	diag_init(&d);
	assert_true(settled_fleet_init(&f, &setup, 0, &d));
	assert_int_equal(f.fleet.routes, 2);
	assert_int_equal(f.fleet.route[0].input_max, 300);
	assert_near(f.fleet.route[0].share[1], 1, 0);
	assert_near(f.fleet.part[0].unit_rps, 1, 0); /* not needed, not measured */
	struct capacity_setup search = {
		.fleet = {.scenario = &p.f.s, .fleet = &f.fleet, .replications = 1, .jobs = 1}};
	assert_true(capacity_find(&c, &search, &d));
	assert_true(c.max_rps > 0 && c.max_rps <= 0.99 * c.saturated_rps);
	settled_fleet_free(&f);
	p.f.s.deployment.length_shares = (struct record_list){0};
	fixture_pools_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mixed_fleet),
		cmocka_unit_test(equal_pools_are_their_sum),
		cmocka_unit_test(one_gpu_needs_no_weights),
		cmocka_unit_test(one_part_that_cannot_stops_all),
		cmocka_unit_test(the_router_is_told),
		cmocka_unit_test(a_table_that_is_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
