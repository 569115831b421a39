/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/side.h"

#include <stdio.h>
#include <string.h>

#define DEGREE_MAX 16

struct capacity_setup side_setup(const struct side *s, const struct fleet *fleet)
{
	double units = (double)fleet_units(fleet);

	return (struct capacity_setup){.fleet = {.scenario = s->base->scenario,
						 .fleet = fleet,
						 .replications = s->base->replications,
						 .jobs = s->jobs > 1 ? s->jobs : 1},
				       .saturated = {units * s->each.saturated_rps,
						     {units * s->each.saturated_interval.low,
						      units * s->each.saturated_interval.high}}};
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
	s->each = (struct capacity){.saturated_rps = 0}; /* not that of the degree before */
	unit_init(&s->unit, s->base->scenario, s->candidate, tp);
	if (s->unit.verdict == VERDICT_OK) {
		struct fleet fleet = fleet_of(&s->unit, s->candidate, 1);
		struct capacity_setup setup = side_setup(s, &fleet);

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

bool side_fleet(struct side *s, int64_t units, struct capacity *c)
{
	struct fleet fleet = fleet_of(&s->unit, s->candidate, units);
	struct capacity_setup setup = side_setup(s, &fleet);
	struct curve known = s->counted;

	if (units == 1) {
		*c = s->each;
		return true;
	}
	for (int i = 0; i < known.probes; i++)
		known.seen[i].rate_rps *= (double)units;
	setup.known = &known;
	setup.polished = true;
	s->failed = !capacity_find(c, &setup, &s->diag);
	s->result->simulations += c->simulations;
	return !s->failed;
}
