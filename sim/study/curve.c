/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/curve.h"

#include "study/estimate.h"

#define E	 2.718281828459045
#define NOISE	 5e-4 /* makes pairs of scouts a few percent apart the best: see pair_cost() */
#define STEP	 0.01 /* in ln(rate), of the closed form's slope */
#define FLATTEST 0.02 /* no slope is taken for flatter: nobody measures that */

double curve_bend(const struct finding *f)
{
	double x = f->excess;

	if (f->metric == JUDGE_SHARE)
		return x;
	return x > -1 ? 1 - exp(-x) : 1 + E * x;
}

/* What a probe found of the limit of `f`; NULL: it has none. */
static const struct finding *find_limit(const struct probe *p, const struct finding *f)
{
	for (size_t i = 0; i < p->limits; i++)
		if (p->found[i].metric == f->metric && p->found[i].statistic == f->statistic)
			return &p->found[i];
	return NULL;
}

/* The slope of a limit through two probes, over the rate; NAN: they tell none. */
static double pair_slope(const struct probe *a, const struct probe *b, const struct finding *f)
{
	const struct finding *x = find_limit(a, f), *y = find_limit(b, f);

	if (!x || !y || a->requests != b->requests || a->replications != b->replications)
		return (double)NAN;
	double rise = curve_bend(y) - curve_bend(x);
	double slope = rise / (b->rate_rps - a->rate_rps);

	return slope > 0 && isfinite(slope) ? slope : (double)NAN;
}

/* How far off the pair's slope may be: it belongs elsewhere, or is that of noise. */
static double pair_cost(const struct probe *a, const struct probe *b, double rate)
{
	double far = fmax(fabs(log(a->rate_rps / rate)), fabs(log(b->rate_rps / rate)));
	double apart = fabs(log(a->rate_rps / b->rate_rps));

	return far + NOISE / apart * sqrt(2e4 / (double)a->requests);
}

/* Of the best pair around a rate; NAN: there is none. */
static double seen_slope(const struct curve *c, double rate, const struct finding *f)
{
	double best = INFINITY, slope = (double)NAN;

	for (int i = 0; i < c->probes; i++)
		for (int j = 0; j < i; j++) {
			double s = pair_slope(&c->seen[i], &c->seen[j], f);
			double cost = pair_cost(&c->seen[i], &c->seen[j], rate);

			if (!isnan(s) && cost < best) {
				best = cost;
				slope = s;
			}
		}
	return slope;
}

/* d ln(step) / d rate of the closed form. */
static double step_slope(const struct curve *c, double rate)
{
	const struct unit *u = c->fleet->part[0].unit;
	double each = rate / (double)fleet_units(c->fleet);
	double here = estimate_step_s(u, c->facts, each);
	double beyond = estimate_step_s(u, c->facts, each * (1 + STEP));

	return log(beyond / here) / (STEP * rate);
}

/* Before two probes were seen. */
static double guessed_slope(const struct curve *c, const struct probe *p, const struct finding *f)
{
	double share = exp(-fmax(f->excess, -1)); /* limit / value */
	double pole = share / fmax(c->saturated_rps - p->rate_rps, 1e-3 * p->rate_rps);
	double step = share * step_slope(c, p->rate_rps);
	bool of_steps = f->metric == SLO_TPOT || f->metric == SLO_ITL;

	return of_steps && isfinite(step) ? step : pole;
}

struct meeting curve_meeting(const struct curve *c, const struct probe *from)
{
	struct meeting first = {.rate_rps = INFINITY};

	for (size_t i = 0; i < from->limits; i++) {
		const struct finding *f = &from->found[i];
		double slope = seen_slope(c, from->rate_rps, f);

		if (isnan(slope))
			slope = guessed_slope(c, from, f);
		slope = fmax(slope, FLATTEST / from->rate_rps);
		double rate = from->rate_rps - curve_bend(f) / slope;

		if (!first.limit || rate < first.rate_rps)
			first = (struct meeting){rate, f, slope * from->rate_rps};
	}
	return first;
}
