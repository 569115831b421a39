/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "base/xmalloc.h"
#include "report/column.h"
#include "report/provenance_text.h"
#include "report/scenario_text.h"

/* ---- points ---- */

void sweep_report_value(char text[SWEEP_REPORT_VALUE], const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (!*value || *end || !isfinite(number))
		snprintf(text, SWEEP_REPORT_VALUE, "%.40s", value);
	else if (fabs(number) < 1e4)
		snprintf(text, SWEEP_REPORT_VALUE, "%.4g", number);
	else
		number_plain(text, number);
}

void sweep_report_point(const struct sweep *w, size_t point, FILE *to)
{
	for (size_t i = 0; i < w->axes; i++) {
		char text[SWEEP_REPORT_VALUE];

		sweep_report_value(text, w->point[point].value[i]);
		fprintf(to, "%s%s %s", i ? ", " : "", w->axis[i].path, text);
	}
}

/* "traffic.arrivals.rate" over two lines. */
void sweep_report_headings(const struct sweep *w, struct table *t)
{
	for (size_t i = 0; i < w->axes; i++) {
		const char *path = w->axis[i].path, *dot = strrchr(path, '.');
		char *text = dot ? xasprintf("%.*s\n%s", (int)(dot + 1 - path), path, dot + 1)
				 : xstrdup(path);

		table_text(t, text);
		free(text);
	}
}

void sweep_report_values(const struct sweep *w, size_t point, struct table *t)
{
	for (size_t i = 0; i < w->axes; i++) {
		char text[SWEEP_REPORT_VALUE];

		sweep_report_value(text, w->point[point].value[i]);
		table_right(t, text);
	}
}

/* ---- GPUs ---- */

/* The sweep as a grid: a line a point, a cell a GPU. */
struct grid {
	const struct scenario *scenario;
	const struct sweep *w;
	const char **gpu;
	size_t gpus;
	const struct outcome **cell; /* points x gpus; NULL: not asked for */
};

static size_t gpu_index(struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->gpus; i++)
		if (strcmp(g->gpu[i], name) == 0)
			return i;
	g->gpu = xrealloc(g->gpu, (g->gpus + 1) * sizeof *g->gpu);
	g->gpu[g->gpus] = name;
	return g->gpus++;
}

static void lay_out(struct grid *g, const struct sweep_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		gpu_index(g, r->run[i].outcome.gpu);
	g->cell = xcalloc(g->w->points * g->gpus, sizeof(const struct outcome *));
	for (size_t i = 0; i < r->n; i++) {
		size_t gpu = gpu_index(g, r->run[i].outcome.gpu);

		g->cell[r->run[i].point * g->gpus + gpu] = &r->run[i].outcome;
	}
}

static const struct outcome *cell(const struct grid *g, size_t point, size_t gpu)
{
	return g->cell[point * g->gpus + gpu];
}

static bool holds(const struct grid *g, size_t point, size_t gpu)
{
	const struct outcome *o = cell(g, point, gpu);

	return o && o->verdict == VERDICT_OK;
}

/* ---- how far each GPU holds ---- */

/* Points asked for, those that hold, how often neighbours differ, and the last before the first
 * change. */
struct reach {
	size_t asked, held, changes, last;
};

static struct reach find_reach(const struct grid *g, size_t gpu)
{
	struct reach r = {0};
	size_t before = SIZE_MAX;

	for (size_t i = 0; i < g->w->points; i++) {
		if (!cell(g, i, gpu))
			continue;
		r.asked++;
		r.held += holds(g, i, gpu);
		if (before != SIZE_MAX && holds(g, i, gpu) != holds(g, before, gpu)) {
			r.last = r.changes++ ? r.last : before;
		}
		before = i;
	}
	return r;
}

/* "at traffic.arrivals.rate 8: slo-missed: ttft_ms p99 is ..." of the first from `point` on. */
static void print_failure(const struct grid *g, size_t point, size_t gpu, FILE *to)
{
	const struct outcome *o;

	while (!(o = cell(g, point, gpu)) || o->verdict == VERDICT_OK)
		point++;
	fputs("at ", to);
	sweep_report_point(g->w, point, to);
	fprintf(to, " %s: %s\n", verdict_names[o->verdict], o->reason);
}

static void print_reach(const struct grid *g, size_t gpu, FILE *to)
{
	struct reach r = find_reach(g, gpu);
	bool ordered = g->w->axes == 1 && g->w->axis[0].numbers && r.changes == 1;

	fprintf(to, "%s holds ", g->gpu[gpu]);
	if (r.held == r.asked && r.asked == 1) {
		fputs("at its point\n", to);
	} else if (r.held == r.asked) {
		fprintf(to, "at all %zu points\n", r.asked);
	} else if (r.held == 0) {
		fputs("at no point; ", to);
		print_failure(g, 0, gpu, to);
	} else if (ordered) {
		bool below = holds(g, r.last, gpu);

		fputs(below ? "up to " : "from ", to);
		sweep_report_point(g->w, below ? r.last : r.last + 1, to);
		fputs(below ? "; " : " on; ", to);
		print_failure(g, below ? r.last : 0, gpu, to);
	} else {
		fprintf(to, "at %zu of %zu points; first not ", r.held, r.asked);
		print_failure(g, 0, gpu, to);
	}
}

/* ---- tables ---- */

/* What a mark says in place of a number: a queue that grows has no percentile. */
static const char *mark(const struct scenario *s, const struct outcome *o)
{
	if (o->verdict == VERDICT_OVERLOADED)
		return traffic_is_terminating(&s->traffic) ? "overload" : "grows";
	if (o->verdict == VERDICT_DOES_NOT_FIT)
		return "no fit";
	return o->verdict == VERDICT_UNSUPPORTED ? "no" : NULL;
}

