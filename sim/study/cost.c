/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/cost.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "base/xmalloc.h"
#include "study/unit_count.h"

/* A curve while it is drawn, with what each point needs of its own. */
struct drawing {
	const struct cost_curve *curve;
	struct cost_point *point;
	struct replace_side *result;
	struct side *side;
};

static void price_point(struct cost_point *p, const struct side *s)
{
	const struct evaluate_setup *base = s->base;
	struct rental rental;

	price_book_rent(base->book, &base->scenario->prices, &s->candidate->gpu, p->units,
			s->unit.tp, s->candidate->price_override, &rental);
	p->usd_per_hour = rental.usd_per_hour;
	p->usd_per_1k_requests = rental_usd_for(rental.usd_per_hour, p->rate_rps, 1e3);
	rental_free(&rental);
}

static void begin_point(struct cost_point *p, const struct side *s, double rate_rps)
{
	*p = (struct cost_point){.candidate = s->result->candidate,
				 .gpu = s->result->gpu,
				 .rate_rps = rate_rps,
				 .usd_per_hour = NAN,
				 .usd_per_1k_requests = NAN};
}

static void fill_point(size_t i, void *arg)
{
	struct drawing *d = arg;
	const struct cost_curve *c = d->curve;
	const struct side *settled = &c->side[i / COST_RATES];
	struct cost_point *p = &d->point[i];
	struct side *s = &d->side[i];
	size_t step = i % COST_RATES + 1;
	struct unit_count_setup wanted = {
		.rate_rps = c->full_rps * (double)step / COST_RATES,
		/* No probe is longer than `auto`: a point is one of twenty. */
		.requests_max = slo_auto_requests(&settled->base->scenario->slo)};
	struct unit_count count;

	begin_point(p, settled, wanted.rate_rps);
	if (settled->result->verdict != VERDICT_OK)
		return;
	*s = *settled;
	s->result = &d->result[i];
	s->jobs = 1; /* points are what runs side by side */
	count.units = settled->result->units;
	if (step < COST_RATES)
		unit_count_find(&count, s, &wanted);
	p->units = count.units;
	p->holds = p->units > 0;
	p->count = p->units * s->unit.tp;
}

/* Prices a side's points from the highest rate down: a fleet that holds a rate holds a lower one,
 * whatever the luck of a probe. */
static void finish_side(struct cost_point *point, const struct side *s)
{
	for (int i = COST_RATES; i-- > 0;) {
		struct cost_point *p = &point[i], *above = p + 1;

		if (i + 1 < COST_RATES && above->holds && (!p->holds || p->units > above->units)) {
			p->holds = true;
			p->units = above->units;
			p->count = above->count;
		}
		if (p->holds)
			price_point(p, s);
	}
}

static void step_on(size_t count, void *arg)
{
	const struct cost_curve *c = ((struct drawing *)arg)->curve;

	progress_step(c->progress, c->done + count);
}

void cost_curve_fill(const struct cost_curve *c, struct cost_point *point)
{
	size_t points = c->sides * COST_RATES;
	struct drawing d = {.curve = c, .point = point};

	d.result = xcalloc(points, sizeof *d.result);
	d.side = xcalloc(points, sizeof *d.side);
	parallel_for(points, c->jobs, fill_point, step_on, &d);
	for (size_t i = points; i-- > 0;)
		if (d.side[i].failed) {
			c->side[i / COST_RATES].failed = true;
			c->side[i / COST_RATES].diag = d.side[i].diag;
		}
	for (size_t i = 0; i < c->sides; i++)
		finish_side(point + i * COST_RATES, &c->side[i]);
	free(d.result);
	free(d.side);
}
