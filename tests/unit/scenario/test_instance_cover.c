/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "scenario/instance_cover.h"

enum { OFFERS_MAX = 4, ROUNDS = 3000 };

struct set {
	double usd;
	int64_t gpus, instances;
	int64_t count[OFFERS_MAX];
};

/* Every set of instances that has the places and none too many of the last kind. */
static void enumerate(const struct instance_offer *o, size_t offers, size_t i, int64_t need,
		      struct set so_far, void (*visit)(const struct set *, void *), void *to)
{
	if (need <= 0) {
		visit(&so_far, to);
		return;
	}
	if (i == offers)
		return;
	for (int64_t n = 0;; n++) {
		enumerate(o, offers, i + 1, need, so_far, visit, to);
		if (need <= 0 || !o[i].places)
			return;
		need -= o[i].places;
		so_far.usd += o[i].usd;
		so_far.gpus += o[i].gpus;
		so_far.instances++;
		so_far.count[i]++;
	}
}

static void keep_least(const struct set *s, void *to)
{
	double *least = to;

	*least = fmin(*least, s->usd);
}

struct choice {
	double limit;
	struct set best;
};

static bool is_better(const struct set *a, const struct set *b)
{
	if (a->gpus != b->gpus)
		return a->gpus < b->gpus;
	if (a->instances != b->instances)
		return a->instances < b->instances;
	return a->usd < b->usd - 1e-12;
}

static void keep_best(const struct set *s, void *to)
{
	struct choice *c = to;

	if (s->usd <= c->limit && (!c->best.instances || is_better(s, &c->best)))
		c->best = *s;
}

static int dice(int most)
{
	return 1 + rand() % most;
}

/* Sizes 1-8; prices per GPU that are equal, nearly equal or apart: the ties decide in many rounds.
 */
static size_t random_offers(struct instance_offer *o, int tp)
{
	static const double near_one[] = {1, 1, 1.00002, 0.99997, 1.0003, 0.8, 1.37};
	size_t offers = (size_t)dice(OFFERS_MAX);

	for (size_t i = 0; i < offers; i++) {
		int gpus = dice(8);

		o[i] = (struct instance_offer){gpus * 0.75 * near_one[dice(7) - 1], gpus, gpus / tp,
					       -1};
	}
	return offers;
}

static void agrees_with_brute_force(void **state)
{
	struct instance_offer o[OFFERS_MAX];

	(void)state;
	srand(7);
	for (int round = 0; round < ROUNDS; round++) {
		int tp = dice(3);
		int64_t need = dice(14);
		size_t offers = random_offers(o, tp);
		double least = INFINITY;
		double usd = instance_cover(o, offers, need);

		enumerate(o, offers, 0, need, (struct set){0}, keep_least, &least);
		if (isinf(least)) {
			assert_true(isnan(usd));
			continue;
		}
		struct choice c = {.limit = least * (1 + INSTANCE_COVER_EQUAL) * (1 + 1e-12)};
		enumerate(o, offers, 0, need, (struct set){0}, keep_best, &c);
		struct set found = {0};
		for (size_t i = 0; i < offers; i++) {
			found.usd += (double)o[i].count * o[i].usd;
			found.gpus += o[i].count * o[i].gpus;
			found.instances += o[i].count;
		}
		assert_near(usd, found.usd, 1e-9);
		assert_near(usd, c.best.usd, 1e-9);
		assert_int_equal(found.gpus, c.best.gpus);
		assert_int_equal(found.instances, c.best.instances);
	}
}

static double price_by_table(const struct instance_offer *o, size_t offers, int64_t need)
{
	double *least = calloc((size_t)need + 1, sizeof(*least));

	for (int64_t k = 1; k <= need; k++) {
		least[k] = INFINITY;
		for (size_t i = 0; i < offers; i++)
			if (o[i].places)
				least[k] = fmin(least[k],
						least[k > o[i].places ? k - o[i].places : 0] +
							o[i].usd);
	}
	double usd = least[need];
	free(least);
	return usd;
}