/* The share used of the limit that binds, without limits the throughput; "!" where it is missed,
 * "?" where that is not certain. */
static void add_state(struct table *t, const struct scenario *s, const struct outcome *o)
{
	double value = slo_is_set(&s->slo) ? exp(o->excess) : o->output_tokens_per_s;
	const char *word = mark(s, o);
	char number[NUMBER_TEXT], text[NUMBER_TEXT + 4];

	number_text(number, value, 3);
	snprintf(text, sizeof text, "%s%s%s", word ? word : number,
		 o->verdict == VERDICT_SLO_MISSED ? "!" : "", o->certain ? "" : "?");
	table_right(t, text);
}

/* The cheapest GPU that holds at a point, or NULL. */
static const char *cheapest(const struct grid *g, size_t point)
{
	const char *name = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < g->gpus; i++)
		if (holds(g, point, i) && cell(g, point, i)->usd_per_1k_requests < least) {
			least = cell(g, point, i)->usd_per_1k_requests;
			name = g->gpu[i];
		}
	return name;
}

static void add_grid_row(struct table *t, const struct grid *g, size_t point)
{
	const struct scenario *s = g->w->point[point].scenario;

	sweep_report_values(g->w, point, t);
	for (size_t i = 0; i < g->gpus; i++) {
		const struct outcome *o = cell(g, point, i);

		if (o)
			add_state(t, s, o);
		else
			table_right(t, "-");
		table_number(t, o && !mark(s, o) ? o->usd_per_1k_requests : (double)NAN, 3);
	}
	table_text(t, cheapest(g, point));
}

static void print_grid(const struct grid *g, FILE *to)
{
	const char *state = slo_is_set(&g->scenario->slo) ? "of limit" : "out tok/s";
	struct table t;

	table_init(&t, g->w->axes + 2 * g->gpus + 1);
	sweep_report_headings(g->w, &t);
	for (size_t i = 0; i < g->gpus; i++) {
		char *heading = xasprintf("%s\n%s", g->gpu[i], state);

		table_text(&t, heading);
		table_text(&t, "$ per 1k\nrequests");
		free(heading);
	}
	table_text(&t, "cheapest\nthat holds");
	for (size_t i = 0; i < g->w->points; i++)
		add_grid_row(&t, g, i);
	table_print(&t, to);
	table_free(&t);
	fputs(slo_is_set(&g->scenario->slo) ? "of limit: the share used of the limit that binds; ! "
					      "missed, ? not certain\n"
					    : "? not certain\n",
	      to);
}

static const struct column behind[] = {
	{"out tok/s", "throughput.output_tokens_per_s", 4},
	{"busy", "utilization.busy", 2},
	{"batch", "utilization.batch_mean", 3},
	{"$/h", "cost.usd_per_hour", 4},
	{"$ per 1k\nrequests", "cost.usd_per_1k_requests", 3},
	{"$ per 1M\nout tok", "cost.usd_per_1m_output_tokens", 3},
};

#define COLUMNS_MAX (COLUMN_LATENCIES_MAX + COUNT(behind))

static void add_details(struct table *t, const struct column *c, size_t n, const struct scenario *s,
			const struct outcome *o)
{
	table_text(t, verdict_names[o->verdict]);
	for (size_t i = 0; i < n; i++)
		if (column_grows(&c[i], s, o))
			table_right(t, "grows");
		else
			table_number(t, column_value(&c[i], &outcome_record, o), c[i].digits);
}

/* A single GPU, or one a point, has room for more than a cell. */
static void print_rows(const struct grid *g, const struct sweep_runs *r, FILE *to)
{
	struct column c[COLUMNS_MAX];
	size_t n = column_latencies(c, &g->scenario->slo, false);
	struct table t;

	memcpy(c + n, behind, sizeof behind);
	n += COUNT(behind);
	table_init(&t, g->w->axes + 1 + (g->gpus > 1) + n);
	sweep_report_headings(g->w, &t);
	if (g->gpus > 1)
		table_text(&t, "GPU");
	table_text(&t, "verdict");
	for (size_t i = 0; i < n; i++)
		table_text(&t, c[i].heading);
	for (size_t i = 0; i < r->n; i++) {
		const struct outcome *o = &r->run[i].outcome;

		sweep_report_values(g->w, r->run[i].point, &t);
		if (g->gpus > 1)
			table_text(&t, o->gpu);
		add_details(&t, c, n, g->w->point[r->run[i].point].scenario, o);
	}
	table_print(&t, to);
	table_free(&t);
}

/* Of each GPU's first point: points may differ in a constant that is given. */
static void print_constants(const struct grid *g, bool all, FILE *to)
{
	for (size_t i = 0; i < g->gpus; i++) {
		size_t point = 0;

		while (!cell(g, point, i))
			point++;
		provenance_text(g->gpu[i], &cell(g, point, i)->provenance, all, to);
	}
}

void sweep_report_print(const struct scenario *s, const struct sweep *w, const struct sweep_runs *r,
			struct run_report_style style, FILE *to)
{
	struct grid g = {.scenario = s, .w = w};

	lay_out(&g, r);
	scenario_text_print(s, to);
	fputc('\n', to);
	for (size_t i = 0; i < g.gpus; i++)
		print_reach(&g, i, to);
	fputc('\n', to);
	if (r->n > w->points)
		print_grid(&g, to);
	else
		print_rows(&g, r, to);
	fputc('\n', to);
	print_constants(&g, style.verbose, to);
	free(g.gpu);
	free(g.cell);
}
