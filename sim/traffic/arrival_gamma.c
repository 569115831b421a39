/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <gsl/gsl_randist.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	if (isnan(a->rate))
		return FAIL_AT(d, "rate", "gamma arrivals need rate");
	if (!isnan(a->cv) && !isnan(a->burstiness))
		return FAIL_AT(d, "burstiness", "burstiness is 1/cv^2: give cv or burstiness");
	return !isnan(arrival_clock_cv2(a)) ||
	       FAIL_AT(d, "cv", "gamma arrivals need cv or burstiness");
}

/* A unit gap has shape 1/cv^2 and scale cv^2; without variation it is 1. */
static void init(struct arrival_clock *c, const struct arrivals *a)
{
	c->scale = arrival_clock_cv2(a);
	c->shape = 1 / c->scale;
}

static double next_s(struct arrival_clock *c)
{
	c->unit += c->scale > 1e-12 ? gsl_ran_gamma(c->rng, c->shape, c->scale) : 1;
	return c->unit / c->rate;
}

const struct arrival_kind arrival_gamma = {
	.name = "gamma",
	.help = "independent gamma gaps (rate, cv or burstiness)",
	.check = check,
	.init = init,
	.next_s = next_s,
};
