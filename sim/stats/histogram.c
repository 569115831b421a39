/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

#define SLACK                                                                                      \
	(1 << HISTOGRAM_BITS) /* buckets to spare on either side of a window that had to grow */

void histogram_init(struct histogram *h)
{
	memset(h, 0, sizeof *h);
	h->min = INT64_MAX;
	h->max = INT64_MIN;
}

void histogram_free(struct histogram *h)
{
	free(h->count);
	histogram_init(h);
}

int64_t histogram_bucket_low(int32_t bucket)
{
	if (bucket < 2 << HISTOGRAM_BITS)
		return bucket;
	int shift = (bucket >> HISTOGRAM_BITS) - 1;
	return (int64_t)(bucket - (shift << HISTOGRAM_BITS)) << shift;
}

/* Widens the window to hold buckets [low, high). */
static void widen(struct histogram *h, int32_t low, int32_t high)
{
	if (h->buckets > 0) {
		low = h->first < low ? h->first : low;
		high = h->first + h->buckets > high ? h->first + h->buckets : high;
		if (low == h->first && high == h->first + h->buckets)
			return;
	}
	int64_t *count = xcalloc((size_t)(high - low), sizeof *count);
	if (h->buckets > 0)
		memcpy(count + (h->first - low), h->count, (size_t)h->buckets * sizeof *count);
	free(h->count);
	h->count = count;
	h->first = low;
	h->buckets = high - low;
}

static void grow_to(struct histogram *h, int32_t bucket)
{
	int32_t low = bucket > SLACK ? bucket - SLACK : 0;
	int32_t last = histogram_bucket(INT64_MAX);

	widen(h, low, (bucket < last - SLACK ? bucket + SLACK : last) + 1);
}

void histogram_add(struct histogram *h, int64_t value, int64_t times)
{
	BUG_IF(value < 0);
	int32_t bucket = histogram_bucket(value);

	if ((uint32_t)(bucket - h->first) >= (uint32_t)h->buckets)
		grow_to(h, bucket);
	h->count[bucket - h->first] += times;
	h->total += times;
	h->sum += (wide)value * times;
	h->min = min64(h->min, value);
	h->max = max64(h->max, value);
}

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	if (from->total == 0)
		return;
	widen(to, from->first, from->first + from->buckets);
	for (int32_t i = 0; i < from->buckets; i++)
		to->count[from->first - to->first + i] += from->count[i];
	to->total += from->total;
	to->sum += from->sum;
	to->min = min64(to->min, from->min);
	to->max = max64(to->max, from->max);
}

/* What stands for a value of the i-th bucket: its midpoint, inside what was seen. */
static double middle(const struct histogram *h, int32_t i)
{
	int64_t low = histogram_bucket_low(h->first + i);
	int32_t octave = (h->first + i) >> HISTOGRAM_BITS;
	double width = octave < 2 ? 1 : ldexp(1, octave - 1);

	return fmin(fmax((double)low + (width - 1) / 2, (double)h->min), (double)h->max);
}

double histogram_quantile(const struct histogram *h, double q)
{
	if (h->total == 0)
		return NAN;
	double at = (double)(h->total - 1) * q;
	int64_t rank = (int64_t)floor(at), below = 0;
	int32_t i = 0;

	while (i < h->buckets - 1 && below + h->count[i] <= rank)
		below += h->count[i++];
	double value = middle(h, i);
	if (below + h->count[i] > rank + 1 || rank + 1 >= h->total)
		return value;
	do
		i++;
	while (h->count[i] == 0);
	return value + (at - floor(at)) * (middle(h, i) - value);
}

double histogram_mean(const struct histogram *h)
{
	return h->total == 0 ? (double)NAN : (double)h->sum / (double)h->total;
}
