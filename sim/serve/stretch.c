/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/stretch.h"

#include "base/bug.h"

/* At most 2 * 10^7 s, so that nothing below overflows. */
static wide fixed(double s)
{
	double x = s * 0x1p56 + 0.5;
	if (x < 0x1p62)
		return (int64_t)x;
	return (wide)fmin(x, 2e7 * 0x1p56);
}

void stretch_begin(struct stretch *s, tick now, const struct price *p)
{
	BUG_IF(!(p->first_s >= 0 && p->growth_s >= 0 && p->rounds >= 1));
	s->origin = s->at == now ? stretch_exact(s, s->j) : (wide)now << STRETCH_BITS;
	s->at = now;
	s->first = fixed(p->first_s);
	s->growth = fixed(p->growth_s);
	if (s->first < (1 << STRETCH_BITS)) /* a round takes time: one tick */
		s->first = 1 << STRETCH_BITS;
	s->first_s = fmax(p->first_s, 0x1p-36);
	s->growth_s = p->growth_s;
	s->rounds = p->rounds;
	s->j = 0;
}

/* Root of growth/2 * m^2 + (first - growth/2) * m = t - origin, in the form without cancellation.
 */
static double estimate(const struct stretch *s, tick t)
{
	double d = tick_to_s(t - (tick)(s->origin >> STRETCH_BITS)),
	       b = s->first_s - s->growth_s / 2;
	return 2 * d / (b + sqrt(b * b + 2 * s->growth_s * d));
}

int64_t stretch_round_at(const struct stretch *s, tick t, int64_t least)
{
	t = t < TICK_FAR ? t : TICK_FAR;
	if (stretch_boundary(s, least) >= t)
		return least;
	int64_t m = (int64_t)fmin(ceil(estimate(s, t)), 0x1p31);
	m = m > least ? m : least + 1;
	while (stretch_boundary(s, m) < t)
		m++;
	while (m > least + 1 && stretch_boundary(s, m - 1) >= t)
		m--;
	return m;
}
