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
	struct router router;
	struct desk desk[UNITS];
	struct station *unit[UNITS];
};

static void open_office(struct office *o, const struct router_kind *kind)
{
	int how = 0;
	memset(o, 0, sizeof(*o));
	while (router_kinds[how] != kind)
		how++;
	for (int i = 0; i < UNITS; i++) {
		o->desk[i].station.kind = &desk_kind;
		o->unit[i] = &o->desk[i].station;
	}
	router_init(&o->router, how, o->unit, UNITS, 42);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_kinds_are_in_one_order),
		cmocka_unit_test(round_robin_takes_turns),
		cmocka_unit_test(least_loaded_takes_the_first_of_the_least),
		cmocka_unit_test(random_is_uniform_and_by_number),
		cmocka_unit_test(power_of_two_takes_the_less_loaded_of_two_distinct),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
