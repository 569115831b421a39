/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interrupted Poisson process (Kuczura, Bell System Technical Journal 1973): Poisson while on,
 * silent while off, both periods exponential with means on_s and off_s. A rate factor changes the
 * rate while on, never the periods. It begins with an on period.
 */
#include <math.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	if (isnan(a->rate))
		return FAIL_AT(d, "rate", "onoff arrivals need rate, the one while on");
	if (isnan(a->on_s))
		return FAIL_AT(d, "on_s", "onoff arrivals need on_s");
	if (a->rate * a->on_s < 1e-3)
		return FAIL_AT(d, "on_s", "rate * on_s is below 0.001 requests a period");
	return !isnan(a->off_s) || FAIL_AT(d, "off_s", "onoff arrivals need off_s");
}

static void init(struct arrival_clock *c, const struct arrivals *a)
{
	c->end = a->on_s * arrival_clock_exponential(c->phase_rng);
}

/* Counts in seconds on, and adds the silence that lies before. */
static double next_s(struct arrival_clock *c)
{
	double on_s;

	c->unit += arrival_clock_exponential(c->rng);
	on_s = c->unit / c->rate;
	while (on_s >= c->end) {
		c->begin_s += c->arrivals->off_s * arrival_clock_exponential(c->phase_rng);
		c->end += c->arrivals->on_s * arrival_clock_exponential(c->phase_rng);
	}
	return on_s + c->begin_s;
}

static double rate_rps(const struct arrivals *a)
{
	return a->rate * a->on_s / (a->on_s + a->off_s);
}

const struct arrival_kind arrival_onoff = {
	.name = "onoff",
	.help = "Poisson while on, silent while off (rate while on; on_s, off_s: mean periods)",
	.check = check,
	.init = init,
	.next_s = next_s,
	.rate_rps = rate_rps,
};
