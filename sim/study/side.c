/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/side.h"

#include <stdio.h>
#include <string.h>

#define DEGREE_MAX  16
#define UNITS_TIMES 4 /* beyond so many times the first guess no fleet is tried */

static struct capacity_setup fleet_setup(const struct side *s, const struct fleet *fleet)
{
	double units = (double)fleet_units(fleet);

	return (struct capacity_setup){.fleet = {.scenario = s->base->scenario,
						 .fleet = fleet,
						 .replications = s->base->replications,
						 .jobs = 1},
				       .saturated_rps = units * s->each.saturated_rps};
}

/* Keeps why a degree cannot serve: that of the one that comes nearest, or of the last that does not
 * fit. */
static void keep_reason(struct side *s, int tp)
{
	struct replace_side *r = s->result;

	if (s->unit.verdict != VERDICT_OK && !s->fits)
		snprintf(r->reason, sizeof r->reason, "%s", s->unit.reason);
	if (s->unit.verdict != VERDICT_OK)
		return;
	if (!s->fits || s->each.alone_excess < s->alone_excess) {
		s->alone_excess = s->each.alone_excess;
		snprintf(r->reason, sizeof r->reason,
			 "%.400s, at tensor_parallel %d, the best degree that fits", s->each.reason,
			 tp);
	}
	s->fits = true;
}

/* One degree: settled and searched alone. False if it cannot be; s->result->reason says why. */
static bool try_degree(struct side *s, int tp)
{
	unit_init(&s->unit, s->base->scenario, s->candidate, tp);
	if (s->unit.verdict == VERDICT_OK) {
		struct fleet fleet = fleet_of(&s->unit, s->candidate, 1);
		struct capacity_setup setup = fleet_setup(s, &fleet);

		s->failed = !capacity_find(&s->each, &setup, &s->diag);
		s->result->simulations += s->each.simulations;
		if (!s->failed && !s->each.alone_misses)
			return true;
	}
	keep_reason(s, tp);
	return false;
}

void side_settle(struct side *s, int64_t gpus)
{
	int first = (int)s->base->scenario->deployment.tensor_parallel;

	snprintf(s->result->reason, sizeof s->result->reason,
		 "tensor_parallel %d does not divide %lld GPUs", first, (long long)gpus);
	for (int tp = first; tp <= DEGREE_MAX && !s->failed && gpus % tp == 0; tp *= 2) {
		if (try_degree(s, tp)) {
			s->result->tensor_parallel = tp;
			s->result->reason[0] = '\0';
			return;
		}
		unit_free(&s->unit);
	}
	memset(&s->unit, 0, sizeof s->unit);
	s->result->verdict = VERDICT_CANNOT;
}

void side_free(struct side *s)
{
	unit_free(&s->unit);
}

bool side_fleet(struct side *s, int64_t units, const struct probe *known, struct capacity *c)
{
	struct fleet fleet = fleet_of(&s->unit, s->candidate, units);
	struct capacity_setup setup = fleet_setup(s, &fleet);

	if (units == 1) {
		*c = s->each;
		return true;
	}
	setup.known = known;
	s->failed = !capacity_find(c, &setup, &s->diag);
	s->result->simulations += c->simulations;
	return !s->failed;
}

/* A number of units that is looked for. */
struct count {
	double rate;
	int64_t known, requests_max;
	int64_t low; /* so many do not hold the rate */
};

/* Whether a fleet holds the rate: below its share of the saturated throughput, and simulated. */
static bool holds(struct side *s, const struct count *c, int64_t units, struct probe *p)
{
	struct fleet fleet = fleet_of(&s->unit, s->candidate, units);
	struct capacity_setup setup = fleet_setup(s, &fleet);
	struct probe tried = {.rate_rps = 0};

	setup.fleet.requests_max = c->requests_max;
	if (s->failed)
		return false;
	if (units == c->known) {
		*p = tried;
		return true;
	}
	if (c->rate > CAPACITY_SHARE * setup.saturated_rps * (1 + 1e-12))
		return false;
	s->failed = !probe_decide(&tried, &setup.fleet, c->rate, &s->diag);
	s->result->simulations += tried.simulations;
	if (s->failed || !tried.holds)
		return false;
	*p = tried;
	return true;
}

/* More units until a fleet holds; 0: none up to `most`. */
static int64_t units_up(struct side *s, struct count *c, int64_t units, int64_t most,
			struct probe *found)
{
	for (int64_t more = 1; units <= most; more *= 2) {
		if (holds(s, c, units, found))
			return units;
		c->low = units;
		if (s->failed || units == most)
			break;
		units = units + more < most ? units + more : most;
	}
	return 0;
}

int64_t side_units(struct side *s, double rate, int64_t known, int64_t requests_max,
		   struct probe *found)
{
	struct count c = {.rate = rate, .known = known, .requests_max = requests_max};
	double guess = fmax(1, ceil(rate / s->each.max_rps * (1 - 1e-9)));
	/* Fewer cannot carry the rate at all. */
	double least = ceil(rate / (CAPACITY_SHARE * s->each.saturated_rps) * (1 - 1e-9));
	int64_t first = known > 0 ? known : (int64_t)guess;

	c.low = (int64_t)least - 1;
	int64_t high = units_up(s, &c, first, UNITS_TIMES * (int64_t)guess, found);

	while (high > c.low + 1 && !s->failed) {
		/* Near what holds first: sharing a queue saves a unit or two, seldom more. */
		int64_t middle = high - (high - c.low + 2) / 3;

		if (holds(s, &c, middle, found))
			high = middle;
		else
			c.low = middle;
	}
	return high;
}
