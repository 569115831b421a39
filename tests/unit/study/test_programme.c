/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integer programme against every composition tried in turn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "des/rng.h"
#include "study/programme.h"

#define UNITS 6

static double prices[PROGRAMME_TYPES_MAX][UNITS + 1];

/* Numbers of a random case, a function of the case and a counter. */
struct numbers {
	uint64_t key, next;
};

static double uniform(struct numbers *n, double low, double high)
{
	return low + (high - low) * rng_uniform_at(n->key, n->next++);
}

/* Prices by number: linear, or in instances of four at the price of three. */
static void set_prices(struct numbers *n, double *usd)
{
	double each = uniform(n, 0.5, 4);
	bool steps = uniform(n, 0, 1) < 0.4;

	for (int i = 0; i <= UNITS; i++)
		usd[i] = steps ? each * fmin(i, 3 * ceil(i / 4.0)) : each * i;
}

static void fill(struct programme *p, struct numbers *n, size_t types, size_t classes)
{
	*p = (struct programme){
		.types = types, .classes = classes, .demand = 1, .usd_below = INFINITY};
	for (size_t c = 0; c < classes; c++)
		p->rate_rps[c] = uniform(n, 0.2, 4);
	for (size_t t = 0; t < types; t++) {
		struct programme_type *type = &p->type[t];

		set_prices(n, prices[t]);
		*type = (struct programme_type){
			.units_max = UNITS, .usd = prices[t], .gpus = 1, .kind = t};
		type->limit = uniform(n, 0, 1) < 0.3 ? (int64_t)uniform(n, 0, 5) : INT64_MAX;
		for (size_t c = 0; c < classes; c++)
			type->capacity_rps[c] = uniform(n, 0, 1) < 0.15 ? 0 : uniform(n, 0.5, 4);
	}
}

/* Whether two types carry the load: classes go to the second type in the order in which it does
 * them cheapest, measured in units of the first, until it is full. Written without linear
 * programming. */
static bool carries_two(const struct programme *p, const struct programme_units *u)
{
	double left[2] = {(double)u->of[0], (double)u->of[1]};
	bool done[PROGRAMME_CLASSES_MAX] = {false};

	for (size_t c = 0; c < p->classes; c++)
		for (int t = 0; t < 2; t++)
			if (!(p->type[1 - t].capacity_rps[c] > 0)) {
				if (done[c] || !(p->type[t].capacity_rps[c] > 0))
					return false;
				left[t] -= p->rate_rps[c] / p->type[t].capacity_rps[c];
				done[c] = true;
			}
	for (size_t i = 0; i < p->classes; i++) {
		size_t best = p->classes;
		double most = 0;

		for (size_t c = 0; c < p->classes; c++) {
			double gain = p->type[1].capacity_rps[c] / p->type[0].capacity_rps[c];

			if (!done[c] && gain > most) {
				most = gain;
				best = c;
			}
		}
		if (best == p->classes)
			break;
		double second = p->rate_rps[best] / p->type[1].capacity_rps[best];
		double part = fmin(1, fmax(0, left[1]) / second);

		done[best] = true;
		left[1] -= part * second;
		left[0] -= (1 - part) * p->rate_rps[best] / p->type[0].capacity_rps[best];
	}
	return left[0] >= -1e-9 && left[1] >= -1e-9;
}

static bool carries(const struct programme *p, const struct programme_units *u)
{
	struct programme_shares shares;

	if (p->types == 2)
		return carries_two(p, u);
	return programme_share(p, u, &shares) && shares.load <= 1 + 1e-9;
}

static bool is_allowed(const struct programme *p, const struct programme_units *u)
{
	for (size_t t = 0; t < p->types; t++)
		if (p->type[t].gpus * u->of[t] > p->type[t].limit)
			return false;
	for (size_t i = 0; i < p->cuts; i++) {
		bool more = false;

		for (size_t t = 0; t < p->types; t++)
			more |= u->of[t] > p->cut[i].of[t];
		if (!more)
			return false;
	}
	return programme_usd(p, u) < p->usd_below;
}

/* The least cost of all compositions; INFINITY: none does. */
static double try_all(const struct programme *p)
{
	struct programme_units u = {{0}};
	double least = INFINITY;

	for (;;) {
		size_t t = 0;

		if (programme_usd(p, &u) < least && is_allowed(p, &u) && carries(p, &u))
			least = programme_usd(p, &u);
		while (t < p->types && u.of[t] == UNITS)
			u.of[t++] = 0;
		if (t == p->types)
			return least;
		u.of[t]++;
	}
}

static void compare(const struct programme *p, int number)
{
	struct programme_units u;
	enum programme_end end = programme_solve(p, &u);
	double least = try_all(p), usd = INFINITY;

	assert_int_not_equal(end, PROGRAMME_TIMED_OUT);
	if (end == PROGRAMME_CHEAPEST) {
		assert_true(is_allowed(p, &u));
		assert_true(carries(p, &u));
		usd = programme_usd(p, &u);
	}
	if (!(usd == least || fabs(usd - least) < 1e-4 * least)) {
		print_error("case %d: %.9g, tried in turn %.9g\n", number, usd, least);
		fail();
	}
}

static void cheapest_of_all(void **state)
{
	(void)state;
	for (int i = 0; i < 300; i++) {
		struct numbers n = {.key = rng_key(7, "programme", i)};
		struct programme p;

		fill(&p, &n, 2, 1 + (size_t)i % 5);
		compare(&p, i);
	}
}

