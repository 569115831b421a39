/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fleet with what it stands on: its units settled, and what its router has to know. */
#ifndef STUDY_SETTLED_FLEET_H
#define STUDY_SETTLED_FLEET_H

#include "study/evaluate.h"
#include "study/length_table.h"

struct settled_fleet {
	struct fleet fleet;
	struct unit *unit; /* by part */
	struct length_table table;
	enum verdict verdict; /* OK, DOES_NOT_FIT or UNSUPPORTED: the strongest of its units */
	char reason[512];
};

/*
 * The fleet of candidate `index`, with the setup's replicas and tp, or of the scenario's pools. Of
 * pools that all fit, the weights of capacity-weighted and the table of length-aware are made by
 * simulating a unit of each. False with d filled if a trace failed; to be freed in either case.
 */
bool settled_fleet_init(struct settled_fleet *f, const struct evaluate_setup *setup, size_t index,
			struct diag *d);
void settled_fleet_free(struct settled_fleet *f);

#endif
