/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one engine iteration costs, as a list of roofline terms, each in one quantity of the step.
 * Pure, in seconds. Terms in tokens or rows may bend (pnorm; tabulated); all others are
 * proportional, which is what makes leaps exact; step_cost_check() sees to it. A step lasts
 * max(device and link terms, host terms) + fixed terms.
 */
#ifndef ROOFLINE_STEP_COST_H
#define ROOFLINE_STEP_COST_H

#include "roofline/engine_cost.h"
#include "roofline/gpu.h"
#include "roofline/model.h"
#include "roofline/precision.h"

enum quantity {
	PER_STEP,	   /* 1, whatever the work says */
	PER_TOKEN,	   /* T: tokens processed */
	PER_ROW,	   /* R: sequences that emit */
	PER_SEQUENCE,	   /* n: sequences with a token in the step */
	PER_PAIR,	   /* sum over prefill chunks of c*q + c(c+1)/2 */
	PER_CHUNK_CONTEXT, /* sum over prefill chunks of q + c */
	PER_CONTEXT,	   /* S: sum of decode contexts, each counting the token being written */
	PER_WINDOW,	   /* the same capped by the window (unused so far) */
	QUANTITIES
};

/* All that serve tells roofline about a step. */
struct work {
	int64_t of[QUANTITIES];
};

enum term_class { TERM_DEVICE, TERM_LINK, TERM_FIXED, TERM_HOST };

/* FLOPs and bytes are of all GPUs of the unit together, and so are the rates. */
struct term {
	const char *name;	    /* "MLP", "decode attention" */
	enum term_class kind;	    /* device: overlaps with host; fixed: added after the max */
	enum quantity of, bytes_of; /* equal, except in chunk attention */
	double flop0, flop, byte0, byte; /* flop0 + flop*x, byte0 + byte*x */
	double experts, chosen,
		expert_bytes; /* + expert_bytes * experts * (1 - (1 - chosen/experts)^x) */
	double flop_per_s, byte_per_s, p,
		latency_s;	/* pnorm(p) of both (p = 0: the larger), + latency */
	double second;		/* + second*x: time without work behind it */
	double peak_flop_per_s; /* dense peak behind flop_per_s (for mfu), 0: none */
	double times;		/* layers of this kind */
};

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

/*
 * Terms of a decoder on tp GPUs, in this order: linear layers (MoE: dense layers, attention
 * projections, experts), LM head, prefill and decode attention, all-reduce, logit gather, sampling,
 * then the engine's fixed times. The embedding look-up, norms and routers are not priced (a router
 * has under 1 % of its layer's weights). On Volta decode attention reads K and V once a query head.
 * `use` from precision_settle(), the model settled and not refused. Tables of a small size are
 * built.
 */
void llm_step_cost(struct step_cost *c, const struct model *m, const struct gpu *g,
		   const struct precision_use *use, const struct engine_cost *e, int tp);

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

/* Seconds of one term at `now` (times included), and its parts, for `bound`, explanations and the
 * roofline plot. */
struct term_time {
	double total_s, compute_s, memory_s,
		fixed_s;     /* of a link term memory_s is the link's; fixed: latency, second */
	double flops, bytes; /* of the unit */
};
struct term_time term_time(const struct term *t, const struct work *now);

/* (a^p + b^p)^(1/p), exact if one is 0; p = 0: the larger. */
double pnorm(double a, double b, double p);

/* Sums that a run counts, in integers, so that leaps and steps agree; all else is computed from
 * these afterwards. */
struct work_totals; /* serve/tally.h */

#endif
