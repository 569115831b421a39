/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	return !isnan(a->rate) || FAIL_AT(d, "rate", "constant arrivals need rate");
}

/* The first at 0. */
static double next_s(struct arrival_clock *c)
{
	double unit = c->unit;

	c->unit += 1;
	return unit / c->rate;
}

const struct arrival_kind arrival_constant = {
	.name = "constant",
	.help = "equal gaps (rate)",
	.check = check,
	.next_s = next_s,
};
