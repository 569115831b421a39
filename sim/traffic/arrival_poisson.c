/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	return !isnan(a->rate) || FAIL_AT(d, "rate", "poisson arrivals need rate");
}

static double next_s(struct arrival_clock *c)
{
	c->unit += arrival_clock_exponential(c->rng);
	return c->unit / c->rate;
}

const struct arrival_kind arrival_poisson = {
	.name = "poisson",
	.help = "independent exponential gaps (rate)",
	.check = check,
	.next_s = next_s,
};
