/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/guide_table.h"

#include <stdlib.h>

#include "base/xmalloc.h"

void guide_table_init(struct guide_table *t, size_t count, bool with_values)
{
	t->count = count;
	t->u = xcalloc(count, sizeof(*t->u));
	t->value = with_values ? xcalloc(count, sizeof(*t->value)) : NULL;
	t->guide = xcalloc(count + 1, sizeof(*t->guide));
}

void guide_table_index(struct guide_table *t)
{
	size_t i = 0;

	for (size_t g = 0; g <= t->count; g++) {
		while (i + 1 < t->count && t->u[i + 1] * (double)t->count <= (double)g)
			i++;
		t->guide[g] = (uint32_t)i;
	}
}

void guide_table_free(struct guide_table *t)
{
	free(t->u);
	free(t->value);
	free(t->guide);
	*t = (struct guide_table){0};
}

double guide_table_interpolate(const struct guide_table *t, double u)
{
	size_t i = guide_table_find(t, u);

	if (i + 1 == t->count)
		return t->value[i];
	return t->value[i] +
	       (t->value[i + 1] - t->value[i]) * (u - t->u[i]) / (t->u[i + 1] - t->u[i]);
}

/* Entries whose value is at most x; values do not decrease. */
static size_t count_at_most(const struct guide_table *t, double x)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->value[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double guide_table_inverse(const struct guide_table *t, double x)
{
	size_t n = count_at_most(t, x);

	if (n == 0)
		return 0;
	if (n == t->count)
		return 1;
	return t->u[n - 1] +
	       (t->u[n] - t->u[n - 1]) * (x - t->value[n - 1]) / (t->value[n] - t->value[n - 1]);
}
