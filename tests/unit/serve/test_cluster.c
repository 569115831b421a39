/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fleet.h"

#include <math.h>

#include "traffic/arrival_kind.h"
#include "traffic/length_kind.h"

#define LENGTH(array) ((int64_t)(sizeof(array) / sizeof(*(array))))

/* Two clients, one slot, 1 in and 1 out: one request a unit, in order; each waits for the other. */
static void a_closed_loop_keeps_its_number(void **state)
{
	(void)state;
	struct request r[7];
	struct fleet f;
	struct tally t;
	for (int i = 0; i < 7; i++)
		r[i] = (struct request){.number = i, .input_tokens = 1, .output_tokens = 1};
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_num_seqs = 1;
	f.feed.concurrency = 2;
	f.feed.requests = 7;
	fleet_run(&f, &t);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(t.finish[i], (i + 1) * UNIT);
		assert_int_equal(t.arrival[i], i < 2 ? 0 : (i - 1) * UNIT);
	}
	tally_free(&t);
	f.feed.think = 3 * UNIT; /* ends at 1, 2, then 4 + 1, 5 + 1 ... */
	fleet_run(&f, &t);
	assert_int_equal(t.arrival[2], 4 * UNIT);
	assert_int_equal(t.arrival[3], 5 * UNIT);
	assert_int_equal(t.e2e[3], UNIT);
	tally_free(&t);
	fleet_free(&f);
}

/* All rejected, no think time: the clients go through all requests at time 0, and that is all. */
static void rejected_ones_do_not_loop_forever(void **state)
{
	(void)state;
	struct request r[50];
	struct fleet f;
	struct tally t;
	for (int i = 0; i < 50; i++)
		r[i] = (struct request){.number = i, .input_tokens = 5000, .output_tokens = 1};
	fleet_init(&f, r, LENGTH(r));
	f.feed.concurrency = 3;
	f.feed.requests = 50;
	fleet_run(&f, &t);
	assert_int_equal(fleet_requests(&t).rejected, 50);
	assert_int_equal(t.end, 0);
	tally_free(&t);
	fleet_free(&f);
}

static void an_overloaded_run_stops_at_its_backlog(void **state)
{
	(void)state;
	struct request r[300];
	struct fleet f;
	struct tally t;
	for (int i = 0; i < 300; i++)
		r[i] = (struct request){i, i * UNIT / 2, 1, 1};
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replica.max_num_seqs = 1;
	f.setup.backlog_limit = 50;
	fleet_run(&f, &t);
	assert_true(t.stopped_early);
	struct tally_slice s = fleet_requests(&t);
	assert_true(s.arrivals > 95 && s.arrivals < 105);
	assert_true(s.arrivals - s.completed == 51 + 1); /* and one in a step */
	assert_int_equal(t.e2e[299], TICK_NEVER);
	tally_free(&t);
	f.setup.backlog_limit = 0;
	fleet_run(&f, &t);
	assert_false(t.stopped_early);
	assert_int_equal(fleet_requests(&t).completed, 300);
	tally_free(&t);
	fleet_free(&f);
}

/* Two replicas whose steps end together, no think time: four clients, 1 in, 2 out. */
static void all_that_arrives_at_a_tick_joins_its_step(void **state)
{
	(void)state;
	struct request r[40];
	struct fleet f;
	struct tally t;
	for (int i = 0; i < 40; i++)
		r[i] = (struct request){.number = i, .input_tokens = 1, .output_tokens = 2};
	fleet_init(&f, r, LENGTH(r));
	f.setup.pool[0].replicas = 2;
	f.setup.router = fleet_router(&router_least_loaded);
	f.feed.concurrency = 4;
	f.feed.requests = 40;
	fleet_run(&f, &t);
	for (int i = 0; i < 40; i++) {
		assert_int_equal(t.queue[i], 0);
		assert_int_equal(t.e2e[i], 2 * UNIT);
	}
	tally_free(&t);
	fleet_free(&f);
}

static void simulated_time_has_an_end(void **state)
{
	(void)state;
	const struct request r[] = {{.arrival = 0, .input_tokens = 1, .output_tokens = 1000}};
	struct fleet f;
	struct tally t;
	struct diag d;
	fleet_init(&f, r, LENGTH(r));
	f.cost.term[0].second = 1e6;
	step_cost_tabulate(&f.cost, 1, 1);
	diag_init(&d);
	assert_false(cluster_run_feed(&f.setup, &f.feed, &t, &d));
	assert_true(d.set);
	tally_free(&t);
	fleet_free(&f);
}

static void fill_traffic(struct traffic *t)
{
	record_init(&traffic_record, t);
	t->arrivals.process = ARRIVAL_poisson;
	t->arrivals.rate = 100;
	t->input.dist = LENGTH_constant;
	t->input.value = 20;
	t->output.dist = LENGTH_exponential;
	t->output.mean = 10;
}

/* The same traffic from a source: what arrives does not depend on the fleet, and all of it leaves.
 */
