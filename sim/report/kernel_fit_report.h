/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Constants fitted to kernels. */
#ifndef REPORT_KERNEL_FIT_REPORT_H
#define REPORT_KERNEL_FIT_REPORT_H

#include <stdio.h>

#include "base/json_write.h"
#include "study/kernel_fit.h"

/* A line a constant, then a line a kind of kernel. */
void kernel_fit_report_print(const struct kernel_fit *f, const struct gpu *g, FILE *to);
/* The one element of `results`. */
void kernel_fit_report_json(const struct kernel_fit *f, const struct gpu *g, struct json_write *w);

#endif
