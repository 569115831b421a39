/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <gsl/gsl_cdf.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

static bool check(const struct length_law *law, struct diag *d)
{
	bool moments = !isnan(law->mean) || !isnan(law->cv);
	bool logs = !isnan(law->mu) || !isnan(law->sigma);

	if (moments && logs)
		return FAIL_AT(d, isnan(law->mu) ? "sigma" : "mu",
			       "a lognormal length takes mean and cv, or mu and sigma, not both");
	if (logs && (isnan(law->mu) || isnan(law->sigma)))
		return FAIL_AT(d, isnan(law->mu) ? "mu" : "sigma", "mu and sigma go together");
	if (!logs && isnan(law->mean))
		return FAIL_AT(d, "mean", "a lognormal length needs mean and cv, or mu and sigma");
	return logs || !isnan(law->cv) || FAIL_AT(d, "cv", "mean and cv go together");
}

/* From mean and cv: sigma^2 = ln(1 + cv^2), mu = ln(mean) - sigma^2/2. */
static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)d;
	if (isnan(law->mu)) {
		double variance = log1p(law->cv * law->cv);

		draw->a = log(law->mean) - variance / 2;
		draw->b = sqrt(variance);
	} else {
		draw->a = law->mu;
		draw->b = law->sigma;
	}
	if (draw->b == 0)
		length_draw_constant(draw, exp(draw->a));
	return true;
}

static double cdf(const struct length_draw *draw, double x)
{
	return gsl_cdf_gaussian_P(log(x) - draw->a, draw->b);
}

static double quantile(const struct length_draw *draw, double u)
{
	return exp(draw->a + draw->b * gsl_cdf_ugaussian_Pinv(u));
}

const struct length_kind length_lognormal = {
	.name = "lognormal",
	.help = "its logarithm is normal (mean and cv, or mu and sigma)",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
};
