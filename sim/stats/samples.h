/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact statistics of tick samples, in place: quantiles by nested quickselect, never sorted, never
 * copied. */
#ifndef STATS_SAMPLES_H
#define STATS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Quantiles q[0..k) (ascending) of n values, linear interpolation at (n-1)q; reorders `value`. NAN
 * if n = 0. */
void samples_quantiles(int64_t *value, size_t n, const double *q, size_t k, double *result);

/* Compacts away negative values (rejected, not applicable); returns how many remain. */
size_t samples_compact(int64_t *value, size_t n);

double samples_mean(const int64_t *value, size_t n);

#endif
