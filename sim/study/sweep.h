/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One scenario at many points: the grid of one or two parameters, each point a layer on top of all
 * others. Points are read one after another and answered in parallel, by index, so that results are
 * the same for any number of jobs.
 */
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include "study/replace.h"
#include "study/sweep_axis.h"

#define SWEEP_AXES_MAX 2

struct sweep_point {
	const char *value[SWEEP_AXES_MAX]; /* of each axis */
	struct scenario *scenario;	   /* without `resolved` */
};

struct sweep {
	size_t axes;
	struct sweep_axis axis[SWEEP_AXES_MAX];
	size_t points; /* the last axis runs fastest */
	struct sweep_point *point;
};

/*
 * Reads the axes (`over`: one or two texts for sweep_axis_read(), NULL-terminated) and the scenario
 * at each point; `base` has the scenario without them. False with d filled, and something to free.
 */
bool sweep_init(struct sweep *w, const char *const *over, const struct evaluate_setup *base,
		const struct scenario_source *from, const struct scenario_options *options,
		struct diag *d);
void sweep_free(struct sweep *w);

/* ", at the point a=1, b=fp8" behind the message, unless the place says so already. */
void sweep_blame(const struct sweep *w, size_t point, struct diag *d);

/* What a GPU did at a point. */
struct sweep_run {
	size_t point, candidate;
	struct outcome outcome;
};
struct sweep_runs {
	size_t n;
	struct sweep_run *run; /* point by point, each point's candidates in order */
};

/* evaluate() of every candidate at every point; `base` but for its scenario. False with d filled.
 */
bool sweep_evaluate(struct sweep_runs *r, const struct sweep *w, const struct evaluate_setup *base,
		    struct diag *d);
void sweep_runs_free(struct sweep_runs *r);

/* replace_run() at every point: r has one a point, each to be given to replace_free(). False with d
 * filled. */
bool sweep_replace(struct replacement *r, const struct sweep *w, const struct replace_setup *base,
		   struct diag *d);

#endif
