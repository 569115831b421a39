/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/validation_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "report/table.h"

#define WORST_SHOWN 12
#define DIGITS	    3
#define SHOWN	    72 /* characters of a condition */

/* ---- cells ---- */

static void percent(struct table *t, double share)
{
	char text[32];

	if (!isfinite(share)) {
		table_number(t, NAN, DIGITS);
		return;
	}
	snprintf(text, sizeof text, "%.1f", 100 * share);
	table_right(t, text);
}

/* With its sign. */
static void signed_percent(struct table *t, double share)
{
	char text[32];

	if (!isfinite(share)) {
		table_number(t, NAN, DIGITS);
		return;
	}
	snprintf(text, sizeof text, "%+.1f", 100 * share);
	table_right(t, text);
}

static void summary(struct table *t, const struct validation_summary *s)
{
	table_number(t, (double)s->figures, 0);
	percent(t, s->median);
	percent(t, s->p90);
	percent(t, s->worst);
	signed_percent(t, s->bias);
}

static void end(struct table *t, FILE *to)
{
	table_print(t, to);
	table_free(t);
	fputc('\n', to);
}

/* ---- goals ---- */

static void add_goal(struct table *t, const struct validation_goal *g)
{
	static const char *const of[] = {"median at most", "inside at least", "worst at most"};
	char limit[64];

	table_text(t, g->what);
	table_text(t, g->figure);
	table_text(t, g->load);
	summary(t, &g->summary);
	percent(t, g->within);
	snprintf(limit, sizeof limit, "%s %g", of[g->judged], 100 * g->limit);
	table_text(t, limit);
	table_text(t, g->met ? "met" : "missed");
}

/* Whether it is the first goal of its rows, of which there are none. */
static bool is_first_idle(const struct validation_goals *goals, size_t goal)
{
	for (size_t i = 0; i < goals->n; i++)
		if (strcmp(goals->goal[i].what, goals->goal[goal].what) == 0 &&
		    (i < goal || goals->goal[i].summary.figures))
			return false;
	return true;
}

static void print_idle(const struct validation_goals *goals, FILE *to)
{
	const char *before = "no rows: ";

	for (size_t i = 0; i < goals->n; i++) {
		if (!is_first_idle(goals, i))
			continue;
		fprintf(to, "%s%s", before, goals->goal[i].what);
		before = ", ";
	}
	fputs(*before == ',' ? "\n\n" : "", to);
}

static void print_goals(const struct validation_goals *goals, FILE *to)
{
	static const char *const heading[] = {"check rows",	   "figure", "load",	 "figures",
					      "median\n|error| %", "p90\n%", "worst\n%", "bias\n%",
					      "within\ngoal %",	   "goal %", ""};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < goals->n; i++)
		if (goals->goal[i].summary.figures)
			add_goal(&t, &goals->goal[i]);
	end(&t, to);
	print_idle(goals, to);
}

/* ---- groups ---- */

static void add_group(struct table *t, const struct validation_group *g, unsigned by)
{
	table_text(t, validation_set_names[g->set]);
	if (by & VALIDATION_BY_TABLE)
		table_text(t, g->table);
	if (by & VALIDATION_BY_ENGINE)
		table_text(t, g->engine);
	if (by & VALIDATION_BY_GPU)
		table_text(t, g->gpu);
	table_text(t, validation_load_names[g->load]);
	table_text(t, g->metric);
	summary(t, &g->summary);
	percent(t, g->inside);
}

/* `all`: the sets that constants were fitted to as well. */
static void print_groups(const struct validation *v, unsigned by, bool all, FILE *to)
{
	static const char *const heading[] = {"load",	"metric",   "figures", "median\n|error| %",
					      "p90\n%", "worst\n%", "bias\n%", "inside\nband %"};
	struct validation_groups g;
	struct table t;
	size_t labels = 1 + !!(by & VALIDATION_BY_TABLE) + !!(by & VALIDATION_BY_ENGINE) +
			!!(by & VALIDATION_BY_GPU);

	validation_groups_find(&g, v, by);
	table_init(&t, labels + COUNT(heading));
	table_text(&t, "set");
	if (by & VALIDATION_BY_TABLE)
		table_text(&t, "table");
	if (by & VALIDATION_BY_ENGINE)
		table_text(&t, "engine");
	if (by & VALIDATION_BY_GPU)
		table_text(&t, "GPU");
	for (size_t i = 0; i < COUNT(heading); i++)
		table_text(&t, heading[i]);
	for (size_t i = 0; i < g.n; i++)
		if (all || g.group[i].set != VALIDATION_FIT)
			add_group(&t, &g.group[i], by);
	end(&t, to);
	validation_groups_free(&g);
}

/* ---- ratios ---- */

/* Those of one table and set, which stand together. */
static size_t ratios_end(const struct validation_ratios *r, size_t from)
{
	size_t i = from + 1;

	while (i < r->n && strcmp(r->ratio[i].table, r->ratio[from].table) == 0)
		i++;
	return i;
}

static void add_ratios(struct table *t, const struct validation_ratio *ratio, size_t n, int set)
{
	double *error = xcalloc(n + 1, sizeof *error);
	size_t *at = xcalloc(n + 1, sizeof *at), kept = 0;
	char text[160];

	for (size_t i = 0; i < n; i++)
		if (ratio[i].set == set) {
			error[kept] = ratio[i].error;
			at[kept++] = i;
		}
	if (kept > 0) {
		struct validation_summary s = validation_summarise(error, kept);
		const struct validation_ratio *worst = &ratio[at[s.worst_at]];

		table_text(t, validation_set_names[set]);
		table_text(t, worst->table);
		summary(t, &s);
		snprintf(text, sizeof text, "%s over %s: %.3g measured, %.3g simulated",
			 worst->other, worst->gpu, worst->measured, worst->simulated);
		table_text(t, text);
	}
	free(error);
	free(at);
}

