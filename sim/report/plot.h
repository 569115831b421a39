/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script of a picture: its settings, plots/style.gp and its template plots/NAME.gp in one file
 * that gnuplot draws beside the data. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "base/diag.h"
#include "report/plot_kind.h"

#define PLOT_KINDS_MAX 32

/* The kinds that this document has data for, NULL-terminated, into PLOT_KINDS_MAX + 1 places. */
void plot_list(const cJSON *result, const struct plot_kind **kinds);
/* NULL with d filled: there is no such kind. */
const struct plot_kind *plot_find(const char *name, struct diag *d);
/* Writes the script; false with d filled if a template of `data_dir` cannot be read. */
bool plot_script(const struct plot_kind *kind, const cJSON *result, const char *data_dir, FILE *to,
		 struct diag *d);

#endif
