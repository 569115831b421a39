/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one engine iteration costs, as a list of roofline terms, each in one quantity of the step.
 * Pure, in seconds. Terms in tokens or rows may bend (pnorm; tabulated); all others are
 * proportional, which is what makes leaps exact; step_cost_check() sees to it. A step lasts
 * max(device and link terms, host terms) + fixed terms.
 */
#ifndef ROOFLINE_STEP_COST_H
#define ROOFLINE_STEP_COST_H

#include "roofline/term.h"

struct step_cost {
	struct term term[24];
	int terms;
	double slope_s[QUANTITIES]; /* device seconds a unit of the proportional quantities */
	double host_slope_s[QUANTITIES], fixed_slope_s[QUANTITIES];
	double *token_s, *row_s;       /* device seconds by T (with those a step) and by R */
	int64_t table_size, rows_size; /* entries of the two; beyond, the terms are computed */
	double frontend_s;	       /* a request, before it can be scheduled */
	double peak_byte_per_s;	       /* of all GPUs of a unit together */
	double peak_flop_per_s; /* dense peak of the linear layers (MoE: experts), of a unit */
	int gpus;		/* of a unit: tp * pp */
};

/* A step lasts first_s; round j < rounds of the same composition lasts first_s + j * growth_s. */
struct price {
	double first_s, growth_s;
	int64_t rounds;
};

/* An empty list, and one term more (slopes and tables follow in step_cost_tabulate()). */
void step_cost_init(struct step_cost *c);
struct term *step_cost_add(struct step_cost *c, const char *name, enum term_class kind,
			   enum quantity of);

/*
 * (Re)builds slopes and tables for up to `tokens` a step and `rows` that emit, each at most 65,536:
 * give the replica's limits. Not having done so changes speed only, no digit of a price. Calls
 * step_cost_check().
 */
void step_cost_tabulate(struct step_cost *c, int64_t tokens, int64_t rows);
void step_cost_free(struct step_cost *c);
void step_cost_check(const struct step_cost *c); /* BUG if a term breaks the rule above */

/*
 * Price of the composition `now`, whose quantities grow by `a_round` each round (all zero for a
 * single step). Only contexts may grow. Device longer than host: growth until something else
 * happens; else the host's constant time, for the rounds until the device overtakes.
 */
struct price step_cost_price(const struct step_cost *c, const struct work *now,
			     const struct work *a_round);

#endif
