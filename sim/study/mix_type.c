/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/mix_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/wide.h"
#include "base/xmalloc.h"
#include "study/saturation.h"
#include "study/unit_count.h"

/* Units of a type that cannot hold the load alone: so many times what the programme reckons for the
 * classes that it can serve. */
#define UNITS_TIMES 2
#define HALVINGS    40

static const struct scenario *scenario_of(const struct mix_types *m)
{
	return m->setup->base.scenario;
}

static bool divide(struct mix_types *m, struct diag *d)
{
	const struct scenario *s = scenario_of(m);

	if (!length_class_divide(&s->traffic, &s->facts, MIX_CLASSES, m->class, &m->classes, d))
		return false;
	for (size_t c = 0; c < m->classes; c++) {
		m->of_class[c] = *s;
		m->of_class[c].facts = m->class[c].facts;
	}
	m->shortest = m->setup->base;
	m->shortest.scenario = &m->of_class[0];
	return true;
}

/* ---- degrees ---- */

/* Types 2i and 2i + 1 are candidate i's, asked for the whole load and for its shortest class. */
static void begin_type(struct mix_types *m, size_t i)
{
	struct mix_type *t = xcalloc(1, sizeof *t);

	m->type[i] = t;
	*t = (struct mix_type){.candidate = i / 2, .whole = i % 2 == 0};
	t->side = (struct side){.base = t->whole ? &m->setup->base : &m->shortest,
				.candidate = &scenario_of(m)->candidate[i / 2],
				.result = &t->settled};
	rental_init(&t->settled.rental);
	diag_init(&t->side.diag);
}

static void rent(const struct mix_types *m, const struct mix_type *t, int64_t units, int tp,
		 struct rental *rental)
{
	const struct evaluate_setup *base = &m->setup->base;
	const struct candidate *c = &base->scenario->candidate[t->candidate];

	price_book_rent(base->book, &base->scenario->prices, &c->gpu, units, tp, c->price_override,
			rental);
}

/* Whether a unit of `tp` GPUs can be had and paid for; else the type cannot be. */
static bool can_have(const struct mix_types *m, struct mix_type *t, int tp)
{
	int64_t limit = m->setup->limit[t->candidate];
	struct replace_side *r = &t->settled;
	struct rental rental;

	rent(m, t, 1, tp, &rental);
	if (limit < tp)
		snprintf(r->reason, sizeof r->reason, "its limit is %lld, a unit takes %d",
			 (long long)limit, tp);
	else if (isnan(rental.usd_per_hour))
		snprintf(r->reason, sizeof r->reason, "no price: %.480s", rental.reason);
	bool can = limit >= tp && !isnan(rental.usd_per_hour);
	rental_free(&rental);
	if (!can)
		r->verdict = VERDICT_CANNOT;
	return can;
}

static void settle_type(const struct mix_types *m, struct mix_type *t)
{
	if (!can_have(m, t, (int)scenario_of(m)->deployment.tensor_parallel))
		return;
	side_settle(&t->side, 0);
	if (t->settled.verdict == VERDICT_OK && !can_have(m, t, t->side.unit.tp))
		side_free(&t->side);
}

/* Both types of a candidate: where the first degree holds the whole load there is but one. */
static void settle(size_t candidate, void *arg)
{
	struct mix_types *m = arg;
	struct mix_type *whole = m->type[2 * candidate], *part = m->type[2 * candidate + 1];
	int64_t first = scenario_of(m)->deployment.tensor_parallel;

	part->settled.verdict = VERDICT_CANNOT;
	settle_type(m, whole);
	if (whole->side.failed ||
	    (whole->settled.verdict == VERDICT_OK && whole->side.unit.tp == first))
		return;
	part->settled.verdict = VERDICT_OK;
	settle_type(m, part);
}

/* Whether it is a type; `before` is the candidate's for the whole load, perhaps itself. */
static bool is_type(const struct mix_type *t, const struct mix_type *before)
{
	if (t->settled.verdict != VERDICT_OK)
		return false;
	return t == before || before->settled.verdict != VERDICT_OK ||
	       before->side.unit.tp > t->side.unit.tp;
}

