/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit's capacity in closed form, where a search begins: means only, no randomness. */
#ifndef STUDY_ESTIMATE_H
#define STUDY_ESTIMATE_H

#include "study/fleet.h"

/*
 * Length of a step [s] at `rate` requests/s on one unit, all quantities at their means: in a step
 * of t seconds rate * t requests begin (their prompts are processed) and rate * t * output
 * sequences decode. INFINITY where no such t exists: more arrives than the unit can do.
 */
double estimate_step_s(const struct unit *u, const struct traffic_facts *f, double rate);

/* Seconds from arrival to first token of a mean request alone on the unit. */
double estimate_first_s(const struct unit *u, const struct traffic_facts *f);
/* Seconds from arrival to last token of a mean request alone on the unit. */
double estimate_alone_s(const struct unit *u, const struct traffic_facts *f);

/* The highest rate, at most `most`, whose mean step leaves room for the SLO's TPOT, ITL and E2E
 * limits; at least most / 1000. */
double estimate_rate(const struct unit *u, const struct traffic_facts *f, const struct slo *slo,
		     double most);

/* Of a fleet whose units share a load of at most `most`: the sum of its units' rates. */
double estimate_fleet_rate(const struct fleet *fleet, const struct traffic_facts *f,
			   const struct slo *slo, double most);

#endif
