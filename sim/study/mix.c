/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "scenario/units_text.h"
#include "serve/router_kind.h"
#include "study/mix_trial.h"
#include "study/provenance.h"

/* How the demand is scaled until the programme's answer holds: STEP moves no count of fewer than a
 * hundred units. It lies between LEAST and MOST; after ROUNDS_MAX simulated compositions the best
 * so far stands. */
#define STEP	   0.01
#define WIDER	   1.25
#define LEAST	   0.64
#define MOST	   4
#define ROUNDS_MAX 40

const char *const mix_not_built =
	"this build has no GLPK, which fleet needs (Debian: apt-get install libglpk-dev); "
	"configure "
	"and build again: cmake --preset release && cmake --build --preset release";

bool mix_is_built(void)
{
	return programme_is_built();
}

/* What came of asking the programme for so much. */
enum outcome_kind { HOLDS, MISSES, NOTHING };

struct search {
	const struct mix_types *types;
	struct mix_trial *alone;    /* by type: so many units by themselves; router -1: no number */
	struct programme programme; /* with the cuts, and below what the best costs */
	struct mix_trial best;	    /* router -1: none yet */
	double demand;
	bool timed_out;
	int64_t rounds, simulations;
	struct progress progress;
	struct diag *diag;
	bool failed;
};

static bool simulate(struct search *s, struct mix_trial *t, const struct programme_units *units)
{
	s->failed = !mix_trial_run(t, s->types, units, s->diag);
	s->simulations += t->simulations;
	s->rounds += t->simulations > 0;
	progress_step(&s->progress, (size_t)s->rounds);
	return !s->failed && t->router >= 0;
}

static void keep_best(struct search *s, const struct mix_trial *t)
{
	s->best = *t;
	s->programme.usd_below = programme_usd(&s->programme, &t->units);
}

static void cut(struct search *s, const struct programme_units *units)
{
	struct programme *p = &s->programme;

	p->cut = xrealloc(p->cut, (p->cuts + 1) * sizeof *p->cut);
	p->cut[p->cuts++] = *units;
}

/* The cheapest that the programme finds at this demand, simulated. */
static enum outcome_kind try_demand(struct search *s, double demand)
{
	struct programme_units units;
	struct mix_trial t;

	s->programme.demand = demand;
	enum programme_end end = programme_solve(&s->programme, &units);
	s->timed_out |= end == PROGRAMME_TIMED_OUT;
	if (end == PROGRAMME_INFEASIBLE)
		return NOTHING;
	if (simulate(s, &t, &units)) {
		keep_best(s, &t);
		return HOLDS;
	}
	cut(s, &units);
	return MISSES;
}

static bool is_over(const struct search *s)
{
	return s->failed || s->rounds >= ROUNDS_MAX;
}

/* The greatest demand at which the programme's answer does not hold, by bisection: the programme
 * knows neither how units share a queue nor how classes mix on one. */
static void scale_demand(struct search *s)
{
	double low = 0, high = INFINITY, demand = 1;

	while (!is_over(s) && high > low * (1 + STEP) && demand < MOST && demand > LEAST) {
		if (try_demand(s, demand) == MISSES)
			low = demand;
		else
			high = demand;
		if (low == 0)
			demand = high / WIDER;
		else
			demand = isinf(high) ? low * WIDER : sqrt(low * high);
	}
	s->demand = low > 0 ? low : LEAST;
}

/* At that demand what is cheaper than the best, the cheapest first, until something holds or
 * nothing is left. Returns whether nothing is. */
static bool try_in_turn(struct search *s)
{
	while (!is_over(s)) {
		enum outcome_kind how = try_demand(s, s->demand);

		if (how == NOTHING)
			return !s->timed_out;
	}
	return false;
}

/* One unit fewer, wherever that costs less and holds. */
static bool drop_one(struct search *s)
{
	for (size_t i = 0; i < s->types->types; i++) {
		struct programme_units fewer = s->best.units;
		struct mix_trial t;

		if (fewer.of[i] == 0)
			continue;
		fewer.of[i]--;
		if (!(programme_usd(&s->programme, &fewer) < s->programme.usd_below))
			continue;
		if (simulate(s, &t, &fewer)) {
			keep_best(s, &t);
			return true;
		}
	}
	return false;
}

