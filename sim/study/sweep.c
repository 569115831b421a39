/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/xmalloc.h"

/* ---- points ---- */

void sweep_free(struct sweep *w)
{
	for (size_t i = 0; i < w->points; i++)
		scenario_del(w->point[i].scenario);
	free(w->point);
	for (size_t i = 0; i < w->axes; i++)
		sweep_axis_free(&w->axis[i]);
	*w = (struct sweep){0};
}

void sweep_blame(const struct sweep *w, size_t point, struct diag *d)
{
	bool told = w->axes == 1 && strncmp(d->file, "--over ", 7) == 0;

	for (size_t i = 0; i < w->axes && !told; i++)
		text_add(d->message, sizeof d->message, "%s%s=%s", i ? ", " : ", at the point ",
			 w->axis[i].path, w->point[point].value[i]);
}

static bool read_axes(struct sweep *w, const char *const *over, const struct scenario *s,
		      struct diag *d)
{
	for (; over[w->axes]; w->axes++) {
		if (w->axes == SWEEP_AXES_MAX)
			return diag_fail(d, "a sweep has at most %d --over", SWEEP_AXES_MAX);
		if (!sweep_axis_read(&w->axis[w->axes], over[w->axes], s, d))
			return false;
	}
	if (w->axes == 2 && strcmp(w->axis[0].path, w->axis[1].path) == 0)
		return diag_fail(d, "both --over change %s", w->axis[0].path);
	return true;
}

/* The scenario at one point. */
static bool read_point(const struct sweep *w, size_t i, const struct scenario_source *from,
		       const struct scenario_options *options, struct diag *d)
{
	struct scenario_options at = *options;
	const char *sets[SWEEP_AXES_MAX + 1] = {NULL};
	struct sweep_point *p = &w->point[i];

	for (size_t k = 0; k < w->axes; k++)
		sets[k] = xasprintf("%s=%s", w->axis[k].path, p->value[k]);
	at.points = sets;
	p->scenario = scenario_read_from(from, &at, d);
	for (size_t k = 0; k < w->axes; k++)
		free((char *)sets[k]);
	if (!p->scenario) {
		sweep_blame(w, i, d);
		return false;
	}
	cJSON_Delete(p->scenario->resolved); /* of no use here, and large */
	p->scenario->resolved = NULL;
	return true;
}

static void lay_out(struct sweep *w)
{
	size_t inner = w->axes > 1 ? w->axis[1].count : 1;

	w->points = w->axis[0].count * inner;
	w->point = xcalloc(w->points, sizeof *w->point);
	for (size_t i = 0; i < w->points; i++) {
		w->point[i].value[0] = w->axis[0].value[i / inner];
		if (w->axes > 1)
			w->point[i].value[1] = w->axis[1].value[i % inner];
	}
}

static bool read_points(struct sweep *w, const struct scenario_source *from,
			const struct scenario_options *options, bool quiet, struct diag *d)
{
	struct progress p;
	bool fine = true;

	progress_init(&p, "reading points", w->points, quiet);
	for (size_t i = 0; i < w->points && fine; i++) {
		fine = read_point(w, i, from, options, d);
		progress_step(&p, i + 1);
	}
	progress_end(&p);
	return fine;
}

bool sweep_init(struct sweep *w, const char *const *over, const struct evaluate_setup *base,
		const struct scenario_source *from, const struct scenario_options *options,
		struct diag *d)
{
	*w = (struct sweep){0};
	if (!read_axes(w, over, base->scenario, d))
		return false;
	if (w->axes > 1 && w->axis[0].count * w->axis[1].count > SWEEP_POINTS_MAX)
		return diag_fail(d, "%zu values by %zu are %zu points; a sweep has at most %d",
				 w->axis[0].count, w->axis[1].count,
				 w->axis[0].count * w->axis[1].count, SWEEP_POINTS_MAX);
	lay_out(w);
	return read_points(w, from, options, base->quiet, d);
}

/* ---- answers ---- */

/* Work on a flat list of jobs, each at a point. */
struct task {
	const struct sweep *w;
	const struct evaluate_setup *base;
	const struct replace_setup *replace;
	struct sweep_runs *runs;
	struct replacement *replacement;
	struct diag **failed; /* a diag a job, NULL: it did not */
	size_t n;
	struct progress progress;
};

/* The setup of one job: processors that are left over share its replications. */
static struct evaluate_setup setup_at(const struct task *task, const struct evaluate_setup *base,
				      size_t point)
{
	struct evaluate_setup setup = *base;

	setup.scenario = task->w->point[point].scenario;
	setup.jobs = parallel_inner(task->n, base->jobs);
	setup.quiet = true;
	return setup;
}

static void keep_failure(struct task *task, size_t i, size_t point, const struct diag *d)
{
	task->failed[i] = xmalloc(sizeof *d);
	*task->failed[i] = *d;
	sweep_blame(task->w, point, task->failed[i]);
}

static void evaluate_one(size_t i, void *arg)
{
	struct task *task = arg;
	struct sweep_run *run = &task->runs->run[i];
	const struct evaluate_setup setup = setup_at(task, task->base, run->point);
	struct diag d;

	diag_init(&d);
	if (!evaluate(&setup, run->candidate, &run->outcome, &d))
		keep_failure(task, i, run->point, &d);
}

static void replace_one(size_t i, void *arg)
{
	struct task *task = arg;
	struct replace_setup setup = *task->replace;
	struct diag d;

	diag_init(&d);
	setup.base = setup_at(task, &task->replace->base, i);
	if (!replace_run(&setup, &task->replacement[i], &d))
		keep_failure(task, i, i, &d);
}

static void step(size_t count, void *arg)
{
	struct task *task = arg;

	progress_step(&task->progress, count);
}

/* The first job's message, if one failed. */
static bool work_through(struct task *task, const struct evaluate_setup *base,
			 void (*body)(size_t, void *), struct diag *d)
{
	bool fine = true;

	task->failed = xcalloc(task->n, sizeof(struct diag *));
	progress_init(&task->progress, "sweeping", task->n, base->quiet);
	parallel_for(task->n, base->jobs, body, step, task);
	progress_end(&task->progress);
	for (size_t i = 0; i < task->n; i++) {
		if (task->failed[i] && fine)
			*d = *task->failed[i];
		fine = fine && !task->failed[i];
		free(task->failed[i]);
	}
	free(task->failed);
	return fine;
}

bool sweep_evaluate(struct sweep_runs *r, const struct sweep *w, const struct evaluate_setup *base,
		    struct diag *d)
{
	struct task task = {.w = w, .base = base, .runs = r};
	size_t n = 0;

	for (size_t i = 0; i < w->points; i++)
		task.n += w->point[i].scenario->candidates;
	*r = (struct sweep_runs){.n = task.n, .run = xcalloc(task.n, sizeof *r->run)};
	for (size_t i = 0; i < w->points; i++)
		for (size_t c = 0; c < w->point[i].scenario->candidates; c++, n++)
			r->run[n] = (struct sweep_run){.point = i, .candidate = c};
	return work_through(&task, base, evaluate_one, d);
}

void sweep_runs_free(struct sweep_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		outcome_free(&r->run[i].outcome);
	free(r->run);
	*r = (struct sweep_runs){0};
}

bool sweep_replace(struct replacement *r, const struct sweep *w, const struct replace_setup *base,
		   struct diag *d)
{
	struct task task = {.w = w, .replace = base, .replacement = r, .n = w->points};

	return work_through(&task, &base->base, replace_one, d);
}
