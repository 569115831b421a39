/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A station that holds nothing: it passes each request to one of its units at once. */
#ifndef SERVE_ROUTER_H
#define SERVE_ROUTER_H

#include "serve/cluster.h"
#include "serve/station.h"

struct router {
	struct station station;
	const struct router_kind *how;
	const struct cluster_setup *setup;
	struct station **unit;
	int64_t units;
	uint64_t key; /* of its random stream */
	int64_t turn; /* round-robin: the next unit */
};

/* The setup's kind of router. The units, of its pools in order, and the setup are the caller's. */
void router_init(struct router *r, const struct cluster_setup *setup, struct station **unit,
		 uint64_t key);

static inline int64_t router_load(const struct router *r, int64_t unit)
{
	return r->unit[unit]->kind->load(r->unit[unit]);
}

#endif
