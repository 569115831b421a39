/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A composition simulated at the scenario's rate: behind which routers it holds. */
#ifndef STUDY_MIX_TRIAL_H
#define STUDY_MIX_TRIAL_H

#include "study/mix_type.h"

#define MIX_ROUTERS_MAX 3

/* The routers that are tried, the one to prefer first: the scenario's own, then those that know of
 * unlike units. */
struct mix_routers {
	size_t count;
	int router[MIX_ROUTERS_MAX]; /* index into router_kinds[] */
};

struct mix_trial {
	struct programme_units units; /* by type */
	size_t parts;		      /* types of which there are any */
	/* The most even fractions and the load that they make; `served`: no class is left out. */
	struct programme_shares shares;
	bool served;
	struct length_route route[MIX_CLASSES]; /* the same for the router */
	int router;				/* that is needed; -1: it holds behind none */
	struct probe probe; /* behind it, or behind the one that comes nearest */
	bool certain;	    /* the probe's interval agrees */
	int simulations;
};

/* These units with their fractions, nothing simulated. */
void mix_trial_begin(struct mix_trial *t, const struct mix_types *m,
		     const struct programme_units *units);

/* The routers that it is tried behind: unlike units may need one that knows of that. */
struct mix_routers mix_trial_routers(const struct mix_trial *t, const struct scenario *s);

/* The fleet, a part a type that has any; its routes are the trial's. */
void mix_trial_fleet(struct fleet *f, const struct mix_types *m, const struct mix_trial *t);

/* Begins, and simulates; false with d filled if a trace failed. */
bool mix_trial_run(struct mix_trial *t, const struct mix_types *m,
		   const struct programme_units *units, struct diag *d);

#endif
