/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

/* The cumulative table holds this many lengths at most: 8 MB. */
enum { SPAN_MAX = 1 << 20 };

static bool check(const struct length_law *law, struct diag *d)
{
	if (isnan(law->min))
		return FAIL_AT(d, "min", "a zipf length needs min");
	if (isnan(law->max))
		return FAIL_AT(d, "max", "a zipf length needs max");
	if (law->max - law->min >= SPAN_MAX)
		return FAIL_AT(d, "max",
			       "a zipf length takes at most %d values between min and max",
			       SPAN_MAX);
	return !isnan(law->theta) || FAIL_AT(d, "theta", "a zipf length needs theta");
}

/* P(low + k) is proportional to (k + 1)^-theta. */
static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	struct guide_table *t = &draw->table;
	size_t count = (size_t)(draw->high - draw->low) + 1;
	double sum = 0;

	(void)d;
	guide_table_init(t, count, false);
	for (size_t k = 0; k < count; k++) {
		t->u[k] = sum;
		sum += pow((double)k + 1, -law->theta);
	}
	for (size_t k = 0; k < count; k++)
		t->u[k] /= sum;
	guide_table_index(t);
	return true;
}

static double quantile(const struct length_draw *draw, double u)
{
	return draw->low + (double)guide_table_find(&draw->table, u);
}

const struct length_kind length_zipf = {
	.name = "zipf",
	.help = "min + k with probability falling as (k + 1)^-theta, up to max",
	.check = check,
	.init = init,
	.quantile = quantile,
	.bounded = true,
};
