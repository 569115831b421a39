/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/xmalloc.h"
#include "study/cost.h"
#include "study/needs_rate.h"
#include "study/provenance.h"
#include "study/rate_constants.h"
#include "study/unit_count.h"

/* A replacement being worked out: side 0 is what is replaced. */
struct job {
	const struct replace_setup *setup;
	struct replacement *r;
	struct side *side;
	struct perturb *constants; /* by side: what moves of them do to each.max_rps */
	size_t sides;
	struct capacity from; /* of the whole from side */
	struct progress progress;
	size_t done; /* steps of the progress behind this one */
};

static void begin_side(struct side *s, const struct replace_setup *setup, size_t candidate,
		       struct replace_side *result)
{
	*result = (struct replace_side){
		.candidate = candidate,
		.gpu = setup->base.scenario->candidate[candidate].shown,
		.units = RECORD_INT_UNSET,
		.count = RECORD_INT_UNSET,
		.tensor_parallel = RECORD_INT_UNSET,
		.max_rps = NAN,
		.max_rps_each = NAN,
		.ratio = NAN,
		.ratio_interval = {NAN, NAN},
		.naive_bandwidth = NAN,
		.naive_compute = NAN,
		.naive_memory = NAN,
		.cost_ratio = NAN,
		.cost_ratio_share = NAN,
		.units_interval = {NAN, NAN},
		.ratio_interval_constants = {NAN, NAN},
		.units_interval_constants = {NAN, NAN},
		.largest_constant_share = NAN,
		.interval = {NAN, NAN},
	};
	rental_init(&result->rental);
	*s = (struct side){.base = &setup->base,
			   .jobs = 1,
			   .candidate = &setup->base.scenario->candidate[candidate],
			   .result = result};
	diag_init(&s->diag);
}

static void move_constants(struct job *j, size_t i)
{
	struct side *s = &j->side[i];
	struct evaluate_setup one = j->setup->base;

	one.replicas = 1;
	one.tp = s->unit.tp;
	one.jobs = s->jobs;
	rate_constants_find(&j->constants[i], &one, s->result->candidate, &s->each);
}

static void settle(size_t i, void *arg)
{
	struct job *j = arg;

	side_settle(&j->side[i], i == 0 ? j->setup->from_count : 0);
	if (j->side[i].result->verdict != VERDICT_OK)
		return;
	j->side[i].result->max_rps_each = j->side[i].each.max_rps;
	if (j->setup->base.constants)
		move_constants(j, i);
}

static void rent(struct side *s)
{
	const struct evaluate_setup *base = s->base;
	struct replace_side *r = s->result;

	r->count = r->units * s->unit.tp;
	price_book_rent(base->book, &base->scenario->prices, &s->candidate->gpu, r->units,
			s->unit.tp, s->candidate->price_override, &r->rental);
}

/* The from side's whole fleet. */
static bool finish_from(struct job *j)
{
	struct side *s = &j->side[0];
	struct replace_side *r = s->result;

	r->max_rps = 0;
	if (r->verdict != VERDICT_OK) {
		r->count = j->setup->from_count;
		return true;
	}
	r->units = j->setup->from_count / s->unit.tp;
	rent(s);
	if (!side_fleet(s, r->units, &j->from))
		return false;
	r->max_rps = j->from.max_rps;
	r->interval = j->from.interval;
	snprintf(r->limited_by, sizeof r->limited_by, "%s", j->from.limited_by);
	return true;
}

/* Of a / b, from the two intervals' half widths. */
static struct interval ratio_interval(const struct capacity *a, const struct capacity *b)
{
	double ratio = a->max_rps / b->max_rps, half = hypot(capacity_half(a), capacity_half(b));

	return (struct interval){ratio * exp(-half), ratio * exp(half)};
}

static void fill_naive(struct replace_side *r, const struct side *from, const struct side *to)
{
	const struct gpu *a = &from->candidate->gpu, *b = &to->candidate->gpu;
	double gpus = (double)from->result->count / to->unit.tp;

	r->naive_bandwidth = gpus * a->bandwidth.value / b->bandwidth.value;
	r->naive_compute = gpus * gpu_peak(a, from->unit.precision.linear) /
			   gpu_peak(b, to->unit.precision.linear);
	r->naive_memory = gpus * a->memory.value / b->memory.value;
}

/* The fleet that holds what the from side holds, and what that fleet holds. */
static void count_units(struct job *j, struct side *s)
{
	struct replace_side *r = s->result, *from = j->side[0].result;
	struct capacity fleet;
	struct unit_count count;

	r->ratio = from->max_rps / s->each.max_rps;
	r->ratio_interval = ratio_interval(&j->from, &s->each);
	fill_naive(r, &j->side[0], s);
	snprintf(r->limited_by, sizeof r->limited_by, "%s", s->each.limited_by);
	/* A GPU against itself: as many hold what they hold. */
	bool same = r->candidate == from->candidate && s->unit.tp == j->side[0].unit.tp;
	struct unit_count_setup wanted = {.rate_rps = from->max_rps,
					  .half = capacity_half(&j->from),
					  .known = same ? from->units : 0};

	unit_count_find(&count, s, &wanted);
	r->units = count.units;
	r->units_interval = count.interval;
	if (s->failed)
		return;
	if (r->units == 0) {
		r->units = RECORD_INT_UNSET;
		r->verdict = VERDICT_CANNOT;
		snprintf(r->reason, sizeof r->reason,
			 "no fleet of up to %lld units was seen to hold %.4g req/s behind the "
			 "router; the ratio is %.4g, and fleets above %d are not simulated",
			 (long long)count.most, from->max_rps, r->ratio, UNIT_COUNT_MAX);
		return;
	}
	rent(s);
	r->cost_ratio = r->rental.usd_per_hour / from->rental.usd_per_hour;
	r->cost_ratio_share = r->rental.usd_per_hour_share / from->rental.usd_per_hour_share;
	if (same && r->units == from->units)
		r->max_rps = from->max_rps;
	else if (side_fleet(s, r->units, &fleet))
		r->max_rps = fmax(fleet.max_rps, from->max_rps);
}

