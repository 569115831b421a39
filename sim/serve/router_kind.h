/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a router chooses a unit for a request. A new kind is a file and a line in router_kinds[]. */
#ifndef SERVE_ROUTER_KIND_H
#define SERVE_ROUTER_KIND_H

#include "serve/router.h"

struct router_kind {
	const char *name, *help;
	/* Index of the unit that request `number` goes to. */
	int64_t (*pick)(struct router *r, int64_t number);
};

extern const struct router_kind router_round_robin, router_random, router_least_loaded,
	router_power_of_two;
/* All of them, NULL-terminated. */
extern const struct router_kind *const router_kinds[];
/* Their names for a field's choices, in the same order, then those that are not built yet. */
extern const char *const router_names[];

/* The k-th uniform choice among n for request `number`: the same for every fleet of n. */
int64_t router_draw(uint64_t key, int64_t number, int k, int64_t n);

#endif