/* Whether UNIT_COUNT_MAX units may carry what the type was asked for; else says that. */
static bool is_enough(struct mix_type *t)
{
	double rate = t->side.base->scenario->facts.rate_rps;

	if (t->settled.verdict != VERDICT_OK)
		return true;
	double least = ceil(rate / (CAPACITY_SHARE * t->side.each.saturated_rps));
	if (least <= UNIT_COUNT_MAX)
		return true;
	snprintf(t->settled.reason, sizeof t->settled.reason,
		 "%.4g requests/s take at least %.4g units, fleet counts up to %d of a kind", rate,
		 least, UNIT_COUNT_MAX);
	return false;
}

static void drop_type(struct mix_type *t)
{
	if (t->settled.verdict == VERDICT_OK)
		side_free(&t->side);
	free(t->usd);
	free(t);
}

/* Keeps those that are types, in their order. */
static void keep_types(struct mix_types *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->types; i += 2) {
		struct mix_type *whole = m->type[i], *part = m->type[i + 1];
		bool enough = is_enough(whole);
		bool is[2] = {is_type(whole, whole) && enough,
			      is_type(part, whole) && enough && is_enough(part)};

		snprintf(m->reason[i / 2], sizeof m->reason[0], "%s", whole->settled.reason);
		for (size_t j = 0; j < 2; j++)
			if (is[j])
				m->type[kept++] = j ? part : whole;
			else
				drop_type(j ? part : whole);
	}
	m->types = kept;
}

static void step(size_t count, void *arg)
{
	struct mix_types *m = arg;

	progress_step(&m->progress, count);
}

static bool check(const struct mix_types *m, struct diag *d)
{
	for (size_t i = 0; i < m->types; i++)
		if (m->type[i]->side.failed) {
			*d = m->type[i]->side.diag;
			return false;
		}
	for (size_t i = 0; m->failed && i < m->types * m->classes; i++)
		if (m->failed[i].set) {
			*d = m->failed[i];
			return false;
		}
	return true;
}

/* ---- capacities ---- */

/* What classes hold guides the programme and no more: no probe of them is longer than `auto`. */
static int64_t few_requests(const struct mix_types *m)
{
	return slo_auto_requests(&scenario_of(m)->slo);
}

static void measure_class(struct mix_types *m, struct mix_type *t, size_t c, struct diag *d)
{
	struct fleet one = fleet_of(&t->side.unit, t->side.candidate, 1);
	struct capacity_setup setup = {.fleet = {.scenario = &m->of_class[c],
						 .fleet = &one,
						 .replications = m->setup->base.replications,
						 .jobs = 1,
						 .requests_max = few_requests(m)}};

	diag_init(d);
	if (c == 0 && !t->whole)
		t->of_class[0] = t->side.each;
	else
		capacity_find(&t->of_class[c], &setup, d);
}

/* How many hold the load alone; and the weight of one, of the whole load in any case. */
static void count_alone(const struct mix_types *m, struct mix_type *t)
{
	struct unit_count_setup setup = {.rate_rps = scenario_of(m)->facts.rate_rps,
					 .requests_max = few_requests(m)};
	struct fleet one = fleet_of(&t->side.unit, t->side.candidate, 1);
	struct unit_count count;

	t->unit_rps = t->side.each.saturated_rps;
	if (t->whole) {
		unit_count_find(&count, &t->side, &setup);
		t->alone = count.units;
	} else if (saturation_measure_units(&one, scenario_of(m), &t->side.diag)) {
		t->unit_rps = one.part[0].unit_rps;
	} else {
		t->side.failed = true;
	}
}

/* What each type holds of each class; behind these tasks, how many of each hold all. */
static void measure(size_t i, void *arg)
{
	struct mix_types *m = arg;
	size_t type = i % m->types, class = i / m->types;

	if (class < m->classes)
		measure_class(m, m->type[type], class, &m->failed[i]);
	else
		count_alone(m, m->type[type]);
}

/* What a unit holds of a class as the programme takes it: its own capacity, or `part` of the way
 * from there to what it serves when saturated. */
static double capacity_of(const struct mix_type *t, size_t c, double part)
{
	const struct capacity *of = &t->of_class[c];

	return of->max_rps + part * fmax(0, CAPACITY_SHARE * of->saturated_rps - of->max_rps);
}

/* Units that the load takes; INFINITY: it has a class that none of them holds. */
static double units_of(const struct mix_types *m, const struct mix_type *t, double part)
{
	double units = 0;

	for (size_t c = 0; c < m->classes; c++)
		units += m->class[c].facts.rate_rps / capacity_of(t, c, part);
	return units;
}

