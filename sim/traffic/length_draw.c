/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/length_draw.h"

#include <math.h>

#include "base/bug.h"
#include "traffic/fail_at.h"

/* Limits u to the probabilities inside the bounds. */
static bool truncate_draw(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	double u_high = isnan(law->max) ? 1 : draw->kind->cdf(draw, law->max);

	/* Just below min: the mass at min itself stays. */
	draw->u_low = isnan(law->min) ? 0 : draw->kind->cdf(draw, nextafter(law->min, 0));
	draw->u_span = u_high - draw->u_low;
	if (draw->u_span > 1e-12)
		return true;
	return FAIL_AT(d, isnan(law->max) ? "min" : "max",
		       "nothing of the %s law lies between min and max",
		       length_kinds[law->dist]->name);
}

bool length_draw_init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	BUG_IF(law->dist < 0 || law->dist >= LENGTH_KINDS_COUNT);
	*draw = (struct length_draw){.kind = length_kinds[law->dist], .u_span = 1};
	draw->low = fmax(1, isnan(law->min) ? 1 : ceil(law->min));
	draw->high = fmin(LENGTH_DRAW_MAX, isnan(law->max) ? LENGTH_DRAW_MAX : floor(law->max));
	if (draw->kind->init(draw, law, d) && (!draw->kind->cdf || truncate_draw(draw, law, d)))
		return true;
	length_draw_free(draw);
	return false;
}

void length_draw_free(struct length_draw *draw)
{
	guide_table_free(&draw->table);
}

void length_draw_constant(struct length_draw *draw, double value)
{
	draw->kind = &length_constant;
	draw->a = value;
}

/* Mean length over u in [from, from + width], by the midpoint rule; `above`: measured down from 1.
 */
static double stratum_mean(const struct length_draw *draw, double from, double width, bool above)
{
	enum { POINTS = 1024 };
	double sum = 0;

	for (int i = 0; i < POINTS; i++) {
		double u = from + width * (i + 0.5) / POINTS;

		sum += length_draw_tokens(draw, above ? 1 - u : u);
	}
	return sum / POINTS;
}

double length_draw_mean(const struct length_draw *draw)
{
	double mean = 0, width = 0.25;

	if (draw->kind == &length_constant)
		return length_draw_tokens(draw, 0.5);
	/* Strata that halve towards both ends, where quantile functions are steep. */
	for (int i = 0; i < 40; i++) {
		mean += width * (stratum_mean(draw, width, width, false) +
				 stratum_mean(draw, width, width, true));
		width /= 2;
	}
	return mean;
}

int64_t length_draw_max(const struct length_draw *draw)
{
	double longest = draw->kind->quantile(draw, 1 - 0x1p-53);

	if (draw->kind->bounded)
		return (int64_t)fmax(draw->low, fmin(draw->high, floor(longest + 0.5)));
	return draw->high < LENGTH_DRAW_MAX ? (int64_t)draw->high : INT64_MAX / 4;
}
