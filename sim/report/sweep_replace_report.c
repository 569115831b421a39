/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_replace_report.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/number.h"
#include "base/xmalloc.h"
#include "report/provenance_text.h"
#include "report/scenario_text.h"
#include "report/sweep_report.h"

static const struct replace_side *side(const struct replacement *r, size_t point, size_t to)
{
	return &r[point].to[to];
}

static bool is_ok(const struct replacement *r, size_t point, size_t to)
{
	return side(r, point, to)->verdict == VERDICT_OK;
}

static void print_count_at(const struct sweep *w, const struct replacement *r, size_t point,
			   size_t k, FILE *to)
{
	fprintf(to, "%lld (", (long long)side(r, point, k)->count);
	sweep_report_point(w, point, to);
	fputc(')', to);
}

/* The fewest and the most GPUs, and where they cost less. */
static void print_span(const struct sweep *w, const struct replacement *r, size_t k, FILE *to)
{
	size_t least = 0, most = 0, found = 0, cheaper = 0;

	for (size_t i = 0; i < w->points; i++) {
		if (!is_ok(r, i, k))
			continue;
		if (!found || side(r, i, k)->count < side(r, least, k)->count)
			least = i;
		if (!found || side(r, i, k)->count > side(r, most, k)->count)
			most = i;
		cheaper += side(r, i, k)->cost_ratio < 1;
		found++;
	}
	fprintf(to, "%s for %lld %s: ", side(r, 0, k)->gpu, (long long)r->from.count, r->from.gpu);
	if (!found) {
		fprintf(to, "cannot at any of %zu points\n", w->points);
		return;
	}
	print_count_at(w, r, least, k, to);
	fputs(" to ", to);
	print_count_at(w, r, most, k, to);
	fprintf(to, " GPUs; cheaper at %zu of %zu points\n", cheaper, found);
}

/* The first point where it cannot, with the reason. */
static void print_cannot(const struct sweep *w, const struct replacement *r, size_t k, FILE *to)
{
	size_t n = 0, first = 0;

	for (size_t i = w->points; i-- > 0;)
		if (!is_ok(r, i, k)) {
			first = i;
			n++;
		}
	if (!n)
		return;
	fprintf(to, "\n%s cannot at %zu of %zu points, first at ", side(r, 0, k)->gpu, n,
		w->points);
	sweep_report_point(w, first, to);
	fprintf(to, ": %s\n", side(r, first, k)->reason);
}

/* A number of units says of how many GPUs, if that is more than one. */
static void add_number(struct table *t, const struct replace_side *s, double value, int digits,
		       bool of_units)
{
	char number[NUMBER_TEXT], text[NUMBER_TEXT + 24];

	number_text(number, value, digits);
	if (s->verdict != VERDICT_OK)
		snprintf(text, sizeof text, "cannot");
	else if (of_units && s->tensor_parallel > 1)
		snprintf(text, sizeof text, "%s x TP%lld", number, (long long)s->tensor_parallel);
	else
		snprintf(text, sizeof text, "%s", number);
	table_right(t, text);
}

/* What a grid shows. */
enum shown { SHOWN_UNITS, SHOWN_RATIO, SHOWN_COST };

static void add_cell(struct table *t, const struct replace_side *s, enum shown shown)
{
	if (shown == SHOWN_UNITS)
		add_number(t, s, (double)s->units, 0, true);
	else if (shown == SHOWN_RATIO)
		add_number(t, s, s->ratio, 3, true);
	else
		add_number(t, s, s->cost_ratio, 3, false);
}

/* Over two parameters: rows of the first, columns of the second. */
static void print_grid(const struct sweep *w, const struct replacement *r, enum shown shown,
		       FILE *to)
{
	static const char *const titles[] = {"units that replace it, verified", "ratio, unrounded",
					     "cost ratio, whole instances"};
	char value[SWEEP_REPORT_VALUE];
	size_t columns = w->axis[1].count;
	struct table t;

	fprintf(to, "%s; down: %s, across: %s\n", titles[shown], w->axis[0].path, w->axis[1].path);
	table_init(&t, 1 + columns);
	table_text(&t, "");
	for (size_t c = 0; c < columns; c++) {
		sweep_report_value(value, w->axis[1].value[c]);
		table_text(&t, value);
	}
	for (size_t i = 0; i < w->axis[0].count; i++) {
		sweep_report_value(value, w->axis[0].value[i]);
		table_right(&t, value);
		for (size_t c = 0; c < columns; c++)
			add_cell(&t, side(r, i * columns + c, 0), shown);
	}
	table_print(&t, to);
	table_free(&t);
}

static bool has_cost(const struct sweep *w, const struct replacement *r)
{
	for (size_t i = 0; i < w->points; i++)
		if (!isnan(side(r, i, 0)->cost_ratio))
			return true;
	return false;
}

static void print_grids(const struct sweep *w, const struct replacement *r, FILE *to)
{
	print_grid(w, r, SHOWN_UNITS, to);
	fputc('\n', to);
	print_grid(w, r, SHOWN_RATIO, to);
	if (!has_cost(w, r))
		return;
	fputc('\n', to);
	print_grid(w, r, SHOWN_COST, to);
}

static void print_rows(const struct sweep *w, const struct replacement *r, FILE *to)
{
	struct table t;

	table_init(&t, w->axes + 1 + 3 * r->sides);
	sweep_report_headings(w, &t);
	table_text(&t, "from\nreq/s");
	for (size_t k = 0; k < r->sides; k++) {
		char *heading = xasprintf("%s\nunits", side(r, 0, k)->gpu);

		table_text(&t, heading);
		table_text(&t, "ratio\nsimulated");
		table_text(&t, "cost ratio\nwhole");
		free(heading);
	}
	for (size_t i = 0; i < w->points; i++) {
		sweep_report_values(w, i, &t);
		table_number(&t, r[i].from.max_rps, 4);
		for (size_t k = 0; k < r->sides; k++) {
			const struct replace_side *s = side(r, i, k);

			add_number(&t, s, (double)s->units, 0, true);
			table_number(&t, s->ratio, 3);
			table_number(&t, s->cost_ratio, 3);
		}
	}
	table_print(&t, to);
	table_free(&t);
}

void sweep_replace_report_print(const struct scenario *s, const struct sweep *w,
				const struct replacement *r, struct run_report_style style,
				FILE *to)
{
	scenario_text_print(s, to);
	fputc('\n', to);
	for (size_t k = 0; k < r->sides; k++)
		print_span(w, r, k, to);
	fputc('\n', to);
	if (w->axes == 2 && r->sides == 1)
		print_grids(w, r, to);
	else
		print_rows(w, r, to);
	for (size_t k = 0; k < r->sides; k++)
		print_cannot(w, r, k, to);
	fputc('\n', to);
	provenance_text(r->from.gpu, &r->from.provenance, style.verbose, to);
	for (size_t k = 0; k < r->sides; k++)
		if (r->to[k].candidate != r->from.candidate)
			provenance_text(r->to[k].gpu, &r->to[k].provenance, style.verbose, to);
}
