/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/length_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "traffic/length_class.h"

#define CLASSES 256

void length_table_copy(struct length_table *t, const struct record_list *shares)
{
	const struct length_share *from = shares->data;

	t->routes = shares->count;
	t->route = xcalloc(t->routes, sizeof *t->route);
	for (size_t i = 0; i < t->routes; i++) {
		bool last = i + 1 == t->routes;

		t->route[i].input_max = last ? INT64_MAX : from[i].input_max;
		memcpy(t->route[i].share, from[i].shares.data,
		       from[i].shares.count * sizeof(double));
	}
}

void length_table_free(struct length_table *t)
{
	free(t->route);
	*t = (struct length_table){.routes = 0};
}

void length_table_shares(struct record_list *shares, const struct fleet *f)
{
	struct length_share *to = f->routes ? xcalloc(f->routes, sizeof *to) : NULL;
	size_t bytes = f->parts * sizeof(double);

	*shares = (struct record_list){f->routes, sizeof *to, to};
	for (size_t i = 0; i < f->routes; i++) {
		bool last = i + 1 == f->routes;

		to[i].input_max = last ? RECORD_INT_UNSET : f->route[i].input_max;
		to[i].shares = (struct record_list){f->parts, sizeof(double), xmalloc(bytes)};
		memcpy(to[i].shares.data, f->route[i].share, bytes);
	}
}

void length_table_free_shares(struct record_list *shares)
{
	struct length_share *of = shares->data;

	for (size_t i = 0; i < shares->count; i++)
		free(of[i].shares.data);
	free(of);
	*shares = (struct record_list){.count = 0};
}

/* The parts by what one unit serves, equal ones in their order. */
static void order_parts(size_t order[], const struct fleet *f)
{
	for (size_t i = 0; i < f->parts; i++) {
		size_t at = i;

		for (; at > 0 && f->part[order[at - 1]].unit_rps > f->part[i].unit_rps; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* Shares of the fleet's capacity from the weakest part up: part order[i] has [end[i-1], end[i]). */
static void share_capacity(double end[], const size_t order[], const struct fleet *f)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < f->parts; i++)
		all += (double)f->part[i].replicas * f->part[i].unit_rps;
	for (size_t i = 0; i < f->parts; i++) {
		const struct fleet_part *p = &f->part[order[i]];

		sum += (double)p->replicas * p->unit_rps;
		end[i] = sum / all;
	}
	end[f->parts - 1] = 1;
}

/* The parts' shares of the tokens between `low` and `high` of all. */
static void share_class(struct length_route *route, double low, double high, const double end[],
			const size_t order[], size_t parts)
{
	double rest = 1;

	memset(route->share, 0, sizeof route->share);
	for (size_t i = 0; i < parts; i++) {
		double from = fmax(low, i > 0 ? end[i - 1] : 0), to = fmin(high, end[i]);
		double share = fmin(rest, fmax(0, (to - from) / (high - low)));

		if (end[i] >= high || i + 1 == parts)
			share = rest;
		route->share[order[i]] = share;
		rest -= share;
	}
}

static bool is_same_way(const struct length_route *a, const struct length_route *b)
{
	for (size_t i = 0; i < FLEET_PARTS_MAX; i++)
		if (a->share[i] < b->share[i] || a->share[i] > b->share[i])
			return false;
	return true;
}

/* Adds a class, to the one before it where both go the same way. */
static void add_route(struct length_table *t, const struct length_route *route)
{
	struct length_route *before = t->routes > 0 ? &t->route[t->routes - 1] : NULL;

	if (before && is_same_way(before, route))
		before->input_max = route->input_max;
	else
		t->route[t->routes++] = *route;
}

bool length_table_lay(struct length_table *t, const struct fleet *f, const struct scenario *s,
		      struct diag *d)
{
	struct length_class *class = xcalloc(CLASSES, sizeof *class);
	size_t order[FLEET_PARTS_MAX], classes;
	double end[FLEET_PARTS_MAX], low = 0;
	bool good = length_class_divide(&s->traffic, &s->facts, CLASSES, class, &classes, d);

	*t = (struct length_table){.route = xcalloc(CLASSES, sizeof *t->route)};
	order_parts(order, f);
	share_capacity(end, order, f);
	for (size_t i = 0; good && i < classes; i++) {
		double high = low + class[i].token_share;
		struct length_route route = {.input_max = class[i].facts.class_max};

		share_class(&route, low, high, end, order, f->parts);
		add_route(t, &route);
		low = high;
	}
	if (good)
		t->route[t->routes - 1].input_max = INT64_MAX;
	free(class);
	return good;
}
