/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/perturb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_cdf.h>

#include "base/parallel.h"
#include "base/xmalloc.h"

/* One run: constant `which` moved up or down; the first run moves none. */
struct move {
	size_t which;
	int way; /* +1, -1; 0: none */
	double ln[PERTURB_FIGURES];
};

struct job {
	const struct perturb_setup *setup;
	struct move *move;
	size_t moves;
};

static bool is_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* By name; what has no owner's name by its place. */
static bool is_same(const struct constant *a, const struct constant *b)
{
	return a->of == b->of && is_text(a->key, b->key) && is_text(a->sub, b->sub) &&
	       (a->owner ? is_text(a->owner, b->owner) : is_text(a->path, b->path));
}

static bool is_first(const struct constants *c, size_t which)
{
	for (size_t i = 0; i < which; i++)
		if (is_same(&c->constant[i], &c->constant[which]))
			return false;
	return true;
}

static struct scenario *copy_scenario(const struct perturb_setup *setup, struct constants *c)
{
	struct scenario *s = constants_scenario(setup->scenario);

	if (setup->tp)
		s->deployment.tensor_parallel = setup->tp;
	constants_list(c, s, setup->index);
	return s;
}

/* A standard deviation up or down, within the bounds. */
static double moved(const struct constant *c, int way)
{
	const struct figure *f = c->figure;
	double sigma = figure_sigma(f);
	double to = f->value > 0 ? f->value * exp(way * sigma / f->value) : f->value + way * sigma;

	return fmin(fmax(to, fmin(c->low, f->value)), fmax(c->high, f->value));
}

static bool has_room(const struct constant *c)
{
	return moved(c, 1) < c->high;
}

static void add_move(struct job *j, size_t which, int way)
{
	j->move = xrealloc(j->move, (j->moves + 1) * sizeof *j->move);
	j->move[j->moves++] = (struct move){.which = which, .way = way};
}

static void plan(struct job *j, const struct constants *c)
{
	add_move(j, 0, 0);
	for (size_t i = 0; i < c->n; i++) {
		const struct constant *one = &c->constant[i];

		if (!is_first(c, i) || !(figure_sigma(one->figure) > 0))
			continue;
		if (j->setup->both || has_room(one))
			add_move(j, i, 1);
		if (j->setup->both || !has_room(one))
			add_move(j, i, -1);
	}
}

static void run_move(size_t i, void *arg)
{
	struct job *j = arg;
	struct move *m = &j->move[i];
	struct constants c;
	struct scenario *s = copy_scenario(j->setup, &c);

	for (size_t k = m->which; m->way && k < c.n; k++)
		if (k > m->which && is_same(&c.constant[k], &c.constant[m->which]))
			c.constant[k].figure->value = moved(&c.constant[k], m->way);
	if (m->way)
		c.constant[m->which].figure->value = moved(&c.constant[m->which], m->way);
	j->setup->measure(s, m->ln, j->setup->arg);
	constants_free(&c);
	constants_scenario_del(s);
}

static void keep_effect(struct perturb *p, const struct constant *c, const struct move *m,
			const struct move *still, bool both)
{
	struct perturb_effect *last = p->n ? &p->effect[p->n - 1] : NULL;

	if (!last || !is_text(last->path, c->path)) {
		p->effect = xrealloc(p->effect, (p->n + 1) * sizeof *p->effect);
		last = &p->effect[p->n++];
		*last = (struct perturb_effect){.key = c->key,
						.sub = c->sub,
						.owner = c->owner,
						.path = xstrdup(c->path),
						.of = c->of,
						.origin = c->figure->origin};
	}
	for (int f = 0; f < PERTURB_FIGURES; f++) {
		double change = m->ln[f] - still->ln[f];

		change = isnan(change) ? 0 : change;
		if (!both || m->way > 0)
			last->up[f] = m->way * change;
		if (!both || m->way < 0)
			last->down[f] = both ? change : -m->way * change;
	}
}

