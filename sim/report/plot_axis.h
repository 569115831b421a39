/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a swept parameter is called on an axis. */
#ifndef REPORT_PLOT_AXIS_H
#define REPORT_PLOT_AXIS_H

/* "traffic.input.mean [tokens]": the path with the unit that its key says, if any; owned by the
 * caller. */
char *plot_axis_label(const char *path);

#endif
