/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "des/agenda.h"

#define ACTORS 64

struct clock_actor {
	struct actor actor;
	struct agenda *agenda;
	tick period, last;
	int wakes, limit, id;
	int *log, *logged;
	struct clock_actor *other; /* set due at once by each wake, or NULL */
	bool late, saw_others;
};

static void tick_on(struct actor *actor, tick now)
{
	struct clock_actor *c = (struct clock_actor *)actor;
	c->last = now;
	c->wakes++;
	if (c->log)
		c->log[(*c->logged)++] = c->id;
	c->saw_others = agenda_others_at(c->agenda, now);
	if (c->other)
		agenda_set(c->agenda, &c->other->actor, now);
	if (c->wakes < c->limit)
		agenda_set(c->agenda, actor, now + c->period);
}

static void make(struct clock_actor *c, struct agenda *a, int id, int *log, int *logged)
{
	*c = (struct clock_actor){
		.actor = {.wake = tick_on, .name = "clock"}, .agenda = a, .id = id};
	c->log = log;
	c->logged = logged;
	agenda_add(a, &c->actor);
}

static void ties_go_by_rank_and_late_ones_last(void **state)
{
	(void)state;
	struct agenda a;
	struct clock_actor c[4];
	int log[16], logged = 0;
	agenda_init(&a);
	for (int i = 0; i < 4; i++)
		make(&c[i], &a, i, log, &logged);
	agenda_set_late(&a, &c[0].actor, 5);
	agenda_set(&a, &c[3].actor, 5);
	agenda_set(&a, &c[2].actor, 5);
	agenda_set_late(&a, &c[1].actor, 5);
	agenda_run(&a, NULL, NULL);
	const int expected[] = {2, 3, 0, 1};
	assert_int_equal(logged, 4);
	assert_memory_equal(log, expected, sizeof(expected));
	assert_true(c[2].saw_others && c[3].saw_others && c[0].saw_others);
	assert_false(c[1].saw_others);
	assert_int_equal(a.now, 5);
	assert_int_equal(a.events, 4);
	agenda_free(&a);
}

/* An actor set due now by a later-ranked one comes before the rest of that tick. */
static void one_set_due_now_comes_by_its_rank(void **state)
{
	(void)state;
	struct agenda a;
	struct clock_actor c[3];
	int log[16], logged = 0;
	agenda_init(&a);
	for (int i = 0; i < 3; i++)
		make(&c[i], &a, i, log, &logged);
	c[1].other = &c[0];
	agenda_set(&a, &c[1].actor, 7);
	agenda_set(&a, &c[2].actor, 7);
	agenda_run(&a, NULL, NULL);
	const int expected[] = {1, 0, 2};
	assert_int_equal(logged, 3);
	assert_memory_equal(log, expected, sizeof(expected));
	agenda_free(&a);
}

static void many_clocks_keep_time(void **state)
{
	(void)state;
	struct agenda a;
	static struct clock_actor c[ACTORS];
	agenda_init(&a);
	for (int i = 0; i < ACTORS; i++) {
		make(&c[i], &a, i, NULL, NULL);
		c[i].period = 1 + (i * 37) % 101;
		c[i].limit = 50 + i;
		agenda_set(&a, &c[i].actor, 1000);
		agenda_set(&a, &c[i].actor, c[i].period); /* moves its only entry */
	}
	agenda_run(&a, NULL, NULL);
	uint64_t wakes = 0;
	for (int i = 0; i < ACTORS; i++) {
		assert_int_equal(c[i].wakes, c[i].limit);
		assert_int_equal(c[i].last, c[i].limit * c[i].period);
		wakes += (uint64_t)c[i].wakes;
	}
	assert_int_equal(a.events, wakes);
	agenda_free(&a);
}

static bool is_tired(void *arg)
{
	return ((struct clock_actor *)arg)->wakes == 3;
}

static void stop_ends_between_two_wakes(void **state)
{
	(void)state;
	struct agenda a;
	struct clock_actor c;
	agenda_init(&a);
	make(&c, &a, 0, NULL, NULL);
	c.period = 2;
	c.limit = 100;
	agenda_set(&a, &c.actor, 0);
	agenda_run(&a, is_tired, &c);
	assert_int_equal(c.wakes, 3);
	assert_int_equal(a.now, 4);
	agenda_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ties_go_by_rank_and_late_ones_last),
		cmocka_unit_test(one_set_due_now_comes_by_its_rank),
		cmocka_unit_test(many_clocks_keep_time),
		cmocka_unit_test(stop_ends_between_two_wakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
