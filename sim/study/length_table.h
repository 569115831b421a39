/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the length-aware router: which pools of a mixed fleet take prompts of which lengths
 * (docs/model.md, "Routers and mixed fleets"). */
#ifndef STUDY_LENGTH_TABLE_H
#define STUDY_LENGTH_TABLE_H

#include "study/fleet.h"

struct length_table {
	struct length_route *route;
	size_t routes;
};

/* The scenario's own, deployment.length_shares. */
void length_table_copy(struct length_table *t, const struct record_list *shares);

/*
 * Parts in order of what one unit serves (unit_rps), prompts from short to long laid over them so
 * that each part's share of the tokens is its share of the fleet's capacity. A class of lengths
 * that falls between two parts, 1/256 of the tokens where lengths are that fine, is drawn for.
 * False with d filled if a trace failed.
 */
bool length_table_lay(struct length_table *t, const struct fleet *f, const struct scenario *s,
		      struct diag *d);
void length_table_free(struct length_table *t);

/* The table of a fleet as a scenario has it, a list of struct length_share; empty without one. */
void length_table_shares(struct record_list *shares, const struct fleet *f);
void length_table_free_shares(struct record_list *shares);

#endif
