/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/perturb.h"
#include "unit/study/fixture.h"

#define LOAD                                                                                       \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, \"output\": 10}"
#define Z 1.959963984540054

static const char *const cards[] = {"l4-24gb", "h100-sxm-80gb", NULL};

/* Nothing is uncertain but what a test makes so. */
static void init(struct fixture *f)
{
	struct constants c;

	fixture_init(f, "llama-3.1-8b", cards, LOAD, "{}");
	for (size_t i = 0; i < f->s.candidates; i++) {
		constants_list(&c, &f->s, i);
		for (size_t k = 0; k < c.n; k++)
			c.constant[k].figure->sigma = 0;
		constants_free(&c);
	}
}

static void make_unsure(struct figure *f, double value, double sigma)
{
	f->value = value;
	f->sigma = sigma;
	f->origin = ORIGIN_ASSUMED;
}

/* ln of mbu; of mbu times the square of ambu; none. */
static void look(const struct scenario *s, double ln[PERTURB_FIGURES], void *arg)
{
	const struct gpu *g = &s->candidate[*(const size_t *)arg].gpu;

	ln[0] = log(g->mbu.value);
	ln[1] = ln[0] + 2 * log(g->ambu.value);
	ln[2] = (double)NAN;
}

static void perturb(struct perturb *p, const struct fixture *f, size_t index, bool both)
{
	const struct perturb_setup setup = {.scenario = &f->s,
					    .index = index,
					    .jobs = 2,
					    .both = both,
					    .measure = look,
					    .arg = &index};

	perturb_run(p, &setup);
}

/* Squares add up, in ln. */
static void squares_add_up(void **state)
{
	(void)state;
	struct fixture f;
	struct perturb p;
	char name[96];

	init(&f);
	make_unsure(&f.candidate[0].gpu.mbu, 0.5, 0.02);
	make_unsure(&f.candidate[0].gpu.ambu, 0.5, 0.05);
	perturb(&p, &f, 0, true);
	assert_int_equal(p.n, 2);
	struct interval mbu = perturb_interval(&p, 0, 10), both = perturb_interval(&p, 1, 10);
	assert_near(mbu.high, 10 * exp(Z * 0.04), 1e-9);
	assert_near(mbu.low, 10 * exp(-Z * 0.04), 1e-9);
	assert_near(both.high, 10 * exp(Z * sqrt(0.04 * 0.04 + 4 * 0.01)), 1e-9);
	assert_true(perturb_interval(&p, 2, 10).low == 10);
	/* In all figures: mbu has .04^2 twice, ambu .2^2. */
	assert_near(perturb_largest(&p, name), 0.04 / (0.04 + 2 * 0.0016), 1e-9);
	assert_string_equal(name, "ambu of l4-24gb (assumed)");
	perturb_free(&p);
	/* The scenario itself is as it was. */
	assert_true(f.candidate[0].gpu.mbu.value == 0.5);
	fixture_free(&f);
}

/* A share is at most 1: up it has less room than down; one way it goes down. */
static void bounds_hold(void **state)
{
	(void)state;
	struct fixture f;
	struct perturb p;

	init(&f);
	make_unsure(&f.candidate[0].gpu.mbu, 0.9, 0.27);
	perturb(&p, &f, 0, true);
	assert_near(p.effect[0].up[0], -log(0.9), 1e-12);
	assert_near(p.effect[0].down[0], -0.3, 1e-12);
	perturb_free(&p);
	perturb(&p, &f, 0, false);
	assert_near(p.effect[0].up[0], 0.3, 1e-12);
	assert_near(p.effect[0].down[0], -0.3, 1e-12);
	perturb_free(&p);
	fixture_free(&f);
}

/* By origin: 30 % of what is assumed, 10 % of what is fitted, none of what is given. */
static void assumed_is_wider(void **state)
{
	(void)state;
	static const double sigma[] = {[ORIGIN_GIVEN] = 0,
				       [ORIGIN_DATASHEET] = 0,
				       [ORIGIN_MEASURED] = 0.1,
				       [ORIGIN_FITTED] = 0.1,
				       [ORIGIN_ASSUMED] = 0.3};
	struct fixture f;
	struct perturb p;

	init(&f);
	for (int origin = 0; origin <= ORIGIN_ASSUMED; origin++) {
		make_unsure(&f.candidate[0].gpu.mbu, 0.5, (double)NAN);
		f.candidate[0].gpu.mbu.origin = origin;
		perturb(&p, &f, 0, true);
		assert_near(perturb_interval(&p, 0, 1).high, exp(Z * sigma[origin]), 1e-9);
		perturb_free(&p);
	}
	fixture_free(&f);
}

static void subtract(struct interval *ratio, const struct fixture *f, size_t a, size_t b)
{
	struct perturb x, y, difference;

	perturb(&x, f, a, true);
	perturb(&y, f, b, true);
	perturb_subtract(&difference, &x, &y);
	*ratio = perturb_interval(&difference, 0, 2);
	perturb_free(&x);
	perturb_free(&y);
	perturb_free(&difference);
}

/* What both sides lean on cancels; what they do not adds up. */
static void ratios_cancel(void **state)
{
	(void)state;
	struct fixture f;
	struct interval ratio;

	init(&f);
	make_unsure(&f.candidate[0].gpu.mbu, 0.5, 0.15);
	make_unsure(&f.candidate[1].gpu.mbu, 0.5, 0.2);
	subtract(&ratio, &f, 0, 0);
	assert_true(ratio.low == 2 && ratio.high == 2);
	subtract(&ratio, &f, 0, 1);
	assert_near(ratio.high, 2 * exp(Z * 0.5), 1e-9);
	assert_near(ratio.low, 2 * exp(-Z * 0.5), 1e-9);
	fixture_free(&f);
}

static void look_at_pools(const struct scenario *s, double ln[PERTURB_FIGURES], void *arg)
{
	(void)arg;
	ln[0] = log(s->pool[0].candidate.gpu.mbu.value * s->pool[1].candidate.gpu.mbu.value);
	ln[1] = ln[2] = (double)NAN;
}

/* Two pools of one GPU have one mbu. */
static void pools_move_together(void **state)
{
	(void)state;
	struct fixture f;
	struct perturb p;
	struct pool pools[2] = {{.tensor_parallel = 1}, {.tensor_parallel = 1}};

	init(&f);
	make_unsure(&f.candidate[0].gpu.mbu, 0.5, 0.1);
	pools[0].candidate = pools[1].candidate = f.candidate[0];
	f.s.pools = 2;
	f.s.pool = pools;
	const struct perturb_setup setup = {
		.scenario = &f.s, .both = true, .measure = look_at_pools};
	perturb_run(&p, &setup);
	assert_int_equal(p.n, 1);
	assert_near(p.effect[0].up[0], 2 * 0.2, 1e-12);
	perturb_free(&p);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(squares_add_up),      cmocka_unit_test(bounds_hold),
		cmocka_unit_test(assumed_is_wider),    cmocka_unit_test(ratios_cancel),
		cmocka_unit_test(pools_move_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
