/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Poisson process whose rate repeats slot by slot. Its k-th arrival is where the integral of the
 * rate reaches the sum of k unit gaps; a rate factor multiplies every slot's rate.
 */
#include <math.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static double rate_of(const struct arrivals *a, size_t slot)
{
	return ((const double *)a->rates.data)[slot];
}

static double sum_of_rates(const struct arrivals *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->rates.count; i++)
		sum += rate_of(a, i);
	return sum;
}

static bool check(const struct arrivals *a, struct diag *d)
{
	if (isnan(a->slot_s))
		return FAIL_AT(d, "slot_s", "a schedule needs slot_s");
	if (!a->rates.count)
		return FAIL_AT(d, "rates", "a schedule needs rates");
	for (size_t i = 0; i < a->rates.count; i++)
		if (!(rate_of(a, i) >= 0 && rate_of(a, i) <= 1e9))
			return FAIL_AT(d, "rates", "the rate %g is not between 0 and 1e9",
				       rate_of(a, i));
	if (!(sum_of_rates(a) > 0))
		return FAIL_AT(d, "rates", "all rates of the schedule are 0");
	return sum_of_rates(a) * a->slot_s >= 1e-3 * (double)a->rates.count ||
	       FAIL_AT(d, "rates", "the schedule holds less than 0.001 requests a slot");
}

static void init(struct arrival_clock *c, const struct arrivals *a)
{
	c->end = rate_of(a, 0) * c->rate * a->slot_s;
}

static void next_slot(struct arrival_clock *c)
{
	const struct arrivals *a = c->arrivals;

	c->slot = c->slot + 1 < a->rates.count ? c->slot + 1 : 0;
	c->begin_s += a->slot_s;
	c->begin = c->end;
	c->end += rate_of(a, c->slot) * c->rate * a->slot_s;
}

static double next_s(struct arrival_clock *c)
{
	c->unit += arrival_clock_exponential(c->rng);
	while (c->unit >= c->end)
		next_slot(c);
	return c->begin_s + (c->unit - c->begin) / (rate_of(c->arrivals, c->slot) * c->rate);
}

static double rate_rps(const struct arrivals *a)
{
	return sum_of_rates(a) / (double)a->rates.count;
}

const struct arrival_kind arrival_schedule = {
	.name = "schedule",
	.help = "Poisson at rates[i] for slot_s each, repeating",
	.check = check,
	.init = init,
	.next_s = next_s,
	.rate_rps = rate_rps,
};
