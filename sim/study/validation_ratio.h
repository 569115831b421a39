/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replacement ratios: how many times the throughput of one GPU another has, measured and simulated,
 * where two rows of a table differ in their GPU alone. */
#ifndef STUDY_VALIDATION_RATIO_H
#define STUDY_VALIDATION_RATIO_H

#include "study/validation_group.h"

struct validation_ratio {
	const char *table, *gpu, *other; /* other over gpu; the validation's texts */
	const char *metric, *conditions, *engine;
	int64_t line, other_line;
	int set; /* fit if either row is; unfitted if either GPU is */
	double measured, simulated, error;
};
extern const struct record validation_ratio_record;

struct validation_ratios {
	size_t n;
	struct validation_ratio *ratio;
};

/* Of closed loops and offline runs, by one throughput a row: output tokens, else total tokens, else
 * requests. Of rows of one GPU that are alike, check rows before fit rows, the first counts. */
void validation_ratios_find(struct validation_ratios *r, const struct validation *v);
void validation_ratios_free(struct validation_ratios *r);

#endif
