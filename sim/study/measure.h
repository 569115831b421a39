/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a load measured, into the fields of an outcome (docs/model.md, "What is measured").
 */
#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

#include "study/load.h"

/* Whether more arrives than leaves, `why` filled with the numbers: offered_rps reaches
 * saturated_rps, the backlog limit was hit, or in an arrival window longer than 20 mean E2E under
 * 95 % of the arrivals were completed, by more than three times what chance makes of so few. */
bool measure_overloaded(const struct load *l, double saturated_rps, char why[256]);

/* The share of arrivals that were not done when the last one arrived. */
double measure_left_behind(const struct load *l);

/* Completed requests a second of the measured part [1/s]; NAN: there are none. */
double measure_throughput(const struct load *l);

/* Everything but verdict and price; o->saturated_rps is set, counts and numbers are filled, those
 * of o->pools if it has them too. `open`: arrivals have a rate of their own. */
void measure_fill(struct outcome *o, const struct load *l, const struct fleet *f, bool open,
		  bool has_slo);

#endif
