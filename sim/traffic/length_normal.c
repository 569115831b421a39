/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <gsl/gsl_cdf.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

static bool check(const struct length_law *law, struct diag *d)
{
	if (isnan(law->mean))
		return FAIL_AT(d, "mean", "a normal length needs mean");
	return !isnan(law->sd) || FAIL_AT(d, "sd", "a normal length needs sd");
}

static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)d;
	draw->a = law->mean;
	draw->b = law->sd;
	if (law->sd == 0)
		length_draw_constant(draw, law->mean);
	return true;
}

static double cdf(const struct length_draw *draw, double x)
{
	return gsl_cdf_gaussian_P(x - draw->a, draw->b);
}

static double quantile(const struct length_draw *draw, double u)
{
	return draw->a + draw->b * gsl_cdf_ugaussian_Pinv(u);
}

const struct length_kind length_normal = {
	.name = "normal",
	.help = "Gauss's (mean, sd)",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
};
