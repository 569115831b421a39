/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What constants a result rests on: which were assumed in a line, all of them in a list. */
#ifndef REPORT_PROVENANCE_TEXT_H
#define REPORT_PROVENANCE_TEXT_H

#include <stdio.h>

#include "base/record.h"

/* "l4-24gb: assumed, not measured: mfu, amfu", nothing if none was; with `all` a line a constant.
 * `list`: texts "mfu: assumed (...)". */
void provenance_text(const char *gpu, const struct record_list *list, bool all, FILE *to);

#endif
