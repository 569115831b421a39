/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation_goal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define LONG_RUN 2000 /* requests from which a p99 says something */

const char *const validation_judged_names[] = {"median", "inside", "worst", NULL};

static const struct field fields[] = {
	{.key = "what", .kind = FIELD_TEXT, .offset = offsetof(struct validation_goal, what)},
	{.key = "figure", .kind = FIELD_TEXT, .offset = offsetof(struct validation_goal, figure)},
	{.key = "load", .kind = FIELD_TEXT, .offset = offsetof(struct validation_goal, load)},
	{.key = "judged",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_goal, judged),
	 .of = validation_judged_names},
	{.key = "goal", .kind = FIELD_REAL, .offset = offsetof(struct validation_goal, limit)},
	{.key = "figures",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct validation_goal, summary.figures)},
	{.key = "median",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct validation_goal, summary.median)},
	{.key = "p90", .kind = FIELD_REAL, .offset = offsetof(struct validation_goal, summary.p90)},
	{.key = "worst",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct validation_goal, summary.worst)},
	{.key = "bias",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct validation_goal, summary.bias)},
	{.key = "within", .kind = FIELD_REAL, .offset = offsetof(struct validation_goal, within)},
	{.key = "met", .kind = FIELD_BOOL, .offset = offsetof(struct validation_goal, met)},
};

const struct record validation_goal_record = {.name = "goal",
					      .size = sizeof(struct validation_goal),
					      .fields = COUNT(fields),
					      .field = fields};

/* ---- which figures ---- */

/* Of these paths the first that the row was measured by is what the row is judged by. */
static const char *const ttft[] = {"latency.ttft_ms.p50", "latency.ttft_ms.mean", NULL};
static const char *const tpot[] = {"latency.tpot_ms.p50", "latency.tpot_ms.mean",
				   "latency.itl_ms.p50", "latency.itl_ms.mean", NULL};

static bool has_figure(const struct measured_row *row, const char *path)
{
	for (size_t i = 0; i < row->figures; i++)
		if (strcmp(row->figure[i].path, path) == 0)
			return true;
	return false;
}

static bool leads(const struct validation_point *p, const char *const *paths)
{
	for (; *paths; paths++)
		if (has_figure(p->row, *paths))
			return strcmp(p->metric, *paths) == 0;
	return false;
}

static bool is_p99(const struct validation_point *p)
{
	return strncmp(p->metric, "latency.", 8) == 0 && text_ends(p->metric, ".p99");
}

/* Whether a p99 says something; one in which nothing is drawn by chance does. */
static bool is_long(const struct validation_point *p)
{
	return p->replayed || p->requests >= LONG_RUN || !isfinite(p->band[0]);
}

static bool is_engine(const struct validation_point *p, const char *engine)
{
	return strcmp(p->engine, engine) == 0;
}

static bool is_recent(const struct validation_point *p)
{
	return p->set == VALIDATION_CHECK && is_engine(p, "vllm");
}

static bool is_old(const struct validation_point *p)
{
	return p->set == VALIDATION_CHECK && is_engine(p, "vllm-0.7");
}

static bool is_other(const struct validation_point *p)
{
	return p->set == VALIDATION_CHECK && !is_recent(p) && !is_old(p);
}

static bool is_unfitted(const struct validation_point *p)
{
	return p->set == VALIDATION_UNFITTED;
}

/* ---- goals ---- */

static const struct population {
	const char *what;
	bool (*has)(const struct validation_point *);
	double limit;
} populations[] = {
	{"vLLM 0.14 and later", is_recent, 0.03},
	{"other engines", is_other, 0.05},
	{"vLLM 0.7", is_old, 0.1},
	{"GPUs that nothing was fitted on", is_unfitted, 0.1},
};

static bool is_within(double error, const struct validation_goal *goal)
{
	return fabs(error) <= goal->limit;
}

