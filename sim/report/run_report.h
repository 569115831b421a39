/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `run` found, for people: one line a GPU, then what each verdict means, in sentences. */
#ifndef REPORT_RUN_REPORT_H
#define REPORT_RUN_REPORT_H

#include <stdio.h>

#include "study/evaluate.h"

struct run_report_style {
	bool color, verbose; /* verbose: the origin of each constant */
};

/* What a result notes, why it has no price, and GPUs that are paid for beyond those asked for. */
void run_report_notes(const struct outcome *o, FILE *to);

void run_report_print(const struct scenario *s, const struct outcome *o, size_t n,
		      struct run_report_style style, FILE *to);

#endif
