/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One scenario on one GPU, simulated: the way from a question to its outcome. */
#ifndef STUDY_EVALUATE_H
#define STUDY_EVALUATE_H

#include "study/fleet.h"
#include "study/outcome.h"

struct evaluate_setup {
	const struct scenario *scenario;
	const struct price_book *book;
	int replications; /* 5 by default */
	int jobs;
	int64_t replicas;   /* of the fleet; 0: the scenario's */
	int tp;		    /* 0: the scenario's */
	double rate_factor; /* 1: as written */
	bool quiet;	    /* no progress */
	bool keep_data;	    /* fill the outcome's data, what pictures need */
	bool constants;	    /* also how sure the answer is of the constants */
};

/* Evaluates candidate `index`, or the scenario's pools; pure but for progress. False with d filled
 * only on a user's mistake (a broken trace). */
bool evaluate(const struct evaluate_setup *setup, size_t index, struct outcome *o, struct diag *d);

/* The same of a fleet, called `shown`, which must outlive the outcome; if parts differ, with what a
 * router of unlike units has to know (settled_fleet.h). The setup's replicas and tp have no say. */
bool evaluate_fleet(const struct evaluate_setup *setup, const struct fleet *f, const char *shown,
		    struct outcome *o, struct diag *d);

#endif
