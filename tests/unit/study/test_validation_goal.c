/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "study/validation_goal.h"
#include "unit/study/fixture_points.h"

#define TTFT "latency.ttft_ms.p50"
#define TPOT "latency.tpot_ms.p50"
#define P99  "latency.ttft_ms.p99"

static struct measured_figure both[] = {{.path = TTFT}, {.path = TPOT}};
static const struct measured_row rows[] = {{.line = 2, .figures = 2, .figure = both},
					   {.line = 3, .figures = 2, .figure = both},
					   {.line = 4, .figures = 2, .figure = both}};

/* The goal of these words; fails if it is not there. */
static const struct validation_goal *goal(const struct validation_goals *g, const char *what,
					  const char *figure, int judged, const char *load)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct validation_goal *x = &g->goal[i];

		if (strcmp(x->what, what) == 0 && strcmp(x->figure, figure) == 0 &&
		    x->judged == judged && (!load || strcmp(x->load, load) == 0))
			return x;
	}
	fail_msg("no goal %s, %s", what, figure);
	return NULL;
}

static struct validation_goals find(struct validation_point *p, size_t n)
{
	const struct validation v = {.points = n, .point = p};
	const struct validation_ratios none = {0};
	struct validation_goals g;

	validation_goals_find(&g, &v, &none);
	return g;
}

static void a_median_is_held_against_its_limit(void **state)
{
	struct validation_point p[] = {fixture_point(&rows[0], TTFT, 0.02),
				       fixture_point(&rows[1], TTFT, -0.029),
				       fixture_point(&rows[2], TTFT, 0.5)};
	struct validation_goals g = find(p, 3);
	const struct validation_goal *x =
		goal(&g, "vLLM 0.14 and later", "TTFT p50", VALIDATION_MEDIAN, "below 0.9");

	(void)state;
	assert_int_equal(x->summary.figures, 3);
	assert_near(x->summary.median, 0.029, 1e-12);
	assert_near(x->within, 2.0 / 3, 1e-12);
	assert_true(x->met);
	assert_int_equal(
		goal(&g, "other engines", "TTFT p50", VALIDATION_MEDIAN, NULL)->summary.figures, 0);
	assert_false(goal(&g, "other engines", "TTFT p50", VALIDATION_MEDIAN, NULL)->met);
	validation_goals_free(&g);
	p[1].error = -0.031;
	g = find(p, 3);
	assert_false(
		goal(&g, "vLLM 0.14 and later", "TTFT p50", VALIDATION_MEDIAN, "below 0.9")->met);
	validation_goals_free(&g);
}

/* Each row counts in one line. */
static void populations(void **state)
{
	struct validation_point p[] = {
		fixture_point(&rows[0], TPOT, 0.01), fixture_point(&rows[0], TPOT, 0.02),
		fixture_point(&rows[0], TPOT, 0.03), fixture_point(&rows[0], TPOT, 0.04),
		fixture_point(&rows[0], TPOT, 0.05), fixture_point(&rows[0], TPOT, 0.06),
		fixture_point(&rows[0], TPOT, 0.07), fixture_point(&rows[0], TPOT, 0.08)};
	struct validation_goals g;

	(void)state;
	p[1].engine = "vllm-0.7";
	p[2].engine = "vllm-0.8";
	p[3].set = VALIDATION_UNFITTED;
	p[4].set = VALIDATION_FIT;
	p[5].load = VALIDATION_ABOVE;
	p[6].load = VALIDATION_CLOSED;
	p[7].left_out = "a rule";
	g = find(p, 8);
	static const struct {
		const char *what, *load;
		double bias;
	} cases[] = {
		{"vLLM 0.14 and later", "below 0.9", 0.01},
		{"vLLM 0.7", "below 0.9", 0.02},
		{"other engines", "below 0.9", 0.03},
		{"GPUs that nothing was fitted on", "below 0.9", 0.04},
		{"vLLM 0.14 and later", "closed", 0.07},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct validation_goal *x =
			goal(&g, cases[i].what, "TPOT", VALIDATION_MEDIAN, cases[i].load);

		assert_int_equal(x->summary.figures, 1);
		assert_near(x->summary.bias, cases[i].bias, 0);
	}
	validation_goals_free(&g);
}

