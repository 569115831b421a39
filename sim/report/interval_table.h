/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure `run` is: the 95 % intervals from chance and from constants, a line a GPU. */
#ifndef REPORT_INTERVAL_TABLE_H
#define REPORT_INTERVAL_TABLE_H

#include <stdio.h>

#include "study/evaluate.h"

/* With a sentence where the constants' interval holds a limit of the SLO. Nothing if no outcome has
 * such an interval. */
void interval_table_print(const struct scenario *s, const struct outcome *o, size_t n, FILE *to);

/* ", mostly by mfu of l4-24gb (assumed)"; nothing if no constant has a say. */
void interval_table_largest(const char *name, FILE *to);

#endif
