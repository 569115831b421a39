/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "serve/router_kind.h"

#define UNITS 7

/* A station that counts what it gets and says what load it is told to say. */
struct desk {
	struct station station;
	int64_t load, got;
};

static void arrive(struct station *s, const struct passage *p, tick now)
{
	(void)p;
	(void)now;
	((struct desk *)s)->got++;
}

static int64_t load(const struct station *s)
{
	return ((const struct desk *)s)->load;
}

static const struct station_kind desk_kind = {.name = "desk", .arrive = arrive, .load = load};

struct office {
	struct cluster_setup setup;
	struct router router;
	struct desk desk[UNITS];
	struct station *unit[UNITS];
};

static void open_office(struct office *o, const struct router_kind *kind)
{
	memset(o, 0, sizeof(*o));
	while (router_kinds[o->setup.router] != kind)
		o->setup.router++;
	o->setup.pools = 2;
	o->setup.pool[0].replicas = 3;
	o->setup.pool[1].replicas = UNITS - 3;
	for (int i = 0; i < UNITS; i++) {
		o->desk[i].station.kind = &desk_kind;
		o->unit[i] = &o->desk[i].station;
	}
	router_init(&o->router, &o->setup, o->unit, 42);
}

static void send(struct office *o, int64_t number)
{
	const struct passage p = {.request = {.number = number}};
	station_arrive(&o->router.station, &p, 0);
}

static void names_and_kinds_are_in_one_order(void **state)
{
	(void)state;
	int i;
	for (i = 0; router_kinds[i]; i++)
		assert_string_equal(router_kinds[i]->name, router_names[i]);
	for (; router_names[i]; i++)
		assert_int_equal(router_names[i][0], '!');
}

static void round_robin_takes_turns(void **state)
{
	(void)state;
	struct office o;
	open_office(&o, &router_round_robin);
	for (int64_t i = 0; i < 3 * UNITS + 2; i++)
		send(&o, i);
	for (int i = 0; i < UNITS; i++)
		assert_int_equal(o.desk[i].got, i < 2 ? 4 : 3);
}

static void least_loaded_takes_the_first_of_the_least(void **state)
{
	(void)state;
	struct office o;
	const int64_t loads[UNITS] = {5, 3, 4, 2, 9, 2, 3};
	open_office(&o, &router_least_loaded);
	for (int i = 0; i < UNITS; i++)
		o.desk[i].load = loads[i];
	send(&o, 0);
	assert_int_equal(o.desk[3].got, 1);
	o.desk[6].load = 0;
	send(&o, 1);
	assert_int_equal(o.desk[6].got, 1);
	o.desk[0].load = 0;
	send(&o, 2);
	assert_int_equal(o.desk[0].got, 1);
}

/* Each desk's count within five standard deviations, sqrt(n * (1/7) * (6/7)) = 35 of 1,429. */
static void random_is_uniform_and_by_number(void **state)
{
	(void)state;
	struct office o, again;
	open_office(&o, &router_random);
	open_office(&again, &router_random);
	for (int64_t i = 0; i < 10000; i++)
		send(&o, i);
	for (int64_t i = 9999; i >= 0; i--)
		send(&again, i);
	for (int i = 0; i < UNITS; i++) {
		assert_true(fabs((double)o.desk[i].got - 10000.0 / UNITS) < 175);
		assert_int_equal(o.desk[i].got, again.desk[i].got);
	}
}

/* Desk i has load i: a desk gets what draws it and a higher one. Of 21 pairs, 6 - i are desk i's.
 */
static void power_of_two_takes_the_less_loaded_of_two_distinct(void **state)
{
	(void)state;
	struct office o;
	open_office(&o, &router_power_of_two);
	for (int i = 0; i < UNITS; i++)
		o.desk[i].load = i;
	for (int64_t i = 0; i < 21000; i++)
		send(&o, i);
	for (int i = 0; i < UNITS; i++)
		assert_true(fabs((double)o.desk[i].got - 1000.0 * (6 - i)) < 5 * sqrt(6000));
	assert_int_equal(o.desk[6].got, 0); /* never drawn twice */
}

