/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "serve/router_kind.h"

/* Two distinct units; the lower index wins a tie. */
static int64_t pick(struct router *r, const struct request *q)
{
	if (r->units == 1)
		return 0;
	int64_t x = router_draw(r->key, q->number, 0, r->units);
	int64_t y = router_draw(r->key, q->number, 1, r->units - 1);
	y += y >= x;
	int64_t low = x < y ? x : y, high = x < y ? y : x;
	return router_load(r, high) < router_load(r, low) ? high : low;
}

static bool is_slower(const struct cluster_setup *setup, const double *rate_rps, size_t a, size_t b)
{
	double x = rate_rps[a] / (double)setup->pool[a].replicas;
	double y = rate_rps[b] / (double)setup->pool[b].replicas;
	return x < y || (x == y && a <= b);
}

/*
 * Of n units any s are both of a draw with probability s(s-1)/(n(n-1)) and must hold what that
 * sends them (Foss and Chernova, "On the stability of a partially accessible multi-station queue",
 * 1998): the slowest s bind, and of equal units all or none.
 */
static double stable_rps(const struct cluster_setup *setup, const double *rate_rps,
			 const double *share)
{
	double all = 0, least = router_stable_sum(setup, rate_rps, share);
	for (size_t i = 0; i < setup->pools; i++)
		all += (double)setup->pool[i].replicas;
	for (size_t i = 0; i < setup->pools; i++) {
		double units = 0, rate = 0;
		for (size_t j = 0; j < setup->pools; j++)
			if (is_slower(setup, rate_rps, j, i)) {
				units += (double)setup->pool[j].replicas;
				rate += rate_rps[j];
			}
		if (units > 1)
			least = fmin(least, rate * all * (all - 1) / (units * (units - 1)));
	}
	return least;
}

const struct router_kind router_power_of_two = {
	"power-of-two",
	"the less loaded of two units drawn by request number",
	pick,
	stable_rps,
};