/* The mean stands in for a p50, ITL for TPOT, where a row has nothing better. */
static void one_figure_a_row(void **state)
{
	struct measured_figure two[] = {{.path = "latency.itl_ms.p50"},
					{.path = "latency.tpot_ms.mean"}};
	const struct measured_row row = {.line = 9, .figures = 2, .figure = two};
	struct validation_point p[] = {fixture_point(&row, "latency.itl_ms.p50", 0.3),
				       fixture_point(&row, "latency.tpot_ms.mean", 0.1),
				       fixture_point(&rows[0], TPOT, 0.2)};
	struct validation_goals g = find(p, 3);
	const struct validation_goal *x =
		goal(&g, "vLLM 0.14 and later", "TPOT", VALIDATION_MEDIAN, "below 0.9");

	(void)state;
	assert_int_equal(x->summary.figures, 2);
	assert_near(x->summary.worst, 0.2, 0);
	validation_goals_free(&g);
}

static void tails(void **state)
{
	struct validation_point p[] = {
		fixture_point(&rows[0], P99, 0.05), fixture_point(&rows[1], P99, 0.07),
		fixture_point(&rows[2], P99, 0.4), fixture_point(&rows[2], P99, 0.6),
		fixture_point(&rows[2], P99, 9)};
	struct validation_goals g;

	(void)state;
	p[0].replayed = true;
	p[1].requests = 2000;
	p[2].inside = true;
	p[4].set = VALIDATION_FIT;
	g = find(p, 5);
	const struct validation_goal *x =
		goal(&g, "replayed, or 2,000 requests and more", "p99", VALIDATION_MEDIAN, NULL);
	assert_int_equal(x->summary.figures, 2);
	assert_near(x->summary.median, 0.06, 1e-12);
	assert_true(x->met);
	x = goal(&g, "shorter runs, inside the band", "p99", VALIDATION_INSIDE, NULL);
	assert_int_equal(x->summary.figures, 2);
	assert_near(x->within, 0.5, 0);
	assert_false(x->met);
	validation_goals_free(&g);
	p[3].band[0] = p[3].band[1] = NAN; /* nothing drawn by chance: judged by its error */
	g = find(p, 5);
	x = goal(&g, "replayed, or 2,000 requests and more", "p99", VALIDATION_MEDIAN, NULL);
	assert_int_equal(x->summary.figures, 3);
	validation_goals_free(&g);
}

static void ratios(void **state)
{
	struct validation_ratio r[] = {{.set = VALIDATION_CHECK, .error = 0.04},
				       {.set = VALIDATION_UNFITTED, .error = -0.03},
				       {.set = VALIDATION_CHECK, .error = 0.11},
				       {.set = VALIDATION_FIT, .error = 0.9}};
	const struct validation_ratios all = {.n = 4, .ratio = r};
	const struct validation v = {.points = 0};
	struct validation_goals g;

	(void)state;
	validation_goals_find(&g, &v, &all);
	const struct validation_goal *x =
		goal(&g, "one GPU for another", "throughput ratio", VALIDATION_MEDIAN, NULL);
	assert_int_equal(x->summary.figures, 3);
	assert_true(x->met);
	x = goal(&g, "one GPU for another", "throughput ratio", VALIDATION_WORST, NULL);
	assert_near(x->within, 2.0 / 3, 1e-12);
	assert_false(x->met);
	validation_goals_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_median_is_held_against_its_limit),
		cmocka_unit_test(populations),
		cmocka_unit_test(one_figure_a_row),
		cmocka_unit_test(tails),
		cmocka_unit_test(ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
