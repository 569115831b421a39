/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "study/validation_group.h"
#include "unit/study/fixture_points.h"

static void summaries(void **state)
{
	static const double error[] = {0.1, -0.4, 0.2, -0.05, 0.3};
	struct validation_summary s = validation_summarise(error, 5);

	(void)state;
	assert_int_equal(s.figures, 5);
	assert_near(s.median, 0.2, 1e-12);
	assert_near(s.p90, 0.3 + 0.6 * 0.1, 1e-12); /* at rank 3.6 of 0 ... 4 */
	assert_near(s.worst, 0.4, 0);
	assert_near(s.bias, 0.1, 0);
	assert_int_equal(s.worst_at, 1);
	s = validation_summarise(error, 1);
	assert_near(s.median, 0.1, 0);
	assert_near(s.worst, 0.1, 0);
	s = validation_summarise(NULL, 0);
	assert_int_equal(s.figures, 0);
	assert_true(isnan(s.median) && isnan(s.p90) && isnan(s.worst) && isnan(s.bias));
}

static const struct measured_row rows[] = {{.line = 2}, {.line = 3}, {.line = 4}, {.line = 5}};

static void groups(void **state)
{
	struct validation_point p[] = {
		fixture_point(&rows[0], "ttft", 0.1),  fixture_point(&rows[0], "tpot", 0.5),
		fixture_point(&rows[1], "ttft", -0.3), fixture_point(&rows[2], "ttft", 0.2),
		fixture_point(&rows[3], "ttft", 9),
	};
	const struct validation v = {.points = 5, .point = p};
	struct validation_groups g;

	(void)state;
	p[2].inside = true;
	p[0].band[0] = p[0].band[1] = NAN; /* of a single run */
	p[3].gpu = "h100";
	p[4].left_out = "some rule";
	validation_groups_find(&g, &v, VALIDATION_BY_TABLE);
	assert_int_equal(g.n, 2); /* tpot, ttft */
	assert_string_equal(g.group[1].metric, "ttft");
	assert_string_equal(g.group[1].table, "t");
	assert_null(g.group[1].gpu);
	assert_int_equal(g.group[1].summary.figures, 3);
	assert_near(g.group[1].summary.median, 0.2, 1e-12);
	assert_near(g.group[1].summary.bias, 0.1, 1e-12);
	assert_near(g.group[1].inside, 1.0 / 2, 1e-12);
	assert_int_equal(g.group[1].line, 3); /* the worst */
	validation_groups_free(&g);

	validation_groups_find(&g, &v, VALIDATION_BY_GPU);
	assert_int_equal(g.n, 3); /* h100 ttft; l4 tpot, ttft */
	assert_string_equal(g.group[0].gpu, "h100");
	assert_int_equal(g.group[2].summary.figures, 2);
	validation_groups_free(&g);
}

/* Sets and loads never mix. */
static void sets_and_loads_stand_apart(void **state)
{
	struct validation_point p[] = {
		fixture_point(&rows[0], "ttft", 0.1),
		fixture_point(&rows[1], "ttft", 0.2),
		fixture_point(&rows[2], "ttft", 0.3),
		fixture_point(&rows[3], "ttft", 0.4),
	};
	const struct validation v = {.points = 4, .point = p};
	struct validation_groups g;

	(void)state;
	p[0].set = VALIDATION_FIT;
	p[1].load = VALIDATION_ABOVE;
	p[3].set = VALIDATION_UNFITTED;
	validation_groups_find(&g, &v, 0);
	assert_int_equal(g.n, 4);
	assert_near(g.group[0].summary.bias, 0.3, 0);
	assert_near(g.group[1].summary.bias, 0.2, 0);
	assert_near(g.group[2].summary.bias, 0.4, 0);
	assert_near(g.group[3].summary.bias, 0.1, 0);
	validation_groups_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries),
		cmocka_unit_test(groups),
		cmocka_unit_test(sets_and_loads_stand_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
