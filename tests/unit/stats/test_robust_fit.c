/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/robust_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "des/rng.h"

enum { ROWS = 240, SHAPES = 24 };

/* y = a * x + b, from x over three decades. */
struct line {
	double x[ROWS];
};

static void predict(const double *value, double *predicted, void *arg)
{
	const struct line *l = arg;

	for (int i = 0; i < ROWS; i++)
		predicted[i] = value[0] * l->x[i] + value[1];
}

struct rig {
	struct line line;
	struct robust_parameter parameter[2];
	double measured[ROWS], weight[ROWS], residual[ROWS];
	uint64_t cluster[ROWS];
	struct robust_fit fit;
};

static void rig_init(struct rig *r)
{
	memset(r, 0, sizeof *r);
	for (int i = 0; i < ROWS; i++) {
		r->line.x[i] = pow(10, 3.0 * i / (ROWS - 1));
		r->measured[i] = 2 * r->line.x[i] + 30;
		r->cluster[i] = (uint64_t)(i % SHAPES);
	}
	r->parameter[0] = (struct robust_parameter){.value = 7, .low = 0.1, .high = 100};
	r->parameter[1] = (struct robust_parameter){.value = 1, .low = 0, .high = 1000};
	r->fit = (struct robust_fit){.rows = ROWS,
				     .parameters = 2,
				     .parameter = r->parameter,
				     .measured = r->measured,
				     .cluster = r->cluster,
				     .predict = predict,
				     .arg = &r->line,
				     .clusters = SHAPES,
				     .weight = r->weight,
				     .residual = r->residual};
}

static void near(double got, double wanted, double share)
{
	if (!(fabs(got / wanted - 1) <= share))
		fail_msg("%g, expected %g within %g", got, wanted, share);
}

static void exact_rows_give_exact_constants(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r);
	robust_fit_run(&r.fit);
	assert_true(r.fit.converged);
	near(r.parameter[0].value, 2, 1e-6);
	near(r.parameter[1].value, 30, 1e-5);
	assert_true(r.parameter[0].sigma < 1e-5);
	assert_true(r.parameter[0].rows == ROWS && r.parameter[1].rows < ROWS);
}

/* A tenth of the rows is off by factors of three to thirty, all to one side. */
static void outliers_do_not_pull(void **state)
{
	struct rig r;
	gsl_rng *rng = rng_new(1, "test", 0);

	(void)state;
	rig_init(&r);
	for (int i = 0; i < ROWS; i++)
		r.measured[i] *= exp(gsl_ran_gaussian(rng, 0.05)) *
				 (i % 10 ? 1 : 3 + 27 * gsl_rng_uniform(rng));
	robust_fit_run(&r.fit);
	near(r.parameter[0].value, 2, 0.02);
	near(r.parameter[1].value, 30, 0.03);
	for (int i = 0; i < ROWS; i += 10)
		assert_true(r.weight[i] == 0 && r.residual[i] < -0.8);
	assert_true(fabs(r.parameter[0].value - 2) < 4 * r.parameter[0].sigma);
	gsl_rng_free(rng);
}

/* Shapes that err as one are as many witnesses as there are shapes; a use of one shape knows less.
 */
static void errors_are_of_clusters(void **state)
{
	struct rig r;
	gsl_rng *rng = rng_new(2, "test", 0);
	double shape[SHAPES], alone;

	(void)state;
	rig_init(&r);
	for (int i = 0; i < SHAPES; i++)
		shape[i] = exp(gsl_ran_gaussian(rng, 0.1));
	for (int i = 0; i < ROWS; i++)
		r.measured[i] *= shape[i % SHAPES];
	robust_fit_run(&r.fit);
	alone = r.parameter[0].sigma;
	assert_true(alone > 0.01 * 2 && alone < 0.06 * 2); /* 0.1 / sqrt(24), not / sqrt(240) */
	rig_init(&r);
	for (int i = 0; i < ROWS; i++)
		r.measured[i] *= shape[i % SHAPES];
	r.fit.clusters = 1;
	robust_fit_run(&r.fit);
	near(r.parameter[0].sigma, alone * sqrt(SHAPES), 1e-6);
	gsl_rng_free(rng);
}

/* One cluster has no scatter to measure: the rows have. */
static void one_cluster_is_its_rows(void **state)
{
	struct rig r;
	gsl_rng *rng = rng_new(3, "test", 0);

	(void)state;
	rig_init(&r);
	for (int i = 0; i < ROWS; i++) {
		r.cluster[i] = 5;
		r.measured[i] *= exp(gsl_ran_gaussian(rng, 0.1));
	}
	r.fit.clusters = ROWS;
	robust_fit_run(&r.fit);
	assert_true(r.parameter[0].sigma > 0.005 * 2);
	gsl_rng_free(rng);
}

static void what_no_row_leans_on_is_held(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r);
	for (int i = 0; i < ROWS; i++) {
		r.line.x[i] += 1e5;
		r.measured[i] = 2 * r.line.x[i];
	}
	robust_fit_run(&r.fit);
	near(r.parameter[0].value, 2, 1e-3);
	assert_true(r.parameter[1].held && isnan(r.parameter[1].sigma));
	assert_true(r.parameter[1].value == 1);
	assert_int_equal(r.parameter[1].rows, 0);
}

static void bounds_hold(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r);
	r.parameter[0].high = 1.5;
	r.parameter[0].value = 1;
	robust_fit_run(&r.fit);
	assert_true(r.parameter[0].value > 1.4 && r.parameter[0].value <= 1.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_rows_give_exact_constants),
		cmocka_unit_test(outliers_do_not_pull),
		cmocka_unit_test(errors_are_of_clusters),
		cmocka_unit_test(one_cluster_is_its_rows),
		cmocka_unit_test(what_no_row_leans_on_is_held),
		cmocka_unit_test(bounds_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
