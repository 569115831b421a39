/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A length law made ready to draw. A draw is by inversion, so request i's length is a function of
 * one uniform; truncation maps that uniform into the probabilities inside the bounds, so no mass
 * gathers at them.
 */
#ifndef TRAFFIC_LENGTH_DRAW_H
#define TRAFFIC_LENGTH_DRAW_H

#include "des/rng.h"
#include "traffic/guide_table.h"
#include "traffic/length_kind.h"

#define LENGTH_DRAW_MAX 0x1p30 /* tokens; longer draws are cut to it */

struct length_draw {
	const struct length_kind *kind;
	double a, b;		  /* the law's own parameters */
	double u_low, u_span;	  /* the uniforms inside the bounds */
	double low, high;	  /* least and greatest length, whole tokens */
	struct guide_table table; /* of the laws that have one */
};

/* False with d filled if the truncation leaves no mass or a file cannot be read. Release with
 * length_draw_free(). */
bool length_draw_init(struct length_draw *draw, const struct length_law *law, struct diag *d);
void length_draw_free(struct length_draw *draw);

/* Makes the draw a constant: what a law without spread becomes. */
void length_draw_constant(struct length_draw *draw, double value);

/* The length [tokens] at u in (0, 1): nearest integer, inside the bounds, at least 1. */
static inline int32_t length_draw_tokens(const struct length_draw *draw, double u)
{
	double x = draw->kind->quantile(draw, draw->u_low + draw->u_span * u) + 0.5;

	if (!(x > draw->low))
		return (int32_t)draw->low;
	return (int32_t)(x < draw->high ? x : draw->high);
}

/* The length of request `number` in the stream `key`. */
static inline int32_t length_draw_at(const struct length_draw *draw, uint64_t key, int64_t number)
{
	return length_draw_tokens(draw, rng_uniform_at(key, (uint64_t)number));
}

/* The mean of what is drawn, after truncation and rounding, to some 1e-6. */
double length_draw_mean(const struct length_draw *draw);
/* The greatest length that can be drawn, or INT64_MAX/4 if the law has no bound. */
int64_t length_draw_max(const struct length_draw *draw);

#endif
