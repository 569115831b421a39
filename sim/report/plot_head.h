/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings above a picture's template: one gnuplot assignment a line. */
#ifndef REPORT_PLOT_HEAD_H
#define REPORT_PLOT_HEAD_H

#include <stdio.h>

#include "base/record.h"

/* NAME = 'text': control characters are blanks. */
void plot_head_text(FILE *to, const char *name, const char *text);
/* NAME = value; NAN is NaN. */
void plot_head_real(FILE *to, const char *name, double value);
/* array NAME[n] = ['text', ...]; of an empty list, one empty text. */
void plot_head_texts(FILE *to, const char *name, const struct record_list *texts);
/* array NAME[n] = [value, ...], of finite ones; of none, one NaN. gnuplot takes a text with an
 * exponent for no number. */
void plot_head_reals(FILE *to, const char *name, const double *value, size_t count);

#endif
