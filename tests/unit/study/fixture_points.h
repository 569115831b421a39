/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Validated figures by hand. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_POINTS_H
#define TESTS_UNIT_STUDY_FIXTURE_POINTS_H

#include <math.h>

#include "study/validation.h"

/* A figure simulated at (1 + error) times a measured 100; `row` tells rows apart. */
static inline struct validation_point fixture_point(const struct measured_row *row,
						    const char *metric, double error)
{
	return (struct validation_point){
		.row = row,
		.name = "t",
		.source = "s",
		.metric = metric,
		.line = row->line,
		.gpu = "l4",
		.engine = "vllm",
		.conditions = "",
		.pair = "",
		.set = VALIDATION_CHECK,
		.load = VALIDATION_BELOW,
		.requests = 200,
		.measured = 100,
		.simulated = 100 * (1 + error),
		.band = {90 * (1 + error), 110 * (1 + error)},
		.error = error,
	};
}

#endif
