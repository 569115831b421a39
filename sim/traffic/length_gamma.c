/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The quantile function of the gamma law costs microseconds, so it is tabulated through its
 * distribution function, on points a constant ratio apart, and is linear in between: the
 * distribution errs by some 1e-6.
 */
#include <math.h>
#include <gsl/gsl_cdf.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

enum { POINTS = 2048 };

static bool check(const struct length_law *law, struct diag *d)
{
	if (isnan(law->mean))
		return FAIL_AT(d, "mean", "a gamma length needs mean");
	return !isnan(law->cv) || FAIL_AT(d, "cv", "a gamma length needs cv");
}

/* Nearly normal: the cube root of x is (Wilson and Hilferty 1931), to 1e-6 from this shape on,
 * where the incomplete gamma function begins to fail. */
static double cdf_of_large_shape(double x, double shape, double scale)
{
	return gsl_cdf_ugaussian_P(3 * sqrt(shape) *
				   (cbrt(x / (shape * scale)) - 1 + 1 / (9 * shape)));
}

/* a is the shape, b the scale. */
static double cdf(const struct length_draw *draw, double x)
{
	if (!(x > 0))
		return 0;
	return draw->a > 1e5 ? cdf_of_large_shape(x, draw->a, draw->b)
			     : gsl_cdf_gamma_P(x, draw->a, draw->b);
}

/* By bisection of the logarithm: the x with P(X <= x) = u in [low, high], or the end nearest to it.
 */
static double solve(const struct length_draw *draw, double u, double low, double high)
{
	for (int i = 0; i < 60; i++) {
		double middle = sqrt(low * high);

		if (cdf(draw, middle) < u)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Below half a token all rounds to one, so the table starts there at the earliest. */
static void tabulate(struct length_draw *draw)
{
	double low = solve(draw, 1e-15, 0.5, 2 * LENGTH_DRAW_MAX);
	double high = solve(draw, 1 - 1e-15, 0.5, 2 * LENGTH_DRAW_MAX);
	double ratio = log(high / low) / (POINTS - 2), reached = 0;
	struct guide_table *t = &draw->table;

	guide_table_init(t, POINTS, true);
	for (int i = 1; i < POINTS; i++) {
		t->value[i] = low * exp(ratio * (i - 1));
		reached = fmax(reached, cdf(draw, t->value[i]));
		t->u[i] = reached;
	}
	guide_table_index(t);
}

static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)d;
	if (law->cv < 1e-6) {
		length_draw_constant(draw, law->mean);
		return true;
	}
	draw->a = 1 / (law->cv * law->cv);
	draw->b = law->mean / draw->a;
	tabulate(draw);
	return true;
}

static double quantile(const struct length_draw *draw, double u)
{
	return guide_table_interpolate(&draw->table, u);
}

const struct length_kind length_gamma = {
	.name = "gamma",
	.help = "a gamma law (mean, cv)",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
};
