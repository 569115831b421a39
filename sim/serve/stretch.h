/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stretch of rounds of one composition: round j lasts first + j * growth. Its boundaries are
 * always computed from its origin, never by adding rounds, so that leaping and stepping evaluate
 * the same expression. Lengths are in 2^-56 s, 20 bits below the tick.
 */
#ifndef SERVE_STRETCH_H
#define SERVE_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide.h"
#include "des/tick.h"
#include "roofline/step_cost.h"

#define STRETCH_BITS 20
#define LEAP_MAX     (INT64_C(1) << 20) /* rounds at once: closed forms stay in 64 bits */
/* 1.2 * 10^8 s: boundaries stay there; a run that gets so far has failed. */
#define TICK_FAR (INT64_C(120000000) << TICK_BITS)

struct stretch {
	wide origin, first, growth; /* [2^-56 s] */
	tick at;		    /* boundary j, to the nearest tick */
	double first_s, growth_s;
	int64_t rounds;	  /* for how many the price holds */
	int64_t j;	  /* rounds completed */
	struct work next; /* of the next round; contexts grow by `decoders` each */
	int64_t decoders; /* slots whose contexts grow; the gap between their tokens is the round */
	int64_t padding;  /* of these, slots whose request has ended: nothing comes out */
	int64_t resting;  /* tokens cached by sequences that have none in the round */
	bool blocked;	  /* a head waits for blocks */
};

/* Starts anew at `now` with price p: at boundary j of what was, if that is now. next, decoders,
 * padding, resting and blocked are left alone. */
void stretch_begin(struct stretch *s, tick now, const struct price *p);

/* When round j starts, j >= 0 [2^-56 s]. */
static inline wide stretch_exact(const struct stretch *s, int64_t j)
{
	return s->origin + j * s->first + (wide)(j * (j - 1) / 2) * s->growth;
}

/* The same to the nearest tick. */
static inline tick stretch_boundary(const struct stretch *s, int64_t j)
{
	wide at = (stretch_exact(s, j) + (1 << (STRETCH_BITS - 1))) >> STRETCH_BITS;
	return at < TICK_FAR ? (tick)at : TICK_FAR;
}

/* Length of round j in ticks, rounded down: monotone in j. */
static inline tick stretch_gap(const struct stretch *s, int64_t j)
{
	return (tick)((s->first + j * s->growth) >> STRETCH_BITS);
}

/* The least m >= least with boundary(m) >= t (or TICK_FAR, if t is beyond). */
int64_t stretch_round_at(const struct stretch *s, tick t, int64_t least);

/* Completes k rounds. */
static inline void stretch_advance(struct stretch *s, int64_t k)
{
	s->j += k;
	s->at = stretch_boundary(s, s->j);
	s->next.of[PER_CONTEXT] += k * s->decoders;
}

#endif
