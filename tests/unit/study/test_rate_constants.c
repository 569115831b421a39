/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/rate_constants.h"
#include "study/settled_fleet.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"a100-sxm-80gb", NULL};

#define CHAT                                                                                       \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 0.5}, "                               \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"seed\": 5}"

static struct evaluate_setup setup_of(const struct fixture *f, int replications, int jobs)
{
	return (struct evaluate_setup){.scenario = &f->s,
				       .book = &f->book,
				       .replications = replications,
				       .jobs = jobs,
				       .rate_factor = 1,
				       .quiet = true};
}

static void find(struct capacity *c, const struct fixture *f, int replications)
{
	const struct evaluate_setup setup = setup_of(f, replications, 2);
	struct settled_fleet fleet;
	struct diag d;

	diag_init(&d);
	assert_true(settled_fleet_init(&fleet, &setup, 0, &d));
	const struct capacity_setup search = {.fleet = {.scenario = &f->s,
							.fleet = &fleet.fleet,
							.replications = replications,
							.jobs = 2}};
	assert_true(capacity_find(c, &search, &d));
	settled_fleet_free(&fleet);
}

static const struct perturb_effect *effect_of(const struct perturb *p, const char *key)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->effect[i].key, key))
			return &p->effect[i];
	return NULL;
}

/* ln(rate) that a whole search finds with a figure at another value. */
static double searched(struct fixture *f, struct figure *figure, double value)
{
	struct capacity c;
	double before = figure->value;

	figure->value = value;
	find(&c, f, 3);
	figure->value = before;
	return log(c.max_rps);
}

static void compare(struct fixture *f, const char *key, struct figure *figure)
{
	const struct evaluate_setup setup = setup_of(f, 3, 2);
	double up = fmin(1, figure->value * exp(figure_sigma(figure) / figure->value));
	double down = figure->value * exp(-figure_sigma(figure) / figure->value);
	struct capacity c;
	struct perturb p;

	find(&c, f, 3);
	rate_constants_find(&p, &setup, 0, &c);
	assert_near(effect_of(&p, key)->up[0], searched(f, figure, up) - log(c.max_rps), 0.02);
	assert_near(effect_of(&p, key)->down[0], searched(f, figure, down) - log(c.max_rps), 0.02);
	perturb_free(&p);
}

/* What scouts tell is what a search of the perturbed scenario finds. */
static void as_searched_anew(void **state)
{
	(void)state;
	static const char *const slos[] = {"{\"e2e_ms\": {\"p50\": 2000}}",
					   "{\"tpot_ms\": {\"mean\": 20}}",
					   "{\"ttft_ms\": {\"p90\": 300}}", "{}"};

	for (size_t i = 0; i < sizeof slos / sizeof *slos; i++) {
		struct fixture f;

		fixture_init(&f, "llama-3.1-8b", cards, CHAT, slos[i]);
		compare(&f, "mfu", (struct figure *)gpu_mfu(&f.candidate[0].gpu, COMPUTE_BF16));
		compare(&f, "layer_us", &f.s.engine.cost.layer);
		fixture_free(&f);
	}
}

static void same_for_any_jobs(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity c;
	struct perturb a, b;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, "{\"e2e_ms\": {\"p50\": 2000}}");
	find(&c, &f, 1);
	const struct evaluate_setup one = setup_of(&f, 1, 1), four = setup_of(&f, 1, 4);
	rate_constants_find(&a, &one, 0, &c);
	rate_constants_find(&b, &four, 0, &c);
	assert_int_equal(a.n, b.n);
	assert_true(a.n > 5);
	for (size_t i = 0; i < a.n; i++) {
		assert_true(a.effect[i].up[0] == b.effect[i].up[0]);
		assert_true(a.effect[i].down[0] == b.effect[i].down[0]);
	}
	perturb_free(&a);
	perturb_free(&b);
	fixture_free(&f);
}

/* Where no rate holds there is nothing to move. */
static void none_without_a_rate(void **state)
{
	(void)state;
	struct fixture f;
	struct capacity c = {.max_rps = 0};
	struct perturb p;

	fixture_init(&f, "llama-3.1-8b", cards, CHAT, "{}");
	const struct evaluate_setup setup = setup_of(&f, 1, 1);
	rate_constants_find(&p, &setup, 0, &c);
	assert_int_equal(p.n, 0);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_searched_anew),
		cmocka_unit_test(same_for_any_jobs),
		cmocka_unit_test(none_without_a_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
