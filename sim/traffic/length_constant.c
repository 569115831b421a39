/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

static bool check(const struct length_law *law, struct diag *d)
{
	return !isnan(law->value) || FAIL_AT(d, "value", "a constant length needs value");
}

static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)d;
	draw->a = law->value;
	return true;
}

static double cdf(const struct length_draw *draw, double x)
{
	return x >= draw->a;
}

static double quantile(const struct length_draw *draw, double u)
{
	(void)u;
	return draw->a;
}

const struct length_kind length_constant = {
	.name = "constant",
	.help = "the same for every request (value)",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
	.bounded = true,
};
