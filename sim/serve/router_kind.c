/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

#include <stddef.h>

#include "des/rng.h"

const struct router_kind *const router_kinds[] = {
	&router_least_loaded, &router_round_robin, &router_random, &router_power_of_two, NULL,
};

const char *const router_names[] = {
	"least-loaded",	      "round-robin",   "random",	   "power-of-two",
	"!capacity-weighted", "!length-aware", "!prefix-affinity", NULL,
};

#define DRAWS 2 /* at most, a request */

int64_t router_draw(uint64_t key, int64_t number, int k, int64_t n)
{
	uint64_t counter = (uint64_t)number * DRAWS + (uint64_t)k;
	return (int64_t)(rng_uniform_at(key, counter) * (double)n);
}