/* The count of a type's units was made with few requests: they are looked at as mixes are, and a
 * unit or two more where that finds them wanting. */
static void verify_alone(struct search *s, size_t i)
{
	struct programme_units units = {{0}};

	s->alone[i].router = -1;
	units.of[i] = s->types->type[i]->alone;
	for (int k = 0; k <= MIX_TYPE_SPARE && units.of[i] > 0 && !s->failed; k++, units.of[i]++)
		if (simulate(s, &s->alone[i], &units))
			return;
}

/* The cheapest that holds by itself, within its limit: no mix may be dearer. */
static void begin_alone(struct search *s)
{
	for (size_t i = 0; i < s->types->types && !s->failed; i++) {
		const struct mix_trial *t = &s->alone[i];
		int64_t units = (verify_alone(s, i), t->units.of[i]);

		if (s->failed || t->router < 0)
			continue;
		if (units <= s->programme.type[i].units_max &&
		    s->programme.type[i].usd[units] < s->programme.usd_below)
			keep_best(s, t);
	}
	s->rounds = 0;
}

static void run_search(struct search *s, struct mix_fleet *r)
{
	progress_init(&s->progress, "simulating mixes", ROUNDS_MAX, s->types->setup->base.quiet);
	scale_demand(s);
	bool proven = try_in_turn(s);
	while (s->best.router >= 0 && !s->failed && drop_one(s))
		;
	progress_end(&s->progress);
	r->search = xcalloc(1, sizeof *r->search);
	*r->search = (struct mix_search){s->demand, proven, s->rounds, s->simulations};
}

/* ---- results ---- */

static void init_fleet(struct mix_fleet *r)
{
	*r = (struct mix_fleet){.pools = {.size = sizeof(struct mix_pool)},
				.classes = {.size = sizeof(struct mix_class)},
				.gpus_total = RECORD_INT_UNSET,
				.usd_per_hour = NAN,
				.usd_per_1k_requests = NAN,
				.load = NAN,
				.max_rps = NAN};
}

static double share_of(const struct mix_types *m, const struct programme_shares *shares, size_t t)
{
	double share = 0;

	for (size_t c = 0; c < m->classes; c++)
		share += m->class[c].share * shares->of[t][c];
	return share;
}

static void fill_pool(struct mix_pool *p, const struct mix_types *m, const struct mix_trial *t,
		      size_t i)
{
	const struct evaluate_setup *base = &m->setup->base;
	const struct mix_type *type = m->type[i];
	const struct candidate *c = type->side.candidate;
	int tp = type->side.unit.tp;

	*p = (struct mix_pool){.candidate = type->candidate,
			       .gpu = c->shown,
			       .tensor_parallel = tp,
			       .units = t->units.of[i],
			       .count = t->units.of[i] * tp,
			       .share = share_of(m, &t->shares, i)};
	price_book_rent(base->book, &base->scenario->prices, &c->gpu, p->units, tp,
			c->price_override, &p->rental);
	provenance_list(&p->provenance, &base->scenario->engine, &c->gpu, &type->side.unit);
}

static void fill_class(struct mix_class *to, const struct mix_types *m, const struct mix_trial *t,
		       size_t c)
{
	const struct length_class *class = &m->class[c];
	double *fraction = xcalloc(m->types, sizeof *fraction);
	double *each = xcalloc(m->types, sizeof *each);
	size_t n = 0;

	for (size_t i = 0; i < m->types; i++)
		if (t->units.of[i] > 0) {
			fraction[n] = t->shares.of[i][c];
			each[n++] = m->type[i]->of_class[c].max_rps;
		}
	*to = (struct mix_class){.input_min = class->facts.class_min,
				 .input_max = class->facts.class_max < INT64_MAX / 4
						      ? class->facts.class_max
						      : RECORD_INT_UNSET,
				 .share = class->share,
				 .token_share = class->token_share,
				 .rate_rps = class->facts.rate_rps,
				 .fractions = {n, sizeof *fraction, fraction},
				 .max_rps_each = {n, sizeof *each, each}};
}

