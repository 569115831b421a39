/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

#include <math.h>
#include <stddef.h>

#include "des/rng.h"

const struct router_kind *const router_kinds[] = {
	&router_least_loaded,	   &router_round_robin,	 &router_random, &router_power_of_two,
	&router_capacity_weighted, &router_length_aware, NULL,
};

const char *const router_names[] = {
	"least-loaded",	     "round-robin",  "random",		 "power-of-two",
	"capacity-weighted", "length-aware", "!prefix-affinity", NULL,
};

#define DRAWS 2 /* at most, a request */

int64_t router_draw(uint64_t key, int64_t number, int k, int64_t n)
{
	uint64_t counter = (uint64_t)number * DRAWS + (uint64_t)k;
	return (int64_t)(rng_uniform_at(key, counter) * (double)n);
}

double router_stable_sum(const struct cluster_setup *setup, const double *rate_rps,
			 const double *share)
{
	(void)share;
	double sum = 0;
	for (size_t i = 0; i < setup->pools; i++)
		sum += rate_rps[i];
	return sum;
}

double router_stable_least(const struct cluster_setup *setup, const double *rate_rps,
			   const double *share)
{
	double least = INFINITY;
	for (size_t i = 0; i < setup->pools; i++)
		if (share[i] > 0)
			least = fmin(least, rate_rps[i] / share[i]);
	return least;
}