void perturb_run(struct perturb *p, const struct perturb_setup *setup)
{
	struct job j = {.setup = setup};
	struct constants c;
	struct scenario *s = copy_scenario(setup, &c);

	*p = (struct perturb){0};
	plan(&j, &c);
	if (j.moves > 1)
		parallel_for(j.moves, setup->jobs, run_move, NULL, &j);
	for (size_t i = 1; i < j.moves; i++)
		keep_effect(p, &c.constant[j.move[i].which], &j.move[i], &j.move[0], setup->both);
	free(j.move);
	constants_free(&c);
	constants_scenario_del(s);
}

void perturb_free(struct perturb *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->effect[i].path);
	free(p->effect);
	*p = (struct perturb){0};
}

static struct constant constant_of(const struct perturb_effect *e)
{
	return (struct constant){
		.path = e->path, .key = e->key, .sub = e->sub, .owner = e->owner, .of = e->of};
}

static struct perturb_effect *find(const struct perturb *p, const struct perturb_effect *e)
{
	const struct constant wanted = constant_of(e);

	for (size_t i = 0; i < p->n; i++) {
		const struct constant c = constant_of(&p->effect[i]);

		if (is_same(&c, &wanted))
			return &p->effect[i];
	}
	return NULL;
}

static struct perturb_effect *add(struct perturb *p, const struct perturb_effect *e)
{
	struct perturb_effect new = *e;

	memset(new.up, 0, sizeof new.up);
	memset(new.down, 0, sizeof new.down);
	new.path = xstrdup(e->path);
	p->effect = xrealloc(p->effect, (p->n + 1) * sizeof *p->effect);
	p->effect[p->n] = new;
	return &p->effect[p->n++];
}

static void add_times(struct perturb *sum, const struct perturb *p, double times)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct perturb_effect *e = &p->effect[i];
		struct perturb_effect *to = find(sum, e);

		to = to ? to : add(sum, e);
		for (int f = 0; f < PERTURB_FIGURES; f++) {
			to->up[f] += times * e->up[f];
			to->down[f] += times * e->down[f];
		}
	}
}

void perturb_subtract(struct perturb *difference, const struct perturb *a, const struct perturb *b)
{
	*difference = (struct perturb){0};
	add_times(difference, a, 1);
	add_times(difference, b, -1);
}

/* What one constant adds on a side of the interval, in ln(value). */
static double reach(const struct perturb_effect *e, int figure, int side)
{
	return fmax(0, fmax(side * e->up[figure], side * e->down[figure]));
}

static double half(const struct perturb *p, int figure, int side)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += pow(reach(&p->effect[i], figure, side), 2);
	return gsl_cdf_ugaussian_Pinv((1 + PERTURB_LEVEL) / 2) * sqrt(sum);
}

struct interval perturb_interval(const struct perturb *p, int figure, double value)
{
	return (struct interval){value * exp(-half(p, figure, -1)),
				 value * exp(half(p, figure, 1))};
}

static double square(const struct perturb_effect *e)
{
	double sum = 0;

	for (int f = 0; f < PERTURB_FIGURES; f++)
		sum += pow(reach(e, f, 1), 2) + pow(reach(e, f, -1), 2);
	return sum;
}

double perturb_largest(const struct perturb *p, char name[96])
{
	double all = 0, most = 0;

	name[0] = '\0';
	for (size_t i = 0; i < p->n; i++) {
		const struct perturb_effect *e = &p->effect[i];

		all += square(e);
		if (!(square(e) > most))
			continue;
		most = square(e);
		snprintf(name, 96, "%s%s%s (%s)", e->key, e->owner ? " of " : "",
			 e->owner ? e->owner : "", origin_names[e->origin]);
	}
	if (isinf(most))
		return 1;
	return most > 0 ? most / all : (double)NAN;
}