/* Pools, classes and cost of what was tried. */
static void fill_fleet(struct mix_fleet *r, const struct mix_types *m, const struct mix_trial *t)
{
	struct mix_pool *pool = xcalloc(m->types, sizeof *pool);
	struct mix_class *class = xcalloc(m->classes, sizeof *class);

	r->gpus_total = 0;
	r->usd_per_hour = 0;
	for (size_t i = 0; i < m->types; i++) {
		struct mix_pool *p = &pool[r->pools.count];

		if (t->units.of[i] == 0)
			continue;
		fill_pool(p, m, t, i);
		units_text_add(r->fleet, sizeof r->fleet, p->units, p->tensor_parallel, p->gpu);
		r->gpus_total += p->count;
		r->usd_per_hour += p->rental.usd_per_hour;
		r->pools.count++;
	}
	r->pools.data = pool;
	for (size_t c = 0; c < m->classes; c++)
		fill_class(&class[r->classes.count++], m, t, c);
	r->classes.data = class;
	r->usd_per_1k_requests =
		rental_usd_for(r->usd_per_hour, m->setup->base.scenario->facts.rate_rps, 1e3);
	r->load = t->served ? t->shares.load : (double)NAN;
	if (t->router >= 0)
		r->router = router_kinds[t->router]->name;
	r->certain = t->certain;
	if (t->probe.limits)
		judge_text(r->nearest, &t->probe.found[0]);
}

/* A candidate by itself: the fewest units that hold the load, whatever its limit. */
static void fill_alone(struct mix_fleet *r, const struct search *s, size_t candidate)
{
	const struct mix_types *m = s->types;
	int64_t limit = m->setup->limit[candidate];
	const struct mix_trial *t = NULL;

	r->gpu = m->setup->base.scenario->candidate[candidate].shown;
	r->verdict = VERDICT_CANNOT;
	for (size_t i = 0; i < m->types; i++)
		if (m->type[i]->candidate == candidate && m->type[i]->whole)
			t = &s->alone[i];
	if (!t || t->router < 0) {
		snprintf(r->reason, sizeof r->reason, "%s",
			 t ? "no number of units up to four times the unrounded ratio, or "
			     "1000, holds the load"
			   : m->reason[candidate]);
		return;
	}
	fill_fleet(r, m, t);
	if (r->gpus_total <= limit)
		r->verdict = VERDICT_OK;
	else
		snprintf(r->reason, sizeof r->reason, "%lld hold the load, its limit is %lld",
			 (long long)r->gpus_total, (long long)limit);
}

/* ---- why there is no mix ---- */

#define SAY(r, ...) text_add((r)->reason, sizeof((r)->reason), __VA_ARGS__)

static void say_candidates(struct mix_fleet *r, const struct mix_types *m)
{
	const struct scenario *s = m->setup->base.scenario;

	for (size_t i = 0; i < s->candidates; i++)
		SAY(r, "%s%s: %s", i ? "; " : "", s->candidate[i].shown, m->reason[i]);
}

/* The first class that no type can serve; m->classes: there is none. */
static size_t find_unserved(const struct mix_types *m)
{
	for (size_t c = 0; c < m->classes; c++) {
		bool served = false;

		for (size_t i = 0; i < m->types; i++)
			served |= m->type[i]->capacity_rps[c] > 0;
		if (!served)
			return c;
	}
	return m->classes;
}

/* All that can be had; of a GPU that is of two types the one for all classes. */
static struct programme_units all_units(const struct mix_types *m)
{
	struct programme_units all = {{0}};

	for (size_t i = 0; i < m->types; i++)
		if (i == 0 || m->type[i - 1]->candidate != m->type[i]->candidate)
			all.of[i] = m->type[i]->units_max;
	return all;
}

/* What the limits allow at best, and behind which router. */
static bool hold_all(struct mix_fleet *r, const struct mix_types *m, const struct mix_trial *all,
		     struct diag *d)
{
	struct scenario s = *m->setup->base.scenario;
	struct mix_routers routers = mix_trial_routers(all, &s);
	struct capacity c;
	struct fleet fleet;