static void three_types(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++) {
		struct numbers n = {.key = rng_key(8, "programme", i)};
		struct programme p;

		fill(&p, &n, 3, 1 + (size_t)i % 4);
		compare(&p, i);
	}
}

/* What failed is not offered again, nor anything below it; the next costs no less. */
static void cuts(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++) {
		struct numbers n = {.key = rng_key(9, "programme", i)};
		struct programme_units cut[4], u;
		struct programme p;
		double usd = 0;

		fill(&p, &n, 2, 3);
		for (p.cut = cut; p.cuts < 4; p.cuts++) {
			if (programme_solve(&p, &u) == PROGRAMME_INFEASIBLE)
				break;
			assert_true(programme_usd(&p, &u) > usd - 1e-4);
			usd = programme_usd(&p, &u);
			cut[p.cuts] = u;
		}
		compare(&p, i);
		p.usd_below = 1.2 * usd;
		compare(&p, i);
	}
}

/* One class, both types as good: ten requests a second at two a unit need five. */
static void by_hand(void **state)
{
	(void)state;
	static const double small[] = {0, 1, 2, 3, 4, 5, 6}, large[] = {0, 5, 5, 5, 5, 5, 5};
	struct programme p = {
		.types = 2,
		.classes = 1,
		.demand = 1,
		.usd_below = INFINITY,
		.rate_rps = {10},
		.type = {{{2}, 6, small, 0, 1, INT64_MAX}, {{2}, 6, large, 1, 1, INT64_MAX}}};
	struct programme_units u;

	/* An instance of six costs as much as five: of equal costs the fewest units. */
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_CHEAPEST);
	assert_near(programme_usd(&p, &u), 5, 1e-9);
	assert_int_equal(u.of[0] + u.of[1], 5);
	/* Four of the small ones: the rest comes in a whole instance, which carries all. */
	p.type[0].limit = 4;
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_CHEAPEST);
	assert_int_equal(u.of[0], 0);
	assert_int_equal(u.of[1], 5);
	/* Two GPUs a unit: the limit counts GPUs. */
	p.type[1].gpus = 2;
	p.type[1].limit = 9;
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_CHEAPEST);
	assert_int_equal(u.of[0], 1);
	assert_int_equal(u.of[1], 4);
	p.type[1].limit = 1;
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_INFEASIBLE);
}

/* Two cost what one does, in an instance of two: what is asked for below that is not found. */
static void nothing_cheaper(void **state)
{
	(void)state;
	static const double usd[] = {0, 4.352, 4.352, 8.704, 8.704, 13.056, 13.056};
	struct programme p = {.types = 1,
			      .classes = 1,
			      .demand = 0.6,
			      .usd_below = 4.352,
			      .rate_rps = {8},
			      .type = {{{4}, 6, usd, 0, 2, INT64_MAX}}};
	struct programme_units u;

	assert_int_equal(programme_solve(&p, &u), PROGRAMME_INFEASIBLE);
	p.usd_below = 4.36;
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_CHEAPEST);
	assert_int_equal(u.of[0], 2);
}

/* Types of one kind share its limit. */
static void one_limit_for_a_kind(void **state)
{
	(void)state;
	static const double usd[] = {0, 1, 2, 3, 4, 5, 6};
	struct programme p = {.types = 2,
			      .classes = 2,
			      .demand = 1,
			      .usd_below = INFINITY,
			      .rate_rps = {2, 2},
			      .type = {{{1, 0}, 6, usd, 0, 1, 5}, {{0, 1}, 6, usd, 0, 2, 5}}};
	struct programme_units u;

	assert_int_equal(programme_solve(&p, &u), PROGRAMME_INFEASIBLE);
	p.type[0].limit = p.type[1].limit = 6;
	assert_int_equal(programme_solve(&p, &u), PROGRAMME_CHEAPEST);
	assert_int_equal(u.of[0], 2);
	assert_int_equal(u.of[1], 2);
}

/* The fractions load both types alike where both may serve: 1 / (2 + 4) of capacity 6 at load 3. */
static void even_shares(void **state)
{
	(void)state;
	static const double usd[] = {0, 1, 2, 3, 4, 5, 6};
	struct programme p = {
		.types = 2,
		.classes = 2,
		.demand = 1,
		.usd_below = INFINITY,
		.rate_rps = {1.5, 1.5},
		.type = {{{2, 2}, 6, usd, 0, 1, INT64_MAX}, {{4, 0}, 6, usd, 1, 1, INT64_MAX}}};
	struct programme_units one = {{1, 1}}, first = {{1, 0}}, second = {{0, 1}};
	struct programme_shares shares;

	assert_true(programme_share(&p, &one, &shares));
	assert_near(shares.load, 0.75, 1e-9);
	assert_near(shares.of[0][0], 0, 1e-9);
	assert_near(shares.of[0][1], 1, 1e-9);
	assert_near(shares.of[1][0], 1, 1e-9);
	assert_true(programme_share(&p, &first, &shares));
	assert_near(shares.load, 1.5, 1e-9);
	assert_false(programme_share(&p, &second, &shares));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cheapest_of_all),
		cmocka_unit_test(three_types),
		cmocka_unit_test(cuts),
		cmocka_unit_test(by_hand),
		cmocka_unit_test(nothing_cheaper),
		cmocka_unit_test(even_shares),
		cmocka_unit_test(one_limit_for_a_kind),
	};

	if (!programme_is_built())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
