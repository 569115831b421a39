/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	if (isnan(a->rate))
		return FAIL_AT(d, "rate", "weibull arrivals need rate");
	if (!isnan(a->cv) && !isnan(a->burstiness))
		return FAIL_AT(d, "burstiness", "burstiness is 1/cv^2: give cv or burstiness");
	return !isnan(arrival_clock_cv2(a)) ||
	       FAIL_AT(d, "cv", "weibull arrivals need cv or burstiness");
}

/* The shape k whose squared variation Gamma(1 + 2/k)/Gamma(1 + 1/k)^2 - 1 is cv2, by bisection of
 * 1/k. */
static double shape_of(double cv2)
{
	double low = 1e-7, high = 60;

	for (int i = 0; i < 100; i++) {
		double x = sqrt(low * high);

		if (expm1(gsl_sf_lngamma(1 + 2 * x) - 2 * gsl_sf_lngamma(1 + x)) < cv2)
			low = x;
		else
			high = x;
	}
	return 1 / high;
}

/* The scale makes the mean 1; without variation every gap is 1. */
static void init(struct arrival_clock *c, const struct arrivals *a)
{
	double cv2 = arrival_clock_cv2(a);

	if (cv2 < 1e-12)
		return;
	c->shape = shape_of(cv2);
	c->scale = exp(-gsl_sf_lngamma(1 + 1 / c->shape));
}

static double next_s(struct arrival_clock *c)
{
	c->unit += c->shape > 0 ? gsl_ran_weibull(c->rng, c->scale, c->shape) : 1;
	return c->unit / c->rate;
}

const struct arrival_kind arrival_weibull = {
	.name = "weibull",
	.help = "independent Weibull gaps (rate, cv or burstiness)",
	.check = check,
	.init = init,
	.next_s = next_s,
};