static void a_source_feeds_every_fleet_the_same(void **state)
{
	(void)state;
	struct traffic traffic;
	struct fleet f;
	struct tally t[2];
	struct diag d;
	fill_traffic(&traffic);
	fleet_init(&f, NULL, 2000);
	f.setup.source = (struct source_setup){
		.traffic = &traffic, .seed = 3, .requests = 2000, .rate_factor = 1};
	diag_init(&d);
	for (int i = 0; i < 2; i++) {
		f.setup.pool[0].replicas = 1 + 3 * i;
		f.setup.router = fleet_router(&router_random);
		assert_true(cluster_run(&f.setup, &t[i], &d));
		assert_int_equal(fleet_requests(&t[i]).completed, 2000);
	}
	assert_memory_equal(t[0].arrival, t[1].arrival, 2000 * sizeof(tick));
	assert_true(fabs(tick_to_s(t[0].arrival[1999]) - 20) < 5 * 20 / sqrt(2000));
	tally_free(&t[0]);
	tally_free(&t[1]);
	traffic.arrivals.process = ARRIVAL_closed;
	traffic.arrivals.concurrency = 5;
	traffic.arrivals.think_s = 0;
	assert_true(cluster_run(&f.setup, &t[0], &d));
	assert_int_equal(fleet_requests(&t[0]).completed, 2000);
	assert_int_equal(t[0].arrival[4], 0);
	assert_true(t[0].arrival[5] > 0);
	tally_free(&t[0]);
	record_free(&traffic_record, &traffic);
	fleet_free(&f);
}

/* 3,000 requests of uneven lengths, about what five replicas can do. */
static void fill_crowd(struct request *r, int n)
{
	uint64_t x = 11;
	for (int i = 0; i < n; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		r[i] = (struct request){.number = i,
					.arrival = i * (UNIT / 3) + (tick)(x >> 40) % UNIT,
					.input_tokens = 1 + (int32_t)(x >> 33) % 50,
					.output_tokens = 1 + (int32_t)(x >> 50) % 30};
		if (i && r[i].arrival < r[i - 1].arrival)
			r[i].arrival = r[i - 1].arrival;
	}
}

/* One run of the crowd; two pools of `pools` or one of all replicas. */
static void run_crowd(struct fleet *f, struct tally *t, const struct router_kind *router,
		      bool split, double weight)
{
	f->setup.router = fleet_router(router);
	f->setup.pools = split ? 2 : 1;
	f->setup.pool[0].replicas = split ? 3 : 5;
	f->setup.pool[0].weight = weight;
	f->setup.pool[1] = f->setup.pool[0];
	f->setup.pool[1].replicas = 2;
	fleet_run(f, t);
}

static void expect_same(const struct tally *x, const struct tally *y, int64_t n)
{
	assert_memory_equal(x->ttft, y->ttft, (size_t)n * sizeof(tick));
	assert_memory_equal(x->finish, y->finish, (size_t)n * sizeof(tick));
	assert_int_equal(x->end, y->end);
}

/* Two equal pools are one of the sum, and their counts add up to its; routers that have nothing to
 * go by but the load are the least loaded. */
static void equal_pools_are_one(void **state)
{
	(void)state;
	enum { N = 3000 };
	static struct request r[N];
	const struct router_kind *const same[] = {&router_least_loaded, &router_capacity_weighted};
	struct fleet f;
	struct tally one, two, aware;
	fill_crowd(r, N);
	fleet_init(&f, r, N);
	f.setup.pool[0].replica.max_num_seqs = 8;
	run_crowd(&f, &one, &router_least_loaded, false, 0);
	for (int i = 0; i < 2; i++) {
		run_crowd(&f, &two, same[i], true, 0.3);
		expect_same(&one, &two, N);
		struct tally_steps a = fleet_steps(&two, 0), b = fleet_steps(&two, 1);
		struct tally_steps all = fleet_steps(&one, 0);
		assert_int_equal(a.busy + b.busy, all.busy);
		assert_int_equal(a.rounds + b.rounds, all.rounds);
		assert_int_equal(a.completed + b.completed, N);
		assert_true(a.completed > 0 && b.completed > 0);
		assert_true(a.kv_time + b.kv_time == all.kv_time);
		assert_true(a.batch_time + b.batch_time == all.batch_time);
		for (int q = 0; q < QUANTITIES; q++)
			assert_int_equal(a.work.of[q] + b.work.of[q], all.work.of[q]);
		tally_free(&two);
	}
	run_crowd(&f, &aware, &router_length_aware, false, 0);
	expect_same(&one, &aware, N);
	tally_free(&aware);
	tally_free(&one);
	fleet_free(&f);
}

/* Prompts of up to 20 tokens go to the first pool, longer ones to the second, to the request. */
static void lengths_choose_the_pool(void **state)
{
	(void)state;
	enum { N = 3000 };
	static struct request r[N];
	const struct length_route route[] = {{20, {1, 0}}, {INT64_MAX, {0, 1}}};
	struct fleet f;
	struct tally t;
	int64_t low = 0;
	fill_crowd(r, N);
	fleet_init(&f, r, N);
	f.setup.route = route;
	f.setup.routes = 2;
	run_crowd(&f, &t, &router_length_aware, true, 0);
	for (int i = 0; i < N; i++) {
		low += r[i].input_tokens <= 20;
		assert_int_equal(t.pool_of[i], r[i].input_tokens > 20);
	}
	assert_int_equal(fleet_steps(&t, 0).completed, low);
	assert_int_equal(fleet_steps(&t, 1).completed, N - low);
	tally_free(&t);
	fleet_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closed_loop_keeps_its_number),
		cmocka_unit_test(rejected_ones_do_not_loop_forever),
		cmocka_unit_test(an_overloaded_run_stops_at_its_backlog),
		cmocka_unit_test(all_that_arrives_at_a_tick_joins_its_step),
		cmocka_unit_test(simulated_time_has_an_end),
		cmocka_unit_test(a_source_feeds_every_fleet_the_same),
		cmocka_unit_test(equal_pools_are_one),
		cmocka_unit_test(lengths_choose_the_pool),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
