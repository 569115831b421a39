/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/mix_trial.h"

#include "base/parallel.h"
#include "base/wide.h"
#include "serve/router_kind.h"
#include "study/saturation.h"

#define TIMES 4 /* an undecided probe is repeated with twice the requests, up to so many times */

static void add_router(struct mix_routers *r, const struct router_kind *kind)
{
	int router = 0;

	while (router_kinds[router] != kind)
		router++;
	for (size_t i = 0; i < r->count; i++)
		if (r->router[i] == router)
			return;
	r->router[r->count++] = router;
}

struct mix_routers mix_trial_routers(const struct mix_trial *t, const struct scenario *s)
{
	const struct router_kind *own = router_kinds[s->deployment.router];
	struct mix_routers r = {.count = 0};

	if (own != &router_length_aware || t->parts == 1 || t->served)
		add_router(&r, own);
	if (t->parts > 1)
		add_router(&r, &router_capacity_weighted);
	if (t->parts > 1 && t->served)
		add_router(&r, &router_length_aware);
	return r;
}

/* The fractions of class c over the parts that there are. */
static void fill_route(struct length_route *route, const struct mix_types *m,
		       const struct mix_trial *t, size_t c)
{
	size_t part = 0;

	*route = (struct length_route){.input_max = c + 1 < m->classes ? m->class[c].facts.class_max
								       : INT64_MAX};
	for (size_t i = 0; i < m->types; i++)
		if (t->units.of[i] > 0)
			route->share[part++] = t->shares.of[i][c];
}

void mix_trial_begin(struct mix_trial *t, const struct mix_types *m,
		     const struct programme_units *units)
{
	struct programme p;

	*t = (struct mix_trial){.units = *units, .router = -1};
	mix_type_programme(m, &p);
	for (size_t i = 0; i < m->types; i++)
		t->parts += units->of[i] > 0;
	t->served = programme_share(&p, units, &t->shares);
	for (size_t c = 0; c < m->classes; c++)
		fill_route(&t->route[c], m, t, c);
}

void mix_trial_fleet(struct fleet *f, const struct mix_types *m, const struct mix_trial *t)
{
	*f = (struct fleet){.route = t->route, .routes = m->classes};
	for (size_t i = 0; i < m->types; i++)
		if (t->units.of[i] > 0)
			f->part[f->parts++] = (struct fleet_part){
				&m->type[i]->side.unit, m->type[i]->side.candidate, t->units.of[i],
				m->type[i]->unit_rps};
}

/* One composition behind several routers, side by side. */
struct trials {
	const struct mix_types *types;
	const struct fleet *fleet;
	struct mix_routers routers;
	struct probe probe[MIX_ROUTERS_MAX];
	bool certain[MIX_ROUTERS_MAX];
	int simulations[MIX_ROUTERS_MAX];
	struct diag diag[MIX_ROUTERS_MAX];
};

/* A queue that grows without bound breaks a TTFT in time, but no TPOT. */
static bool check_saturation(struct trials *all, size_t i, const struct scenario *s)
{
	struct saturation sat;

	all->simulations[i]++;
	if (!saturation_measure(&sat, s, all->fleet, &all->diag[i]))
		return false;
	if (s->facts.rate_rps > CAPACITY_SHARE * sat.rps) {
		all->probe[i].holds = false;
		all->probe[i].overloaded = true;
	}
	return true;
}

/* Looks until the interval tells. */
static bool decide(struct trials *all, size_t i, const struct probe_setup *setup)
{
	double rate = setup->scenario->facts.rate_rps;
	int64_t most = probe_most_requests(setup, rate), requests = probe_base_requests(setup);
	struct probe *p = &all->probe[i];

	all->certain[i] = true;
	if (!traffic_is_terminating(&setup->scenario->traffic)) {
		all->simulations[i]++;
		if (!probe_scout(p, setup, rate, &all->diag[i]))
			return false;
		if (probe_is_far(p))
			return true;
	}
	for (int k = 0; k < TIMES; k++, requests *= 2) {
		all->simulations[i]++;
		if (!probe_look(p, setup, rate, min64(requests, most), &all->diag[i]))
			return false;
		all->certain[i] = probe_is_decided(p, setup);
		if (all->certain[i] || requests >= most)
			break;
	}
	return true;
}

static void simulate(size_t i, void *arg)
{
	struct trials *all = arg;
	const struct evaluate_setup *base = &all->types->setup->base;
	struct scenario s = *base->scenario;
	struct probe_setup setup = {
		.scenario = &s, .fleet = all->fleet, .replications = base->replications, .jobs = 1};

	s.deployment.router = all->routers.router[i];
	diag_init(&all->diag[i]);
	if (decide(all, i, &setup) && all->probe[i].holds)
		check_saturation(all, i, &s);
}

static double excess(const struct probe *p)
{
	return p->limits ? p->found[0].excess : 0;
}

/* The first router that holds; of none that does the probe that comes nearest. */
static void choose(struct mix_trial *t, const struct trials *all)
{
	for (size_t i = 0; i < all->routers.count; i++) {
		const struct probe *p = &all->probe[i];

		t->simulations += all->simulations[i];
		if (t->router >= 0 || (i > 0 && !p->holds && excess(p) >= excess(&t->probe)))
			continue;
		t->probe = *p;
		t->certain = all->certain[i];
		if (p->holds)
			t->router = all->routers.router[i];
	}
}

bool mix_trial_run(struct mix_trial *t, const struct mix_types *m,
		   const struct programme_units *units, struct diag *d)
{
	struct trials all = {.types = m};
	struct fleet fleet;

	mix_trial_begin(t, m, units);
	if (t->parts == 0)
		return true;
	mix_trial_fleet(&fleet, m, t);
	all.fleet = &fleet;
	all.routers = mix_trial_routers(t, m->setup->base.scenario);
	parallel_for(all.routers.count, m->setup->base.jobs, simulate, NULL, &all);
	for (size_t i = 0; i < all.routers.count; i++)
		if (all.diag[i].set) {
			*d = all.diag[i];
			return false;
		}
	choose(t, &all);
	return true;
}
