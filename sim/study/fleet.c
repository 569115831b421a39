/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/fleet.h"

#include <stdio.h>

struct fleet fleet_of(const struct unit *unit, const struct candidate *candidate, int64_t replicas)
{
	return (struct fleet){.parts = 1, .part = {{unit, candidate, replicas, 1}}};
}

int64_t fleet_units(const struct fleet *f)
{
	int64_t units = 0;

	for (size_t i = 0; i < f->parts; i++)
		units += f->part[i].replicas;
	return units;
}

int64_t fleet_gpus(const struct fleet *f)
{
	int64_t gpus = 0;

	for (size_t i = 0; i < f->parts; i++)
		gpus += f->part[i].replicas * f->part[i].unit->tp;
	return gpus;
}

enum verdict fleet_verdict(const struct fleet *f, char reason[512])
{
	enum verdict verdict = VERDICT_OK;

	reason[0] = '\0';
	for (size_t i = 0; i < f->parts; i++) {
		const struct unit *u = f->part[i].unit;

		if (u->verdict <= verdict)
			continue;
		verdict = u->verdict;
		if (f->parts == 1)
			snprintf(reason, 512, "%s", u->reason);
		else
			snprintf(reason, 512, "%s: %.440s", f->part[i].candidate->shown, u->reason);
	}
	return verdict;
}

void fleet_fill_pools(const struct fleet *f, struct cluster_setup *c)
{
	c->pools = f->parts;
	for (size_t i = 0; i < f->parts; i++)
		c->pool[i] = (struct cluster_pool){.replica = f->part[i].unit->replica,
						   .replicas = f->part[i].replicas,
						   .weight = f->part[i].unit_rps};
	c->route = f->route;
	c->routes = f->routes;
}
