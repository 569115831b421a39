/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router.h"

#include <string.h>

#include "serve/router_kind.h"

static void arrive(struct station *station, const struct passage *p, tick now)
{
	struct router *r = (struct router *)station;
	station_arrive(r->unit[r->how->pick(r, &p->request)], p, now);
}

static const struct station_kind kind = {.name = "router", .arrive = arrive};

void router_init(struct router *r, const struct cluster_setup *setup, struct station **unit,
		 uint64_t key)
{
	memset(r, 0, sizeof(*r));
	r->station.kind = &kind;
	r->how = router_kinds[setup->router];
	r->setup = setup;
	r->unit = unit;
	for (size_t i = 0; i < setup->pools; i++)
		r->units += setup->pool[i].replicas;
	r->key = key;
}