/* A fleet holds by its units: what moves the ratio of two units moves the number of them. */
static void doubt_constants(struct job *j, size_t i)
{
	struct replace_side *r = j->side[i].result, *from = j->side[0].result;
	double units = (double)r->units * from->max_rps / r->max_rps;
	struct perturb difference;

	perturb_subtract(&difference, &j->constants[0], &j->constants[i]);
	r->ratio_interval_constants = perturb_interval(&difference, 0, r->ratio);
	r->units_interval_constants = perturb_interval(&difference, 0, units);
	r->units_interval_constants.low = ceil(r->units_interval_constants.low - 1e-9);
	r->units_interval_constants.high = ceil(r->units_interval_constants.high - 1e-9);
	r->largest_constant_share = perturb_largest(&difference, r->largest_constant);
	perturb_free(&difference);
}

static void substitute(size_t i, void *arg)
{
	struct job *j = arg;
	struct side *s = &j->side[i + 1];
	struct replace_side *r = s->result;
	const struct replace_side *from = j->side[0].result;

	if (from->verdict != VERDICT_OK) {
		r->verdict = VERDICT_CANNOT;
		snprintf(r->reason, sizeof r->reason, "%s itself holds no rate: %.400s", from->gpu,
			 from->reason);
	} else if (r->verdict == VERDICT_OK) {
		count_units(j, s);
		if (j->setup->base.constants && !s->failed && r->verdict == VERDICT_OK)
			doubt_constants(j, i + 1);
	}
}

/* The first side's message, if one failed. */
static bool all_fine(const struct job *j, struct diag *d)
{
	for (size_t i = 0; i < j->sides; i++)
		if (j->side[i].failed) {
			*d = j->side[i].diag;
			return false;
		}
	return true;
}

static void step(size_t count, void *arg)
{
	struct job *j = arg;

	progress_step(&j->progress, j->done + count);
}

/* The threads that each of so many sides may use, when all are searched at once. */
static void share_threads(struct job *j, size_t sides)
{
	int jobs = j->setup->base.jobs > 0 ? j->setup->base.jobs : parallel_processors();

	for (size_t i = 0; i < j->sides; i++)
		j->side[i].jobs = (jobs + (int)sides - 1) / (int)sides;
}

static bool search_sides(struct job *j, struct diag *d)
{
	int jobs = j->setup->base.jobs;

	share_threads(j, j->sides);
	parallel_for(j->sides, jobs, settle, step, j);
	j->done += j->sides;
	if (!all_fine(j, d))
		return false;
	share_threads(j, 1);
	finish_from(j);
	if (!all_fine(j, d))
		return false;
	share_threads(j, j->r->sides);
	parallel_for(j->r->sides, jobs, substitute, step, j);
	j->done += j->r->sides;
	return all_fine(j, d);
}

static bool draw_curve(struct job *j, struct diag *d)
{
	struct replacement *r = j->r;
	struct cost_curve c = {.side = j->side,
			       .sides = j->sides,
			       .full_rps = r->from.max_rps,
			       .jobs = j->setup->base.jobs,
			       .progress = &j->progress,
			       .done = j->done};

	if (!j->setup->curve || !(r->from.max_rps > 0))
		return true;
	r->points = j->sides * COST_RATES;
	r->point = xcalloc(r->points, sizeof *r->point);
	cost_curve_fill(&c, r->point);
	return all_fine(j, d);
}

static void name_constants(struct side *s)
{
	if (s->unit.tp > 0)
		provenance_list(&s->result->provenance,
				scenario_engine(s->base->scenario, s->candidate),
				&s->candidate->gpu, &s->unit);
}

bool replace_run(const struct replace_setup *setup, struct replacement *r, struct diag *d)
{
	struct job j = {.setup = setup, .r = r, .sides = setup->to_count + 1};

	memset(r, 0, sizeof *r);
	if (!needs_rate(setup->base.scenario, "replace compares rates", d))
		return false;
	r->sides = setup->to_count;
	r->to = xcalloc(r->sides, sizeof *r->to);
	r->replications = setup->base.replications;
	j.side = xcalloc(j.sides, sizeof *j.side);
	j.constants = xcalloc(j.sides, sizeof *j.constants);
	begin_side(&j.side[0], setup, setup->from, &r->from);
	for (size_t i = 0; i < r->sides; i++)
		begin_side(&j.side[i + 1], setup, setup->to[i], &r->to[i]);
	progress_init(&j.progress, "searching",
		      2 * j.sides - 1 + (setup->curve ? j.sides * COST_RATES : 0),
		      setup->base.quiet);
	bool good = search_sides(&j, d) && draw_curve(&j, d);
	progress_end(&j.progress);
	r->requests = j.from.requests;
	for (size_t i = 0; i < j.sides; i++) {
		name_constants(&j.side[i]);
		side_free(&j.side[i]);
		perturb_free(&j.constants[i]);
	}
	free(j.side);
	free(j.constants);
	return good;
}

static void free_side(struct replace_side *s)
{
	rental_free(&s->rental);
	provenance_free(&s->provenance);
}

void replace_free(struct replacement *r)
{
	free_side(&r->from);
	for (size_t i = 0; i < r->sides; i++)
		free_side(&r->to[i]);
	free(r->to);
	free(r->point);
	memset(r, 0, sizeof *r);
}
