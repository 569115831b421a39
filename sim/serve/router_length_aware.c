/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bug.h"
#include "des/rng.h"
#include "serve/router_kind.h"

/* The pool that u, uniform in (0, 1), falls into. */
static size_t draw(const struct length_route *route, size_t pools, double u)
{
	size_t last = 0;
	for (size_t i = 0; i < pools; i++) {
		if (route->share[i] > 0)
			last = i;
		u -= route->share[i];
		if (u < 0)
			return i;
	}
	return last; /* the shares sum to 1 but for rounding */
}

static size_t pool_of(const struct router *r, const struct request *q)
{
	const struct cluster_setup *setup = r->setup;
	if (setup->pools == 1)
		return 0;
	const struct length_route *route = setup->route, *end = route + setup->routes;
	while (route < end && q->input_tokens > route->input_max)
		route++;
	BUG_IF(route == end);
	return draw(route, setup->pools, rng_uniform_at(r->key, (uint64_t)q->number));
}

static int64_t pick(struct router *r, const struct request *q)
{
	const struct cluster_pool *pool = r->setup->pool;
	const struct cluster_pool *chosen = pool + pool_of(r, q);
	int64_t from = 0;
	for (; pool < chosen; pool++)
		from += pool->replicas;
	return router_least_of(r, from, from + chosen->replicas);
}

const struct router_kind router_length_aware = {
	"length-aware",
	"the least loaded unit of the pool that takes prompts of this length",
	pick,
	router_stable_least,
};
