/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What looks see, worked by hand in steps of one UNIT. That they change nothing is shown on random
 * scenarios, in tests/reference/test_leap_step.c. */
#include "fleet.h"

#include "near.h"

/* A prefills in [0, 1] and decodes to 3; B arrives at 1.5, prefills in [2, 3], decodes to 4. */
static const struct request two[] = {
	{.arrival = 0, .input_tokens = 5, .output_tokens = 3},
	{.arrival = 3 * UNIT / 2, .input_tokens = 4, .output_tokens = 2},
};

static void run(struct sampler *s, int64_t replicas, int64_t stride)
{
	struct fleet f;
	struct tally t;

	fleet_init(&f, two, 2);
	f.setup.pool[0].replica.stride = stride;
	f.setup.pool[0].replica.pool_blocks = 10;
	f.setup.pool[0].replicas = replicas;
	f.setup.router = fleet_router(&router_round_robin);
	f.setup.sampler = s;
	sampler_init(s, 4 * UNIT, 4);
	fleet_run(&f, &t);
	assert_int_equal(s->looked, 4);
	assert_int_equal(t.end, (replicas == 1 ? 8 : 7) * UNIT / 2);
	tally_free(&t);
	fleet_free(&f);
}

static void check(const struct look *l, int64_t waiting, int64_t running, double kv, double most)
{
	assert_int_equal(l->waiting, waiting);
	assert_int_equal(l->running, running);
	assert_near(l->kv, kv, 1e-12);
	assert_near(l->kv_most, most, 1e-12);
}

/* Looks at 0.5, 1.5, 2.5 and 3.5; blocks of 4 tokens, of 10. */
static void one_replica(void **state)
{
	(void)state;
	struct sampler s;

	for (int64_t stride = 1; stride; stride = stride == 1 ? INT64_MAX : 0) {
		run(&s, 1, stride);
		check(&s.look[0], 0, 1, 0.2, 0.2);
		check(&s.look[1], 1, 1, 0.2, 0.2);
		check(&s.look[2], 0, 2, 0.3, 0.3);
		check(&s.look[3], 0, 1, 0.1, 0.1);
		sampler_free(&s);
	}
}

/* B has a replica of its own: it arrives there at 1.5, at the tick of the look, ends at 3.5. */
static void a_fleet_is_added_up(void **state)
{
	(void)state;
	struct sampler s;

	run(&s, 2, INT64_MAX);
	check(&s.look[0], 0, 1, 0.1, 0.2);
	check(&s.look[1], 1, 1, 0.1, 0.2);
	check(&s.look[2], 0, 2, 0.15, 0.2);
	sampler_free(&s);
}

/* 5 in, 6 out, blocks of 1: a leap over [1, 6], of which two steps have ended at 3.5. */
static void leaps_are_settled(void **state)
{
	(void)state;
	const struct request r[] = {{.arrival = 0, .input_tokens = 5, .output_tokens = 6}};
	struct sampler s;
	struct fleet f;
	struct tally t;

	fleet_init(&f, r, 1);
	f.setup.pool[0].replica.block_size = 1;
	f.setup.sampler = &s;
	sampler_init(&s, 6 * UNIT, 6);
	fleet_run(&f, &t);
	check(&s.look[3], 0, 1, 0.007, 0.007);
	assert_int_equal(t.end, 6 * UNIT);
	tally_free(&t);
	sampler_free(&s);
	fleet_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_replica),
		cmocka_unit_test(a_fleet_is_added_up),
		cmocka_unit_test(leaps_are_settled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
