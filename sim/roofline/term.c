/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/term.h"

#include <math.h>

#include "roofline/pnorm.h"

static double flops_at(const struct term *t, double x)
{
	return t->flop0 + t->flop * x;
}

static double bytes_at(const struct term *t, double x)
{
	double bytes = t->byte0 + t->byte * x;

	if (t->experts > 0)
		bytes += t->expert_bytes * t->experts * (1 - pow(1 - t->chosen / t->experts, x));
	return bytes;
}

static double over(double amount, double rate)
{
	return amount > 0 ? amount / rate : 0;
}

double term_seconds(const struct term *t, double x, double bytes_x)
{
	double compute_s = over(flops_at(t, x), t->flop_per_s);
	double memory_s = over(bytes_at(t, bytes_x), t->byte_per_s);

	return t->times * (pnorm(compute_s, memory_s, t->p) + t->latency_s + t->second * x);
}

double term_slope(const struct term *t, enum quantity q)
{
	double compute_s = t->of == q ? over(t->flop, t->flop_per_s) : 0;
	double memory_s = t->bytes_of == q ? over(t->byte, t->byte_per_s) : 0;

	return t->times * (pnorm(compute_s, memory_s, t->p) + (t->of == q ? t->second : 0));
}

struct term_time term_time(const struct term *t, const struct work *now)
{
	double x = t->of == PER_STEP ? 1 : (double)now->of[t->of];
	double bytes_x = t->bytes_of == PER_STEP ? 1 : (double)now->of[t->bytes_of];
	double flops = flops_at(t, x), bytes = bytes_at(t, bytes_x);

	return (struct term_time){
		.total_s = term_seconds(t, x, bytes_x),
		.compute_s = t->times * over(flops, t->flop_per_s),
		.memory_s = t->times * over(bytes, t->byte_per_s),
		.fixed_s = t->times * (t->latency_s + t->second * x),
		.flops = t->times * flops,
		.bytes = t->times * bytes,
	};
}
