/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What serves a load behind one router: units of one kind, or parts of different kinds. */
#ifndef STUDY_FLEET_H
#define STUDY_FLEET_H

#include "study/unit.h"

#define FLEET_PARTS_MAX CLUSTER_POOLS_MAX

/* Equal units; unit and candidate are the caller's. */
struct fleet_part {
	const struct unit *unit;
	const struct candidate *candidate;
	int64_t replicas;
	double unit_rps; /* what one unit serves when saturated; saturation_measure_units() fills it
			  */
};

struct fleet {
	size_t parts;
	struct fleet_part part[FLEET_PARTS_MAX];
	/* Where the length-aware router sends prompts (cluster.h); the caller's. */
	const struct length_route *route;
	size_t routes;
};

/* A fleet of one part. */
struct fleet fleet_of(const struct unit *unit, const struct candidate *candidate, int64_t replicas);

/* Units of all parts together, and their GPUs. */
int64_t fleet_units(const struct fleet *f);
int64_t fleet_gpus(const struct fleet *f);

/* The strongest verdict of its units, and its reason: with the GPU's name if there are others. */
enum verdict fleet_verdict(const struct fleet *f, char reason[512]);

/* Fills the pools of a run. */
void fleet_fill_pools(const struct fleet *f, struct cluster_setup *c);

#endif
