/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a mixed fleet saturates behind each router: queues of one slot with known rates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "study/saturation.h"
#include "unit/study/fixture_pools.h"
#include "unit/study/fixture_queue.h"

static const char *const no_gpu[] = {NULL};

#define QUEUE                                                                                      \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 1, "                   \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 100}, \"seed\": 4}"

/* Two slow units that serve 10 a second each, and one that serves 40. */
struct world {
	struct fixture f;
	struct unit slow, fast;
	struct fleet fleet;
	struct diag d;
};

static void begin(struct world *w)
{
	diag_init(&w->d);
	fixture_init(&w->f, "llama-3.1-8b", no_gpu, QUEUE, "{}");
	fixture_queue_unit(&w->slow, 1);
	fixture_queue_unit(&w->fast, 1);
	w->fast.cost.term[0].second = 0.00025;
	step_cost_tabulate(&w->fast.cost, 1, 1);
	w->fast.replica.cost = &w->fast.cost;
	w->fleet = fleet_of(&w->slow, NULL, 2);
	w->fleet.part[w->fleet.parts++] = (struct fleet_part){&w->fast, NULL, 1, 1};
}

static void end(struct world *w)
{
	fixture_free(&w->f);
	unit_free(&w->slow);
	unit_free(&w->fast);
}

static void units_alone(void **state)
{
	(void)state;
	struct world w;

	begin(&w);
	assert_true(saturation_measure_units(&w.fleet, &w.f.s, &w.d));
	/* sd of the mean of 16,000 exponentials: 0.8 % */
	assert_near(w.fleet.part[0].unit_rps, 10, 0.3);
	assert_near(w.fleet.part[1].unit_rps, 40, 1.2);
	end(&w);
}

/*
 * Routers that see load: 10 + 10 + 40. In turn or at random a third each, so 3 * 10. Power of two:
 * both slow ones are drawn in one of three, and hold 20: 60, so all do. Length-aware by shares of a
 * half: the slow pool's 20 over 0.5.
 */
static void by_router(void **state)
{
	(void)state;
	const struct length_route half = {INT64_MAX, {0.5, 0.5}};
	const struct {
		const struct router_kind *router;
		double rps;
	} c[] = {{&router_least_loaded, 60}, {&router_capacity_weighted, 60},
		 {&router_round_robin, 30},  {&router_random, 30},
		 {&router_power_of_two, 60}, {&router_length_aware, 40}};
	struct world w;

	begin(&w);
	w.fleet.part[1].unit_rps = 4;
	w.fleet.route = &half;
	w.fleet.routes = 1;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct saturation sat;

		w.f.s.deployment.router = fixture_router(c[i].router);
		assert_true(saturation_measure(&sat, &w.f.s, &w.fleet, &w.d));
		assert_near(sat.rps, c[i].rps, 0.03 * c[i].rps);
		assert_true(sat.interval.low < sat.rps && sat.rps < sat.interval.high);
	}
	/* Three slow, one fast: the slow ones are both of a draw in 6 of 12, and hold 30: below 70.
	 */
	w.fleet.part[0].replicas = 3;
	struct saturation sat;
	w.f.s.deployment.router = fixture_router(&router_power_of_two);
	assert_true(saturation_measure(&sat, &w.f.s, &w.fleet, &w.d));
	assert_near(sat.rps, 60, 1.8);
	end(&w);
}

static double measured(struct world *w, int64_t slow, int64_t fast)
{
	struct saturation sat;

	w->fleet.part[0].replicas = slow;
	w->fleet.part[1].replicas = fast;
	assert_true(saturation_measure(&sat, &w->f.s, &w->fleet, &w->d));
	return sat.rps;
}

/* A fleet of thousands does what one of a thousandth does, a thousand times. */
static void of_thousands(void **state)
{
	(void)state;
	const struct router_kind *const routers[] = {&router_least_loaded, &router_round_robin,
						     &router_length_aware};
	const struct length_route half = {INT64_MAX, {0.5, 0.5}};
	struct world w;

	begin(&w);
	w.slow.replica.max_num_seqs = w.fast.replica.max_num_seqs = 64;
	step_cost_tabulate(&w.slow.cost, 64, 1);
	step_cost_tabulate(&w.fast.cost, 64, 1);
	w.fleet.route = &half;
	w.fleet.routes = 1;
	for (size_t i = 0; i < 3; i++) {
		w.f.s.deployment.router = fixture_router(routers[i]);
		double few = measured(&w, 4, 2), many = measured(&w, 4000, 2000);

		assert_near(many / 1000, few, 0.03 * few);
	}
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_alone),
		cmocka_unit_test(by_router),
		cmocka_unit_test(of_thousands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