static void print_ratios(const struct validation_ratios *r, FILE *to)
{
	static const char *const heading[] = {"set",	"table",    "pairs",   "median\n|error| %",
					      "p90\n%", "worst\n%", "bias\n%", "the worst one"};
	struct table t;

	if (r->n == 0)
		return;
	fputs("Throughput of one GPU over that of another, rows alike but for the GPU\n\n", to);
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0, next; i < r->n; i = next) {
		next = ratios_end(r, i);
		for (int set = 0; set < VALIDATION_SETS; set++)
			add_ratios(&t, &r->ratio[i], next - i, set);
	}
	end(&t, to);
}

/* ---- the worst ---- */

static int by_error(const void *a, const void *b)
{
	const struct validation_point *x = *(const struct validation_point *const *)a;
	const struct validation_point *y = *(const struct validation_point *const *)b;
	double p = fabs(x->error), q = fabs(y->error);

	return p > q ? -1 : p < q ? 1 : x < y ? -1 : x > y;
}

static void add_worst(struct table *t, const struct validation_point *p)
{
	char text[SHOWN + 4];

	snprintf(text, sizeof text, "%s:%" PRId64, p->name, p->line);
	table_text(t, text);
	table_text(t, p->set == VALIDATION_FIT ? "fit" : "check");
	table_text(t, p->gpu);
	table_text(t, p->engine);
	table_text(t, validation_load_names[p->load]);
	table_text(t, p->metric);
	table_number(t, p->measured, 4);
	table_number(t, p->simulated, 4);
	signed_percent(t, p->error);
	snprintf(text, sizeof text, "%.*s%s", SHOWN, p->conditions,
		 strlen(p->conditions) > SHOWN ? "..." : "");
	table_text(t, text);
}

/* Below saturation: beyond it a queue is as long as the run. */
static void print_worst(const struct validation *v, bool all, FILE *to)
{
	static const char *const heading[] = {"row",	 "set",	      "GPU",	  "engine",
					      "load",	 "metric",    "measured", "simulated",
					      "error %", "conditions"};
	const struct validation_point **p = xcalloc(v->points + 1, sizeof *p);
	size_t n = 0;
	struct table t;

	for (size_t i = 0; i < v->points; i++)
		if (!v->point[i].left_out && v->point[i].load != VALIDATION_ABOVE &&
		    (all || v->point[i].set != VALIDATION_FIT))
			p[n++] = &v->point[i];
	qsort(p, n, sizeof *p, by_error);
	fputs("The worst figures, rows above 0.9 of saturation left aside\n\n", to);
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < n && i < WORST_SHOWN; i++)
		add_worst(&t, p[i]);
	end(&t, to);
	free(p);
}

/* ---- what is left out ---- */

static void print_left(const struct validation *v, FILE *to)
{
	static const char *const heading[] = {"left out", "rows", "figures", "why"};
	struct table t;

	if (v->lefts == 0)
		return;
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < v->lefts; i++) {
		table_text(&t, v->left[i].reason);
		table_number(&t, (double)v->left[i].rows, 0);
		table_number(&t, (double)v->left[i].figures, 0);
		table_text(&t, v->left[i].why ? v->left[i].why : "the program refuses it");
	}
	end(&t, to);
}

/* ---- all ---- */

void validation_report_print(const struct validation_answer *a, bool verbose, FILE *to)
{
	const struct validation *v = a->validation;

	fprintf(to,
		"%" PRId64 " of %" PRId64 " measured rows are compared; errors are simulated / "
		"measured - 1\n\n",
		v->rows_compared, v->rows);
	print_goals(&a->goals, to);
	print_groups(v, VALIDATION_BY_ENGINE, verbose, to);
	print_groups(v, VALIDATION_BY_TABLE, verbose, to);
	if (verbose)
		print_groups(v, VALIDATION_BY_TABLE | VALIDATION_BY_ENGINE | VALIDATION_BY_GPU,
			     true, to);
	print_ratios(&a->ratios, to);
	print_worst(v, verbose, to);
	print_left(v, to);
	if (!verbose)
		fputs("--verbose adds the rows that constants were fitted to, and the errors GPU "
		      "by "
		      "GPU.\n",
		      to);
}

static void write_groups(struct json_write *w, const char *key, const struct validation *v,
			 unsigned by)
{
	struct validation_groups g;

	validation_groups_find(&g, v, by);
	document_list(w, key, &validation_group_record, g.group, g.n);
	validation_groups_free(&g);
}

void validation_report_json(const struct validation_answer *a, FILE *to)
{
	const struct validation *v = a->validation;
	struct json_write w;

	document_open(&w, to, "validate", NULL, a->seed);
	document_list(&w, "goals", &validation_goal_record, a->goals.goal, a->goals.n);
	write_groups(&w, "engines", v, VALIDATION_BY_ENGINE);
	write_groups(&w, "tables", v, VALIDATION_BY_TABLE);
	write_groups(&w, "groups", v,
		     VALIDATION_BY_TABLE | VALIDATION_BY_ENGINE | VALIDATION_BY_GPU);
	document_list(&w, "ratios", &validation_ratio_record, a->ratios.ratio, a->ratios.n);
	document_list(&w, "left_out", &validation_left_record, v->left, v->lefts);
	document_list(&w, "results", &validation_point_record, v->point, v->points);
	document_close(&w);
}

void validation_report_csv(const struct validation_answer *a, FILE *to)
{
	record_csv_table(&validation_point_record, a->validation->point, a->validation->points, to);
}
