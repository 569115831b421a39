/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit of a fleet: one GPU or one tensor-parallel group, settled for a scenario's model,
 * precision and engine. */
#ifndef STUDY_UNIT_H
#define STUDY_UNIT_H

#include "roofline/memory.h"
#include "scenario/scenario.h"
#include "serve/cluster.h"

enum verdict {
	VERDICT_OK,
	VERDICT_SLO_MISSED,
	VERDICT_OVERLOADED,
	VERDICT_DOES_NOT_FIT,
	VERDICT_UNSUPPORTED,
	VERDICT_CANNOT
};
extern const char *const verdict_names[];

/* A unit: one GPU or one tensor-parallel group, settled. Owns its step cost. */
struct unit {
	struct precision_use precision;
	struct memory_plan memory;
	struct step_cost cost;
	struct replica_setup replica;
	int tp;
	enum verdict verdict; /* OK, DOES_NOT_FIT or UNSUPPORTED */
	char reason[512];
};
/* Settles precision, limits, memory and step cost of candidate g at degree tp. */
void unit_init(struct unit *u, const struct scenario *s, const struct candidate *g, int tp);
void unit_free(struct unit *u);

#endif