	mix_trial_fleet(&fleet, m, all);
	r->max_rps = 0;
	for (size_t i = 0; i < routers.count; i++) {
		struct capacity_setup setup = {
			.fleet = {.scenario = &s,
				  .fleet = &fleet,
				  .replications = m->setup->base.replications,
				  .jobs = m->setup->base.jobs}};

		s.deployment.router = routers.router[i];
		if (!capacity_find(&c, &setup, d))
			return false;
		r->max_rps = fmax(r->max_rps, c.max_rps);
	}
	return true;
}

static bool explain(struct mix_fleet *r, const struct mix_types *m, struct diag *d)
{
	const struct scenario *s = m->setup->base.scenario;
	size_t unserved = find_unserved(m);
	struct programme_units units = all_units(m);
	struct mix_trial all;

	r->verdict = VERDICT_CANNOT;
	if (m->types == 0) {
		say_candidates(r, m);
		return true;
	}
	if (unserved < m->classes) {
		const struct length_class *c = &m->class[unserved];

		SAY(r,
		    "no candidate holds prompts of %lld to %lld tokens at any rate, %.3g %% of "
		    "the requests; %s: %s",
		    (long long)c->facts.class_min, (long long)c->facts.class_max, 100 * c->share,
		    m->type[0]->side.candidate->shown, m->type[0]->of_class[unserved].reason);
		return true;
	}
	mix_trial_begin(&all, m, &units);
	if (!hold_all(r, m, &all, d))
		return false;
	SAY(r, "the limits allow");
	for (size_t i = 0; i < m->types; i++)
		if (all.units.of[i] > 0)
			SAY(r, " %lld %s,", (long long)all.units.of[i] * m->type[i]->side.unit.tp,
			    m->type[i]->side.candidate->shown);
	SAY(r, " which hold %.4g of the %.4g requests/s", r->max_rps, s->facts.rate_rps);
	return true;
}

/* ---- the whole ---- */

static bool find_best(struct search *s, struct mix_fleet *r)
{
	const struct mix_types *m = s->types;

	if (m->types > 0 && find_unserved(m) == m->classes)
		run_search(s, r);
	if (s->failed)
		return false;
	if (s->best.router < 0)
		return explain(r, m, s->diag);
	fill_fleet(r, m, &s->best);
	r->verdict = VERDICT_OK;
	return true;
}

static bool find_all(struct mix *m, const struct mix_types *types, struct diag *d)
{
	struct search s = {.types = types, .best.router = -1, .diag = d};

	mix_type_programme(types, &s.programme);
	s.alone = xcalloc(types->types + 1, sizeof *s.alone);
	begin_alone(&s);
	for (size_t i = 0; !s.failed && i < m->candidates; i++)
		fill_alone(&m->alone[i], &s, i);
	bool fine = !s.failed && find_best(&s, &m->best);
	free(s.alone);
	free(s.programme.cut);
	return fine;
}

bool mix_find(struct mix *m, const struct mix_setup *setup, struct diag *d)
{
	struct mix_types types;
	bool fine = mix_type_find_all(&types, setup, d);

	*m = (struct mix){.candidates = setup->base.scenario->candidates};
	init_fleet(&m->best);
	m->alone = xcalloc(m->candidates, sizeof *m->alone);
	for (size_t i = 0; i < m->candidates; i++)
		init_fleet(&m->alone[i]);
	fine = fine && find_all(m, &types, d);
	mix_type_free_all(&types);
	return fine;
}

static void free_fleet(struct mix_fleet *r)
{
	struct mix_pool *pool = r->pools.data;
	struct mix_class *class = r->classes.data;

	for (size_t i = 0; i < r->pools.count; i++) {
		rental_free(&pool[i].rental);
		provenance_free(&pool[i].provenance);
	}
	for (size_t i = 0; i < r->classes.count; i++) {
		free(class[i].fractions.data);
		free(class[i].max_rps_each.data);
	}
	free(pool);
	free(class);
	free(r->search);
}

void mix_free(struct mix *m)
{
	free_fleet(&m->best);
	for (size_t i = 0; i < m->candidates; i++)
		free_fleet(&m->alone[i]);
	free(m->alone);
	*m = (struct mix){.candidates = 0};
}
