/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Length laws. A law is one struct length_kind in a file of its own and a line in LENGTH_KINDS; the
 * choices of `dist`, the masks of keys and the texts follow from it.
 */
#ifndef TRAFFIC_LENGTH_KIND_H
#define TRAFFIC_LENGTH_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "traffic/traffic.h"

#define LENGTH_KINDS(X)                                                                            \
	X(constant)                                                                                \
	X(uniform)                                                                                 \
	X(normal)                                                                                  \
	X(lognormal)                                                                               \
	X(exponential)                                                                             \
	X(gamma)                                                                                   \
	X(zipf)                                                                                    \
	X(empirical)

struct length_draw;

struct length_kind {
	const char *name, *help;
	/* What the field table cannot see: keys that must be there, keys that exclude each other.
	 */
	bool (*check)(const struct length_law *law, struct diag *d);
	/* Fills a, b and table; false with d filled where a file or a value will not do. */
	bool (*init)(struct length_draw *draw, const struct length_law *law, struct diag *d);
	/* P(X <= x) before truncation; NULL: the law has its bounds inside. */
	double (*cdf)(const struct length_draw *draw, double x);
	/* The length, unrounded, at u in (0, 1). */
	double (*quantile)(const struct length_draw *draw, double u);
	bool bounded; /* has a greatest length of its own, quantile(1) */
};

#define LENGTH_DECLARE(name) extern const struct length_kind length_##name;
LENGTH_KINDS(LENGTH_DECLARE)
#undef LENGTH_DECLARE

/* Indices into length_kinds[]: LENGTH_constant ... */
#define LENGTH_INDEX(name) LENGTH_##name,
enum length_index { LENGTH_KINDS(LENGTH_INDEX) LENGTH_KINDS_COUNT };
#undef LENGTH_INDEX

extern const struct length_kind *const length_kinds[]; /* ends with NULL */

/* Whether anything was said: a law that nobody wrote is the traffic's business (length_law.c). */
bool length_law_is_set(const struct length_law *law);

#endif
