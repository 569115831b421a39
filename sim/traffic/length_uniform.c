/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

static bool check(const struct length_law *law, struct diag *d)
{
	if (isnan(law->min))
		return FAIL_AT(d, "min", "a uniform length needs min");
	return !isnan(law->max) || FAIL_AT(d, "max", "a uniform length needs max");
}

/* The bounds are the law's own. */
static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	(void)law;
	(void)d;
	draw->a = draw->low;
	draw->b = draw->high - draw->low + 1;
	return true;
}

static double quantile(const struct length_draw *draw, double u)
{
	return draw->a + floor(u * draw->b);
}

const struct length_kind length_uniform = {
	.name = "uniform",
	.help = "every whole number from min to max alike",
	.check = check,
	.init = init,
	.quantile = quantile,
	.bounded = true,
};
