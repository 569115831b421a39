/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/estimate.h"

#define ITERATIONS 60
#define STEP_MAX_S 100.0
#define TAIL	   1.15 /* a tail's step over the mean one: a guess, where the search begins */

/* The mean step of `begun` requests and `decoding` sequences. */
static double step_s(const struct unit *u, const struct traffic_facts *f, double begun,
		     double decoding)
{
	static const struct work none = {{0}};
	double input = f->input_mean, prompts = begun * input;
	struct work w = {{[PER_STEP] = 1,
			  [PER_TOKEN] = llround(fmax(1, prompts + decoding)),
			  [PER_ROW] = llround(fmax(1, begun + decoding)),
			  [PER_SEQUENCE] = llround(fmax(1, begun + decoding)),
			  [PER_PAIR] = llround(prompts * (input + 1) / 2),
			  [PER_CHUNK_CONTEXT] = llround(prompts),
			  [PER_CONTEXT] = llround(decoding * (input + f->output_mean / 2))}};

	return step_cost_price(&u->cost, &w, &none).first_s;
}

double estimate_step_s(const struct unit *u, const struct traffic_facts *f, double rate)
{
	double t = step_s(u, f, 0, 1), before = 0;

	for (int i = 0; i < ITERATIONS && fabs(t - before) > 1e-6 * t; i++) {
		before = t;
		t = step_s(u, f, rate * t, rate * t * f->output_mean);
		if (t > STEP_MAX_S)
			return INFINITY;
	}
	return t;
}

double estimate_first_s(const struct unit *u, const struct traffic_facts *f)
{
	return u->cost.frontend_s + step_s(u, f, 1, 0);
}

double estimate_alone_s(const struct unit *u, const struct traffic_facts *f)
{
	return estimate_first_s(u, f) + f->output_mean * step_s(u, f, 0, 1);
}

/* The least limit on the mean step that the SLO sets [s]; INFINITY: none. */
static double step_limit(const struct slo *slo, double output)
{
	double least = INFINITY;

	for (int k = 0; k < SLO_STATISTICS; k++) {
		least = fmin(least, slo->limit_s[SLO_TPOT][k]);
		least = fmin(least, slo->limit_s[SLO_ITL][k]);
		least = fmin(least, slo->limit_s[SLO_E2E][k] / output);
	}
	return least / TAIL;
}

double estimate_rate(const struct unit *u, const struct traffic_facts *f, const struct slo *slo,
		     double most)
{
	double limit = step_limit(slo, f->output_mean), low = most / 1000, high = most;

	if (estimate_step_s(u, f, high) <= limit)
		return high;
	for (int i = 0; i < ITERATIONS; i++) {
		double middle = sqrt(low * high);

		*(estimate_step_s(u, f, middle) <= limit ? &low : &high) = middle;
	}
	return low;
}

double estimate_fleet_rate(const struct fleet *fleet, const struct traffic_facts *f,
			   const struct slo *slo, double most)
{
	double units = (double)fleet_units(fleet), rate = 0;

	for (size_t i = 0; i < fleet->parts; i++)
		rate += (double)fleet->part[i].replicas *
			estimate_rate(fleet->part[i].unit, f, slo, most / units);
	return rate;
}
