/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a router chooses a unit for a request. A new kind is a file and a line in router_kinds[]. */
#ifndef SERVE_ROUTER_KIND_H
#define SERVE_ROUTER_KIND_H

#include "serve/router.h"

struct router_kind {
	const char *name, *help;
	/* Index of the unit that the request goes to; of its lengths a router knows the prompt's.
	 */
	int64_t (*pick)(struct router *r, const struct request *q);
	/* The rate beyond which a queue grows without bound [requests/s], of pools that serve
	 * rate_rps[] when saturated and were sent share[] of the requests. */
	double (*stable_rps)(const struct cluster_setup *setup, const double *rate_rps,
			     const double *share);
};

extern const struct router_kind router_round_robin, router_random, router_least_loaded,
	router_power_of_two, router_capacity_weighted, router_length_aware;
/* All of them, NULL-terminated. */
extern const struct router_kind *const router_kinds[];
/* Their names for a field's choices, in the same order, then those that are not built yet. */
extern const char *const router_names[];

/* The least loaded of units [from, to), ties to the lowest index. */
int64_t router_least_of(const struct router *r, int64_t from, int64_t to);

/* stable_rps of routers that send requests where there is room, and of those that do not look. */
double router_stable_sum(const struct cluster_setup *setup, const double *rate_rps,
			 const double *share);
double router_stable_least(const struct cluster_setup *setup, const double *rate_rps,
			   const double *share);

/* The k-th uniform choice among n for request `number`: the same for every fleet of n. */
int64_t router_draw(uint64_t key, int64_t number, int k, int64_t n);

#endif