/* Beyond the search's places the best instance stands in front: still the cheapest, to what counts
 * as equal. */
static void is_as_cheap_for_thousands(void **state)
{
	struct instance_offer o[OFFERS_MAX];

	(void)state;
	srand(8);
	for (int round = 0; round < 200; round++) {
		int64_t need = 100 + dice(5000);
		size_t offers = random_offers(o, dice(3));
		double usd = instance_cover(o, offers, need),
		       least = price_by_table(o, offers, need);
		int64_t places = 0;

		if (isnan(usd)) {
			assert_true(isinf(least));
			continue;
		}
		for (size_t i = 0; i < offers; i++)
			places += o[i].count * o[i].places;
		assert_true(places >= need);
		assert_true(usd <= least * (1 + INSTANCE_COVER_EQUAL) * (1 + 1e-9));
		assert_true(usd >= least * (1 - 1e-9));
	}
}

/* One of eight for 5.6 is dearer a GPU than a single one for 0.6, but nine single ones cost 5.4 and
 * seven 4.2. */
static void mixes_sizes(void **state)
{
	struct instance_offer o[] = {{0.6, 1, 1, 0}, {4.1, 8, 8, 0}};

	(void)state;
	assert_near(instance_cover(o, 2, 6), 3.6, 1e-12);
	assert_int_equal(o[0].count, 6);
	assert_near(instance_cover(o, 2, 7), 4.1, 1e-12);
	assert_int_equal(o[1].count, 1);
	assert_near(instance_cover(o, 2, 9), 4.7, 1e-12);
	assert_int_equal(o[0].count, 1);
	assert_int_equal(o[1].count, 1);
}

/* A group of three in machines of four and eight: one and two places. */
static void does_not_split_a_group(void **state)
{
	struct instance_offer o[] = {{4, 4, 4 / 3, 0}, {8.5, 8, 8 / 3, 0}, {0.1, 2, 2 / 3, 0}};

	(void)state;
	assert_near(instance_cover(o, 3, 3), 12, 1e-12);
	assert_int_equal(o[0].count, 3);
	assert_int_equal(o[2].count, 0);
	assert_true(isnan(instance_cover(o + 2, 1, 1)));
	assert_true(isnan(instance_cover(o, 3, 0)));
	assert_true(isnan(instance_cover(NULL, 0, 1)));
}

static void takes_the_earlier_of_equals(void **state)
{
	struct instance_offer o[] = {{2, 2, 2, 0}, {2, 2, 2, 0}, {1, 1, 1, 0}};

	(void)state;
	assert_near(instance_cover(o, 3, 4), 4, 1e-12);
	assert_int_equal(o[0].count, 2);
	assert_int_equal(o[1].count, 0);
	assert_int_equal(o[2].count, 0);
}

static void fills_a_large_need_with_large_instances(void **state)
{
	struct instance_offer o[] = {{8, 8, 8, 0}, {1, 1, 1, 0}};

	(void)state;
	assert_near(instance_cover(o, 2, 1000), 1000, 1e-9);
	assert_int_equal(o[0].count, 125);
	o[0] = (struct instance_offer){1, 1, 1, 0};
	o[1] = (struct instance_offer){8, 8, 8, 0};
	assert_near(instance_cover(o, 2, 1000), 1000, 1e-9);
	assert_int_equal(o[1].count, 125);
}

static void a_huge_need_ends(void **state)
{
	struct instance_offer o[] = {{1, 1, 1, 0}, {7.9, 8, 8, 0}};

	(void)state;
	assert_near(instance_cover(o, 2, 1000000000001), 7.9 * 125000000000 + 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_brute_force),
		cmocka_unit_test(is_as_cheap_for_thousands),
		cmocka_unit_test(mixes_sizes),
		cmocka_unit_test(does_not_split_a_group),
		cmocka_unit_test(takes_the_earlier_of_equals),
		cmocka_unit_test(fills_a_large_need_with_large_instances),
		cmocka_unit_test(a_huge_need_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
