/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An increasing table that is searched in O(1) expected: a guide holds, for equal cells of [0, 1),
 * where the search may start (Chen and Asau, Journal of the ACM 1974). Serves discrete laws and
 * piecewise linear quantile functions.
 */
#ifndef TRAFFIC_GUIDE_TABLE_H
#define TRAFFIC_GUIDE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guide_table {
	size_t count;
	double *u;     /* increasing from 0: cumulative probability where entry i begins */
	double *value; /* at u[i], for guide_table_interpolate(); NULL: not needed */
	uint32_t *guide;
};

/* Room for count entries (and values); u and value are then filled by the caller, and
 * guide_table_index() called. */
void guide_table_init(struct guide_table *t, size_t count, bool with_values);
void guide_table_index(struct guide_table *t);
void guide_table_free(struct guide_table *t);

/* The last i with u[i] <= u, for u in [0, 1). */
static inline size_t guide_table_find(const struct guide_table *t, double u)
{
	size_t i = t->guide[(size_t)(u * (double)t->count)];

	while (i + 1 < t->count && t->u[i + 1] <= u)
		i++;
	return i;
}

/* Linear between the entries, the last value from the last one on. */
double guide_table_interpolate(const struct guide_table *t, double u);
/* Its inverse: the largest u at which the value is at most x; 0 below the first, 1 from the last
 * on. */
double guide_table_inverse(const struct guide_table *t, double x);

#endif
