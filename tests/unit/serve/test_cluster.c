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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closed_loop_keeps_its_number),
		cmocka_unit_test(rejected_ones_do_not_loop_forever),
		cmocka_unit_test(an_overloaded_run_stops_at_its_backlog),
		cmocka_unit_test(all_that_arrives_at_a_tick_joins_its_step),
		cmocka_unit_test(simulated_time_has_an_end),
		cmocka_unit_test(a_source_feeds_every_fleet_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
