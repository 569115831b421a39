/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/samples.h"

#include <math.h>

#include "base/bug.h"
#include "base/wide.h"

static void swap(int64_t *a, int64_t *b)
{
	int64_t t = *a;

	*a = *b;
	*b = t;
}

static int64_t median3(int64_t a, int64_t b, int64_t c)
{
	if (a > b)
		swap(&a, &b);
	return c <= a ? a : c >= b ? b : c;
}

/* Three places drawn by a linear congruential generator (Knuth's MMIX constants): no order of
 * the input, sorted or organ pipe, is a bad one. */
static int64_t pivot(const int64_t *value, size_t low, size_t high, uint64_t *state)
{
	int64_t seen[3];

	for (int i = 0; i < 3; i++) {
		*state = *state * 6364136223846793005u + 1442695040888963407u;
		seen[i] = value[low + (size_t)((*state >> 33) % (high - low))];
	}
	return median3(seen[0], seen[1], seen[2]);
}

/* Quickselect (Hoare's partition): afterwards value[rank] is in place within [0, n). */
static void select_rank(int64_t *value, size_t n, size_t rank)
{
	uint64_t state = n;
	size_t low = 0, high = n;

	while (high - low > 1) {
		int64_t p = pivot(value, low, high, &state);
		size_t i = low, j = high;

		for (;;) {
			while (value[i] < p)
				i++;
			while (value[j - 1] > p)
				j--;
			if (i + 1 >= j)
				break;
			swap(&value[i++], &value[--j]);
		}
		/* [low, i) <= p <= [j, high), and at most one value, p itself, between them. */
		if (rank < i)
			high = i;
		else if (rank >= j)
			low = j;
		else
			return;
	}
}

static int64_t least(const int64_t *value, size_t n)
{
	int64_t m = value[0];

	for (size_t i = 1; i < n; i++)
		m = min64(m, value[i]);
	return m;
}

/* The q quantile, its rank being inside [low, high), behind which all is larger; returns the rank.
 */
static size_t select_quantile(int64_t *value, size_t n, size_t low, size_t high, double q,
			      double *result)
{
	double at = (double)(n - 1) * q, part = at - floor(at);
	size_t rank = (size_t)at;

	BUG_IF(rank < low || rank >= high);
	select_rank(value + low, high - low, rank - low);
	*result = (double)value[rank];
	size_t end = rank + 1 < high ? high : n;
	if (part > 0)
		*result += part * ((double)least(value + rank + 1, end - rank - 1) - *result);
	return rank;
}

/* The middle one first: it leaves each half of the others a part of the values. */
static void select_between(int64_t *value, size_t n, size_t low, size_t high, const double *q,
			   size_t k, double *result)
{
	if (k == 0)
		return;
	size_t middle = k / 2;
	size_t rank = select_quantile(value, n, low, high, q[middle], &result[middle]);

	select_between(value, n, low, rank + 1, q, middle, result);
	select_between(value, n, rank, high, q + middle + 1, k - middle - 1, result + middle + 1);
}

void samples_quantiles(int64_t *value, size_t n, const double *q, size_t k, double *result)
{
	if (n > 0)
		select_between(value, n, 0, n, q, k, result);
	else
		for (size_t i = 0; i < k; i++)
			result[i] = NAN;
}

size_t samples_compact(int64_t *value, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (value[i] >= 0)
			value[kept++] = value[i];
	return kept;
}

double samples_mean(const int64_t *value, size_t n)
{
	wide sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return n == 0 ? (double)NAN : (double)sum / (double)n;
}
