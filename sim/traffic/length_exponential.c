/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <gsl/gsl_cdf.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

static bool check(const struct length_law *law, struct diag *d)
{
	return !isnan(law->mean) || FAIL_AT(d, "mean", "an exponential length needs mean");
}

static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)d;
	draw->a = law->mean;
	return true;
}

static double cdf(const struct length_draw *draw, double x)
{
	return gsl_cdf_exponential_P(x, draw->a);
}

static double quantile(const struct length_draw *draw, double u)
{
	return -draw->a * log(1 - u);
}

const struct length_kind length_exponential = {
	.name = "exponential",
	.help = "without memory (mean)",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
};
