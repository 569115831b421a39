/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation_ratio.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"

#define RATIO(KEY, KIND)                                                                           \
	{                                                                                          \
		.key = #KEY, .kind = (KIND), .offset = offsetof(struct validation_ratio, KEY)      \
	}

static const struct field fields[] = {
	RATIO(table, FIELD_TEXT),
	RATIO(gpu, FIELD_TEXT),
	RATIO(other, FIELD_TEXT),
	RATIO(engine, FIELD_TEXT),
	RATIO(conditions, FIELD_TEXT),
	RATIO(line, FIELD_INT),
	RATIO(other_line, FIELD_INT),
	{.key = "set",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_ratio, set),
	 .of = validation_set_names},
	RATIO(metric, FIELD_TEXT),
	RATIO(measured, FIELD_REAL),
	RATIO(simulated, FIELD_REAL),
	RATIO(error, FIELD_REAL),
};

const struct record validation_ratio_record = {.name = "ratio",
					       .size = sizeof(struct validation_ratio),
					       .fields = COUNT(fields),
					       .field = fields};

static const char *const throughputs[] = {"throughput.output_tokens_per_s",
					  "throughput.total_tokens_per_s",
					  "throughput.requests_per_s"};

/* Its place in the list; COUNT(throughputs): it is none. */
static size_t rank(const struct validation_point *p)
{
	size_t i = 0;

	while (i < COUNT(throughputs) && strcmp(p->metric, throughputs[i]) != 0)
		i++;
	return i;
}

/* Whether the point is its row's best throughput; points of a row stand together. */
static bool is_best(const struct validation *v, size_t i)
{
	const struct validation_point *p = &v->point[i];
	size_t first = i;

	if (p->left_out || p->load != VALIDATION_CLOSED || rank(p) == COUNT(throughputs))
		return false;
	while (first > 0 && v->point[first - 1].row == p->row)
		first--;
	for (size_t k = first; k < v->points && v->point[k].row == p->row; k++)
		if (!v->point[k].left_out && rank(&v->point[k]) < rank(p))
			return false;
	return true;
}

/* Orders what can be compared side by side, there GPU by GPU, and of each what was not fitted
 * first.
 */
static int by_conditions(const void *a, const void *b)
{
	const struct validation_point *x = *(const struct validation_point *const *)a;
	const struct validation_point *y = *(const struct validation_point *const *)b;
	const int order[] = {strcmp(x->name, y->name), strcmp(x->pair, y->pair),
			     strcmp(x->metric, y->metric), strcmp(x->gpu, y->gpu), x->set - y->set};

	for (size_t i = 0; i < COUNT(order); i++)
		if (order[i])
			return order[i];
	return x < y ? -1 : x > y;
}

static bool are_alike(const struct validation_point *x, const struct validation_point *y)
{
	return strcmp(x->name, y->name) == 0 && strcmp(x->pair, y->pair) == 0 &&
	       strcmp(x->metric, y->metric) == 0;
}

static int set_of(const struct validation_point *x, const struct validation_point *y)
{
	if (x->set == VALIDATION_FIT || y->set == VALIDATION_FIT)
		return VALIDATION_FIT;
	return x->set > y->set ? x->set : y->set;
}

static void add(struct validation_ratios *r, const struct validation_point *x,
		const struct validation_point *y)
{
	struct validation_ratio ratio = {
		.table = x->name,
		.gpu = x->gpu,
		.other = y->gpu,
		.metric = x->metric,
		.conditions = x->conditions,
		.engine = x->engine,
		.line = x->line,
		.other_line = y->line,
		.set = set_of(x, y),
		.measured = y->measured / x->measured,
		.simulated = y->simulated / x->simulated,
	};

	ratio.error = ratio.simulated / ratio.measured - 1;
	r->ratio = xrealloc(r->ratio, (r->n + 1) * sizeof *r->ratio);
	r->ratio[r->n++] = ratio;
}

/* All pairs of GPUs among n alike. */
static void add_pairs(struct validation_ratios *r, const struct validation_point *const *p,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (strcmp(p[i]->gpu, p[k]->gpu) != 0 &&
			    strcmp(p[k - 1]->gpu, p[k]->gpu) != 0 &&
			    (i == 0 || strcmp(p[i - 1]->gpu, p[i]->gpu) != 0))
				add(r, p[i], p[k]);
}

void validation_ratios_find(struct validation_ratios *r, const struct validation *v)
{
	const struct validation_point **p = xcalloc(v->points + 1, sizeof *p);
	size_t n = 0;

	*r = (struct validation_ratios){0};
	for (size_t i = 0; i < v->points; i++)
		if (is_best(v, i))
			p[n++] = &v->point[i];
	qsort(p, n, sizeof *p, by_conditions);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && are_alike(p[i], p[end]);)
			end++;
		add_pairs(r, &p[i], end - i);
	}
	free(p);
}

void validation_ratios_free(struct validation_ratios *r)
{
	free(r->ratio);
	*r = (struct validation_ratios){0};
}