/* Three units of capacity 1 and four of capacity 2.5, ties to the lowest index. */
static void capacity_weighted_divides_by_capacity(void **state)
{
	(void)state;
	struct office o;
	const int64_t loads[UNITS] = {1, 1, 3, 4, 4, 9, 9};
	open_office(&o, &router_capacity_weighted);
	o.setup.pool[0].weight = 1;
	o.setup.pool[1].weight = 2.5;
	for (int i = 0; i < UNITS; i++)
		o.desk[i].load = loads[i];
	send(&o, 0); /* 2, 2, 4, 2, 2, 4, 4 */
	assert_int_equal(o.desk[0].got, 1);
	o.desk[0].load = o.desk[1].load = 2;
	send(&o, 1); /* 3, 3, 4, 2, 2, 4, 4 */
	assert_int_equal(o.desk[3].got, 1);
	o.desk[3].load = o.desk[4].load = 7;
	send(&o, 2); /* 3, 3, 4, 3.2, 3.2, 4, 4 */
	assert_int_equal(o.desk[0].got, 2);
	for (int i = 0; i < UNITS; i++)
		o.desk[i].load = 0;
	send(&o, 3); /* idle: the strongest */
	assert_int_equal(o.desk[3].got, 2);
}

/* Equal weights: the least loaded, whatever they are. */
static void equal_capacities_are_the_least_loaded(void **state)
{
	(void)state;
	struct office weighted, least;
	uint64_t x = 7;
	open_office(&weighted, &router_capacity_weighted);
	open_office(&least, &router_least_loaded);
	for (int64_t i = 0; i < 2000; i++) {
		weighted.setup.pool[0].weight = weighted.setup.pool[1].weight =
			0.1 * (double)(i + 1);
		for (int u = 0; u < UNITS; u++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
			weighted.desk[u].load = least.desk[u].load = (int64_t)(x >> 60);
		}
		send(&weighted, i);
		send(&least, i);
		for (int u = 0; u < UNITS; u++)
			assert_int_equal(weighted.desk[u].got, least.desk[u].got);
	}
}

static void send_prompt(struct office *o, int64_t number, int32_t input)
{
	const struct passage p = {.request = {.number = number, .input_tokens = input}};
	station_arrive(&o->router.station, &p, 0);
}

/* Up to 100 tokens to the first pool, up to 200 a quarter to it, longer ones to the second. */
static void length_aware_goes_by_class(void **state)
{
	(void)state;
	struct office o;
	const struct length_route route[] = {
		{100, {1, 0}}, {200, {0.25, 0.75}}, {INT64_MAX, {0, 1}}};
	open_office(&o, &router_length_aware);
	o.setup.route = route;
	o.setup.routes = 3;
	for (int i = 0; i < UNITS; i++)
		o.desk[i].load = 10 - i % 3; /* the least: unit 2, unit 5 */
	send_prompt(&o, 0, 100);
	assert_int_equal(o.desk[2].got, 1);
	send_prompt(&o, 1, 201);
	assert_int_equal(o.desk[5].got, 1);
	for (int64_t i = 0; i < 10000; i++)
		send_prompt(&o, i, 101 + (int32_t)i % 100);
	/* five standard deviations: sqrt(10,000 * 0.25 * 0.75) = 43 */
	assert_true(fabs((double)o.desk[2].got - 2501) < 217);
	assert_int_equal(o.desk[2].got + o.desk[5].got, 10002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_kinds_are_in_one_order),
		cmocka_unit_test(round_robin_takes_turns),
		cmocka_unit_test(least_loaded_takes_the_first_of_the_least),
		cmocka_unit_test(random_is_uniform_and_by_number),
		cmocka_unit_test(power_of_two_takes_the_less_loaded_of_two_distinct),
		cmocka_unit_test(capacity_weighted_divides_by_capacity),
		cmocka_unit_test(equal_capacities_are_the_least_loaded),
		cmocka_unit_test(length_aware_goes_by_class),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
