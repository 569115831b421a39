/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated against measured: tables for people, the document, the figures as CSV. */
#ifndef REPORT_VALIDATION_REPORT_H
#define REPORT_VALIDATION_REPORT_H

#include <stdio.h>

#include "study/validation_goal.h"

struct validation_answer {
	const struct validation *validation;
	struct validation_goals goals;
	struct validation_ratios ratios;
	int64_t seed; /* RECORD_INT_UNSET: each scenario's own */
};

/* The goals first, then check rows by engine and by table, ratios, the worst figures, what is left
 * out; `verbose`: fit rows too, and every group of table, GPU and engine. */
void validation_report_print(const struct validation_answer *a, bool verbose, FILE *to);
void validation_report_json(const struct validation_answer *a, FILE *to);
void validation_report_csv(const struct validation_answer *a, FILE *to);

#endif
