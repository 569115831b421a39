/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fixture whose candidates become the pools of one fleet. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_POOLS_H
#define TESTS_UNIT_STUDY_FIXTURE_POOLS_H

#include "serve/router_kind.h"
#include "unit/study/fixture.h"

struct fixture_pools {
	struct fixture f;
	struct pool pool[4];
	struct candidate whole; /* stands for all */
};

static inline int fixture_router(const struct router_kind *kind)
{
	int router = 0;

	while (router_kinds[router] != kind)
		router++;
	return router;
}

/* Of candidate i replicas[i] units; a dollar an hour each, i dollars more for candidate i. */
static inline void fixture_pools_init(struct fixture_pools *p, const char *const *gpus,
				      const int64_t *replicas, const struct router_kind *router,
				      const char *traffic, const char *slo)
{
	struct scenario *s = &p->f.s;

	fixture_init(&p->f, "llama-3.1-8b", gpus, traffic, slo);
	memset(p->pool, 0, sizeof p->pool);
	for (size_t i = 0; i < s->candidates; i++) {
		p->pool[i] = (struct pool){.replicas = replicas[i],
					   .tensor_parallel = 1,
					   .pipeline_parallel = 1,
					   .candidate = p->f.candidate[i]};
		p->pool[i].candidate.price_override = 1 + (double)i;
	}
	s->pools = s->candidates;
	s->pool = p->pool;
	s->deployment.router = fixture_router(router);
	memset(&p->whole, 0, sizeof p->whole);
	p->whole.shown = "all";
	s->candidate = &p->whole;
}

static inline void fixture_pools_free(struct fixture_pools *p)
{
	fixture_free(&p->f);
}

#endif