static bool is_met(const struct validation_goal *goal)
{
	if (goal->judged == VALIDATION_INSIDE)
		return goal->within >= goal->limit;
	return goal->limit >=
	       (goal->judged == VALIDATION_WORST ? goal->summary.worst : goal->summary.median);
}

/* Of n errors, and of a band how many of the measured figures it holds. */
static void add_goal(struct validation_goals *g, struct validation_goal goal, const double *error,
		     size_t n, size_t inside)
{
	size_t within = inside;

	for (size_t i = 0; i < n && goal.judged != VALIDATION_INSIDE; i++)
		within += is_within(error[i], &goal);
	goal.summary = validation_summarise(error, n);
	goal.within = n ? (double)within / (double)n : (double)NAN;
	goal.met = is_met(&goal);
	g->goal = xrealloc(g->goal, (g->n + 1) * sizeof *g->goal);
	g->goal[g->n++] = goal;
}

static void add_latency(struct validation_goals *g, const struct validation *v,
			const struct population *of, const char *const *paths, const char *figure,
			enum validation_load load)
{
	double *error = xcalloc(v->points + 1, sizeof *error);
	size_t n = 0;

	for (size_t i = 0; i < v->points; i++) {
		const struct validation_point *p = &v->point[i];

		if (!p->left_out && p->load == (int)load && of->has(p) && leads(p, paths))
			error[n++] = p->error;
	}
	add_goal(g,
		 (struct validation_goal){.what = of->what,
					  .figure = figure,
					  .load = validation_load_names[load],
					  .limit = of->limit},
		 error, n, 0);
	free(error);
}

static void add_tail(struct validation_goals *g, const struct validation *v, bool long_runs)
{
	double *error = xcalloc(v->points + 1, sizeof *error);
	size_t n = 0, inside = 0;

	for (size_t i = 0; i < v->points; i++) {
		const struct validation_point *p = &v->point[i];

		if (p->left_out || p->load != VALIDATION_BELOW || p->set == VALIDATION_FIT ||
		    !is_p99(p) || is_long(p) != long_runs)
			continue;
		error[n++] = p->error;
		inside += p->inside && !long_runs;
	}
	add_goal(g,
		 (struct validation_goal){.what = long_runs ? "replayed, or 2,000 requests and more"
							    : "shorter runs, inside the band",
					  .figure = "p99",
					  .load = validation_load_names[VALIDATION_BELOW],
					  .judged =
						  long_runs ? VALIDATION_MEDIAN : VALIDATION_INSIDE,
					  .limit = long_runs ? 0.08 : 0.9},
		 error, n, inside);
	free(error);
}

static void add_ratios(struct validation_goals *g, const struct validation_ratios *ratios)
{
	double *error = xcalloc(ratios->n + 1, sizeof *error);
	size_t n = 0;
	struct validation_goal goal = {
		.what = "one GPU for another", .figure = "throughput ratio", .limit = 0.05};

	for (size_t i = 0; i < ratios->n; i++)
		if (ratios->ratio[i].set != VALIDATION_FIT)
			error[n++] = ratios->ratio[i].error;
	add_goal(g, goal, error, n, 0);
	goal.judged = VALIDATION_WORST;
	goal.limit = 0.1;
	add_goal(g, goal, error, n, 0);
	free(error);
}

void validation_goals_find(struct validation_goals *g, const struct validation *v,
			   const struct validation_ratios *ratios)
{
	static const enum validation_load loads[] = {VALIDATION_BELOW, VALIDATION_CLOSED};

	*g = (struct validation_goals){0};
	for (size_t k = 0; k < COUNT(loads); k++)
		for (size_t i = 0; i < COUNT(populations); i++) {
			add_latency(g, v, &populations[i], ttft, "TTFT p50", loads[k]);
			add_latency(g, v, &populations[i], tpot, "TPOT", loads[k]);
		}
	add_tail(g, v, true);
	add_tail(g, v, false);
	add_ratios(g, ratios);
}

void validation_goals_free(struct validation_goals *g)
{
	free(g->goal);
	*g = (struct validation_goals){0};
}
