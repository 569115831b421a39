/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log-linear histogram of non-negative integers (HDR style): values below 256 have a bucket each,
 * above them every power of two is cut into 128, so a bucket's midpoint errs by at most 1/256.
 * Adding is O(1); histograms merge exactly in any order.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include <stdint.h>

#include "base/wide.h"

#define HISTOGRAM_BITS 7

struct histogram {
	int64_t *count;		/* by bucket; grown on demand, NULL while empty */
	int32_t first, buckets; /* window of allocated buckets */
	int64_t total;
	wide sum;
	int64_t min, max;
};

void histogram_init(struct histogram *h);
void histogram_free(struct histogram *h);
/* Its bucket; value >= 0. */
static inline int32_t histogram_bucket(int64_t value)
{
	if (value < 256)
		return (int32_t)value;
	int shift = 63 - __builtin_clzll((unsigned long long)value) - HISTOGRAM_BITS;
	return (int32_t)((shift << HISTOGRAM_BITS) + (value >> shift));
}
int64_t histogram_bucket_low(int32_t bucket); /* smallest value of a bucket */
void histogram_add(struct histogram *h, int64_t value, int64_t times);
void histogram_merge(struct histogram *to, const struct histogram *from);
/* Quantile by the (n-1)q rule over bucket midpoints; NAN if empty. */
double histogram_quantile(const struct histogram *h, double q);
double histogram_mean(const struct histogram *h);

#endif
