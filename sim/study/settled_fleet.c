/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/settled_fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "serve/router_kind.h"
#include "study/saturation.h"

static void add_part(struct settled_fleet *f, const struct scenario *s, const struct candidate *c,
		     int64_t replicas, int tp)
{
	struct unit *u = &f->unit[f->fleet.parts];

	unit_init(u, s, c, tp);
	f->fleet.part[f->fleet.parts++] = (struct fleet_part){u, c, replicas, 1};
}

static void add_parts(struct settled_fleet *f, const struct evaluate_setup *setup, size_t index)
{
	const struct scenario *s = setup->scenario;

	f->unit = xcalloc(s->pools ? s->pools : 1, sizeof *f->unit);
	for (size_t i = 0; i < s->pools; i++)
		add_part(f, s, &s->pool[i].candidate, s->pool[i].replicas,
			 (int)s->pool[i].tensor_parallel);
	if (!s->pools)
		add_part(f, s, &s->candidate[index],
			 setup->replicas ? setup->replicas : s->deployment.replicas,
			 setup->tp ? setup->tp : (int)s->deployment.tensor_parallel);
}

/* Where no unit serves anything, all are alike. */
static bool measure_weights(struct fleet *f, const struct scenario *s, struct diag *d)
{
	double sum = 0;

	if (!saturation_measure_units(f, s, d))
		return false;
	for (size_t i = 0; i < f->parts; i++)
		sum += f->part[i].unit_rps;
	for (size_t i = 0; i < f->parts && !(sum > 0); i++)
		f->part[i].unit_rps = 1;
	return true;
}

static bool inform_router(struct settled_fleet *f, const struct scenario *s, struct diag *d)
{
	const struct router_kind *router = router_kinds[s->deployment.router];
	const struct record_list *shares = &s->deployment.length_shares;
	bool by_length = router == &router_length_aware;

	if (f->fleet.parts < 2 || !(by_length || router == &router_capacity_weighted))
		return true;
	if (by_length && shares->count)
		length_table_copy(&f->table, shares);
	else if (!measure_weights(&f->fleet, s, d) ||
		 (by_length && !length_table_lay(&f->table, &f->fleet, s, d)))
		return false;
	f->fleet.route = f->table.route;
	f->fleet.routes = f->table.routes;
	return true;
}

bool settled_fleet_init(struct settled_fleet *f, const struct evaluate_setup *setup, size_t index,
			struct diag *d)
{
	memset(f, 0, sizeof *f);
	add_parts(f, setup, index);
	f->verdict = fleet_verdict(&f->fleet, f->reason);
	return f->verdict != VERDICT_OK || inform_router(f, setup->scenario, d);
}

void settled_fleet_free(struct settled_fleet *f)
{
	for (size_t i = 0; i < f->fleet.parts; i++)
		unit_free(&f->unit[i]);
	free(f->unit);
	length_table_free(&f->table);
}
