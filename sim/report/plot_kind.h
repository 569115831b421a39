/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a result document: what is drawn, from which results. A new kind is a file, a
 * template plots/NAME.gp and a line in plot_kinds[]. */
#ifndef REPORT_PLOT_KIND_H
#define REPORT_PLOT_KIND_H

#include <stdbool.h>
#include <stdio.h>
#include <cjson/cJSON.h>

struct plot_kind {
	const char *name, *help;	  /* of NAME.csv, NAME.gp, NAME.svg, plots/NAME.gp */
	const char *made_by;		  /* what writes a document that has its data */
	bool (*has)(const cJSON *result); /* at least one value that can be drawn */
	void (*write_csv)(const cJSON *result, FILE *to);  /* with a heading */
	void (*write_head)(const cJSON *result, FILE *to); /* plot_head.h; TITLE is there already */
};

extern const struct plot_kind plot_cost, plot_bars, plot_latency, plot_pareto, plot_heat, plot_cdf,
	plot_roofline, plot_timeline, plot_validation;
/* All of them, NULL-terminated. */
extern const struct plot_kind *const plot_kinds[];

#endif
