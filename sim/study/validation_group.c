/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation_group.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"

/* ---- summaries ---- */

struct validation_summary validation_summarise(const double *error, size_t n)
{
	struct validation_summary s = {.median = NAN, .p90 = NAN, .worst = NAN, .bias = NAN};
	double *sorted = xcalloc(n + 1, sizeof *sorted);

	s.figures = (int64_t)n;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = fabs(error[i]);
		if (sorted[i] > fabs(error[s.worst_at]))
			s.worst_at = i;
	}
	if (n > 0) {
		gsl_sort(sorted, 1, n);
		s.median = gsl_stats_median_from_sorted_data(sorted, 1, n);
		s.p90 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.9);
		s.worst = sorted[n - 1];
		memcpy(sorted, error, n * sizeof *sorted);
		gsl_sort(sorted, 1, n);
		s.bias = gsl_stats_median_from_sorted_data(sorted, 1, n);
	}
	free(sorted);
	return s;
}

/* ---- the record ---- */

#define GROUP(KEY, KIND, MEMBER)                                                                   \
	{                                                                                          \
		.key = (KEY), .kind = (KIND), .offset = offsetof(struct validation_group, MEMBER)  \
	}

static const struct field fields[] = {
	GROUP("table", FIELD_TEXT, table),
	GROUP("gpu", FIELD_TEXT, gpu),
	GROUP("engine", FIELD_TEXT, engine),
	{.key = "set",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_group, set),
	 .of = validation_set_names},
	{.key = "load",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_group, load),
	 .of = validation_load_names},
	GROUP("metric", FIELD_TEXT, metric),
	GROUP("figures", FIELD_INT, summary.figures),
	GROUP("median", FIELD_REAL, summary.median),
	GROUP("p90", FIELD_REAL, summary.p90),
	GROUP("worst", FIELD_REAL, summary.worst),
	GROUP("bias", FIELD_REAL, summary.bias),
	GROUP("inside", FIELD_REAL, inside),
	GROUP("worst_source", FIELD_TEXT, source),
	GROUP("worst_line", FIELD_INT, line),
	GROUP("worst_conditions", FIELD_TEXT, conditions),
};

const struct record validation_group_record = {.name = "group",
					       .size = sizeof(struct validation_group),
					       .fields = COUNT(fields),
					       .field = fields};

/* ---- groups ---- */

/* A figure with its group, which is all but the summary. */
struct member {
	struct validation_group group;
	const struct validation_point *point;
};

static int by_text(const char *a, const char *b)
{
	return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare(const struct validation_group *x, const struct validation_group *y)
{
	const int order[] = {x->set - y->set,
			     by_text(x->table, y->table),
			     by_text(x->engine, y->engine),
			     by_text(x->gpu, y->gpu),
			     x->load - y->load,
			     by_text(x->metric, y->metric)};

	for (size_t i = 0; i < COUNT(order); i++)
		if (order[i])
			return order[i];
	return 0;
}

/* Of one group in the order of the points. */
static int by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = compare(&x->group, &y->group);

	return order ? order : x->point < y->point ? -1 : x->point > y->point;
}

static struct member member_of(const struct validation_point *p, unsigned by)
{
	return (struct member){
		.group = {.table = by & VALIDATION_BY_TABLE ? p->name : NULL,
			  .gpu = by & VALIDATION_BY_GPU ? p->gpu : NULL,
			  .engine = by & VALIDATION_BY_ENGINE ? p->engine : NULL,
			  .metric = p->metric,
			  .set = p->set,
			  .load = p->load},
		.point = p,
	};
}

/* Of n members of one group. */
static struct validation_group close_group(const struct member *member, size_t n)
{
	struct validation_group g = member[0].group;
	double *error = xcalloc(n, sizeof *error), inside = 0, bands = 0;

	for (size_t i = 0; i < n; i++) {
		error[i] = member[i].point->error;
		inside += member[i].point->inside;
		bands += isfinite(member[i].point->band[0]);
	}
	g.summary = validation_summarise(error, n);
	g.inside = bands > 0 ? inside / bands : (double)NAN;
	const struct validation_point *worst = member[g.summary.worst_at].point;
	g.source = worst->source;
	g.conditions = worst->conditions;
	g.line = worst->line;
	free(error);
	return g;
}

static size_t group_end(const struct member *member, size_t from, size_t n)
{
	size_t end = from + 1;

	while (end < n && compare(&member[from].group, &member[end].group) == 0)
		end++;
	return end;
}

void validation_groups_find(struct validation_groups *g, const struct validation *v, unsigned by)
{
	struct member *member = xcalloc(v->points + 1, sizeof *member);
	size_t n = 0;

	for (size_t i = 0; i < v->points; i++)
		if (!v->point[i].left_out)
			member[n++] = member_of(&v->point[i], by);
	qsort(member, n, sizeof *member, by_group);
	*g = (struct validation_groups){.group = xcalloc(n + 1, sizeof *g->group)};
	for (size_t i = 0, end; i < n; i = end) {
		end = group_end(member, i, n);
		g->group[g->n++] = close_group(&member[i], end - i);
	}
	free(member);
}

void validation_groups_free(struct validation_groups *g)
{
	free(g->group);
	*g = (struct validation_groups){0};
}
