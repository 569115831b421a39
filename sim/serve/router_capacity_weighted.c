/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bug.h"
#include "serve/router_kind.h"

/* With equal weights this is the least loaded, to the tie. */
static int64_t pick(struct router *r, const struct request *q)
{
	(void)q;
	int64_t best = -1, unit = 0;
	double least = INFINITY;
	for (const struct cluster_pool *p = r->setup->pool; unit < r->units; p++)
		for (int64_t end = unit + p->replicas; unit < end; unit++) {
			double load = (double)(router_load(r, unit) + 1) / p->weight;
			if (load < least) {
				best = unit;
				least = load;
			}
		}
	BUG_IF(best < 0);
	return best;
}

const struct router_kind router_capacity_weighted = {
	"capacity-weighted",
	"the unit with the fewest requests, this one with them, for its capacity",
	pick,
	router_stable_sum,
};
