/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prompts from short to long laid over pools by their capacity. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "study/length_table.h"
#include "unit/study/fixture_pools.h"

static const char *const no_gpu[] = {NULL};

#define LOAD(input, output)                                                                        \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": " input                \
	", \"output\": " output ", \"seed\": 4}"
#define UNIFORM "{\"dist\": \"uniform\", \"min\": 1, \"max\": 1000}"

/* Parts of given replicas and unit capacities. */
static struct fleet fleet_by(const double capacity[], const int64_t replicas[], size_t parts)
{
	struct fleet f = {.parts = parts};

	for (size_t i = 0; i < parts; i++)
		f.part[i] = (struct fleet_part){NULL, NULL, replicas[i], capacity[i]};
	return f;
}

static void lay(struct length_table *t, struct fixture *f, const struct fleet *fleet,
		const char *load)
{
	struct diag d;

	diag_init(&d);
	fixture_init(f, "llama-3.1-8b", no_gpu, load, "{}");
	assert_true(length_table_lay(t, fleet, &f->s, &d));
	for (size_t i = 0; i < t->routes; i++) {
		double sum = 0;

		for (size_t k = 0; k < fleet->parts; k++)
			sum += t->route[i].share[k];
		assert_near(sum, 1, 1e-12);
	}
	assert_true(t->route[t->routes - 1].input_max == INT64_MAX);
}

/*
 * Uniform prompts of 1 to 1,000 and outputs of 1: tokens up to x are x^2 / 2 of 10^6 / 2. A pool of
 * a quarter of the capacity takes prompts up to 500, the second, of another 0.24, up to 700. The
 * stronger GPU stands first in the list, and last in the order.
 */
static void shares_of_tokens_are_shares_of_capacity(void **state)
{
	(void)state;
	const double capacity[] = {51, 5, 12};
	const int64_t replicas[] = {1, 5, 2};
	struct fleet fleet = fleet_by(capacity, replicas, 3);
	struct length_table t;
	struct fixture f;

	lay(&t, &f, &fleet, LOAD(UNIFORM, "1"));
	/* a class is 1/256 of the tokens: at 500 from 496 to 504 */
	assert_near((double)t.route[0].input_max, 500, 10);
	assert_near(t.route[0].share[1], 1, 0);
	for (size_t i = 0; i < t.routes; i++) {
		if (t.route[i].input_max > 510 && t.route[i].input_max < 690)
			assert_near(t.route[i].share[2], 1, 0);
		if (t.route[i].input_max < 690)
			assert_near(t.route[i].share[0], 0, 0);
	}
	assert_near(t.route[t.routes - 1].share[0], 1, 0);
	assert_in_range(t.routes, 3, 5);
	length_table_free(&t);
	fixture_free(&f);
}

/* Where all prompts are as long they are drawn for. */
static void one_length_is_divided(void **state)
{
	(void)state;
	const double capacity[] = {1, 3};
	const int64_t replicas[] = {2, 2};
	struct fleet fleet = fleet_by(capacity, replicas, 2);
	struct length_table t;
	struct fixture f;

	lay(&t, &f, &fleet, LOAD("100", "10"));
	assert_int_equal(t.routes, 1);
	assert_near(t.route[0].share[0], 0.25, 1e-12);
	length_table_free(&t);
	fixture_free(&f);
}

/* A pool that can serve nothing gets nothing. */
static void no_capacity_no_prompts(void **state)
{
	(void)state;
	const double capacity[] = {3, 0};
	const int64_t replicas[] = {1, 4};
	struct fleet fleet = fleet_by(capacity, replicas, 2);
	struct length_table t;
	struct fixture f;

	lay(&t, &f, &fleet, LOAD(UNIFORM, "10"));
	for (size_t i = 0; i < t.routes; i++)
		assert_near(t.route[i].share[1], 0, 0);
	length_table_free(&t);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_of_tokens_are_shares_of_capacity),
		cmocka_unit_test(one_length_is_divided),
		cmocka_unit_test(no_capacity_no_prompts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
