/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random scenario through the simulator of sim/: its structs filled from the reference's. */
#ifndef TESTS_REFERENCE_SIMULATED_H
#define TESTS_REFERENCE_SIMULATED_H

#include "random_scenario.h"

#include "roofline/llm_cost.h"
#include "serve/cluster.h"

struct simulated {
	struct random_scenario *scenario;
	struct model model;
	struct gpu gpu[2]; /* of the kinds of replicas */
	struct engine_cost engine[2];
	struct step_cost cost[2];
	struct length_route route[2];
	struct cluster_setup setup;
	struct feed feed;
	int64_t fed; /* requests handed out so far */
};

/* The scenario's choices of random routers become the simulator's own draws. */
void simulated_init(struct simulated *s, struct random_scenario *scenario);
void simulated_free(struct simulated *s);
/* stride as in replica_setup. */
void simulated_run(struct simulated *s, int64_t stride, struct tally *tally);

#endif
