/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One parameter of a sweep: a path of the scenario and the values that it takes. */
#ifndef STUDY_SWEEP_AXIS_H
#define STUDY_SWEEP_AXIS_H

#include "scenario/scenario.h"

#define SWEEP_POINTS_MAX 10000

struct sweep_axis {
	char *path;
	size_t count;
	char **value; /* as behind the = of a --set */
	bool numbers; /* all are, and rise */
};

/*
 * Reads "PATH=lo:hi:n", "PATH=lo:hi:n:log" or "PATH=a,b,c". Commas inside brackets or quotes part
 * no values. A range has n values, lo and hi among them, evenly spaced, with log their logarithms.
 * Of a whole number of the scenario they are rounded, and a value met again is left out. False with
 * d filled, the place being "--over TEXT", and nothing to free.
 */
bool sweep_axis_read(struct sweep_axis *a, const char *text, const struct scenario *s,
		     struct diag *d);
void sweep_axis_free(struct sweep_axis *a);

#endif
