/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

int64_t router_least_of(const struct router *r, int64_t from, int64_t to)
{
	int64_t best = from, least = router_load(r, from);
	for (int64_t unit = from + 1; unit < to && least > 0; unit++) {
		int64_t load = router_load(r, unit);
		if (load < least) {
			best = unit;
			least = load;
		}
	}
	return best;
}

static int64_t pick(struct router *r, const struct request *q)
{
	(void)q;
	return router_least_of(r, 0, r->units);
}

const struct router_kind router_least_loaded = {
	"least-loaded",
	"the unit with the fewest requests routed and not finished",
	pick,
	router_stable_sum,
};