/* A fleet shares its queue and holds more than its units do one by one, and of a class that misses
 * the SLO by itself some may pass: capacities are raised until as many units carry the load as do
 * when simulated. */
static void set_capacities(const struct mix_types *m, struct mix_type *t)
{
	double low = 0, high = 1;

	if (t->alone == 0 || units_of(m, t, 0) <= (double)t->alone)
		high = 0;
	for (int i = 0; i < HALVINGS && high > 0; i++) {
		double middle = (low + high) / 2;

		*(units_of(m, t, middle) > (double)t->alone ? &low : &high) = middle;
	}
	for (size_t c = 0; c < m->classes; c++)
		t->capacity_rps[c] = capacity_of(t, c, high);
}

/* ---- prices ---- */

/* Units that the classes take which the type serves. */
static double served_units(const struct mix_types *m, const struct mix_type *t)
{
	double units = 0;

	for (size_t c = 0; c < m->classes; c++)
		if (t->capacity_rps[c] > 0)
			units += m->class[c].facts.rate_rps / t->capacity_rps[c];
	return units;
}

static int64_t most_units(const struct mix_types *m, const struct mix_type *t)
{
	double units = served_units(m, t);
	int64_t most = t->alone ? t->alone + MIX_TYPE_SPARE : (int64_t)ceil(UNITS_TIMES * units);
	return min64(min64(most, UNIT_COUNT_MAX), m->setup->limit[t->candidate] / t->side.unit.tp);
}

static void price_type(const struct mix_types *m, struct mix_type *t)
{
	t->units_max = most_units(m, t);
	t->usd = xcalloc((size_t)t->units_max + 1, sizeof *t->usd);
	for (int64_t n = 1; n <= t->units_max; n++) {
		struct rental rental;

		rent(m, t, n, t->side.unit.tp, &rental);
		t->usd[n] = rental.usd_per_hour;
		rental_free(&rental);
	}
}

bool mix_type_find_all(struct mix_types *m, const struct mix_setup *setup, struct diag *d)
{
	size_t candidates = setup->base.scenario->candidates;

	*m = (struct mix_types){.setup = setup};
	m->reason = xcalloc(candidates, sizeof *m->reason);
	if (!divide(m, d))
		return false;
	m->types = 2 * candidates;
	m->type = xcalloc(m->types, sizeof(struct mix_type *));
	for (size_t i = 0; i < m->types; i++)
		begin_type(m, i);
	progress_init(&m->progress, "settling units", candidates, setup->base.quiet);
	parallel_for(candidates, setup->base.jobs, settle, step, m);
	progress_end(&m->progress);
	bool fine = check(m, d);
	keep_types(m);
	if (!fine)
		return false;
	size_t n = m->types * (m->classes + 1);
	m->failed = xcalloc(n + 1, sizeof *m->failed);
	progress_init(&m->progress, "measuring classes", n, setup->base.quiet);
	parallel_for(n, setup->base.jobs, measure, step, m);
	progress_end(&m->progress);
	if (!check(m, d))
		return false;
	for (size_t i = 0; i < m->types; i++) {
		set_capacities(m, m->type[i]);
		price_type(m, m->type[i]);
	}
	return true;
}

void mix_type_free_all(struct mix_types *m)
{
	for (size_t i = 0; i < m->types; i++)
		drop_type(m->type[i]);
	free(m->type);
	free(m->reason);
	free(m->failed);
}

void mix_type_programme(const struct mix_types *m, struct programme *p)
{
	*p = (struct programme){
		.types = m->types, .classes = m->classes, .demand = 1, .usd_below = INFINITY};
	for (size_t c = 0; c < m->classes; c++)
		p->rate_rps[c] = m->class[c].facts.rate_rps;
	for (size_t i = 0; i < m->types; i++) {
		const struct mix_type *t = m->type[i];
		struct programme_type *to = &p->type[i];

		*to = (struct programme_type){.units_max = t->units_max,
					      .usd = t->usd,
					      .kind = t->candidate,
					      .gpus = t->side.unit.tp,
					      .limit = m->setup->limit[t->candidate]};
		for (size_t c = 0; c < m->classes; c++)
			to->capacity_rps[c] = t->capacity_rps[c];
	}
}
