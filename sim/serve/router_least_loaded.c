/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

static int64_t pick(struct router *r, int64_t number)
{
	(void)number;
	int64_t best = 0, least = router_load(r, 0);
	for (int64_t unit = 1; unit < r->units && least > 0; unit++) {
		int64_t load = router_load(r, unit);
		if (load < least) {
			best = unit;
			least = load;
		}
	}
	return best;
}

const struct router_kind router_least_loaded = {
	"least-loaded",
	"the unit with the fewest requests routed and not finished",
	pick,
};
