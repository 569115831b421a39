/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script of the cost picture: the template plots/cost.gp with its title and series above it. */
#ifndef REPORT_COST_PLOT_H
#define REPORT_COST_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "study/replace.h"

/* Copies the template (a file) to `to` behind its settings; false with d filled if it cannot be
 * read. */
bool cost_plot_script(const struct replacement *r, const char *title, const char *template_file,
		      FILE *to, struct diag *d);

/* Whether there is anything to draw: a point with a price. */
bool cost_plot_has_lines(const struct replacement *r);

#endif
