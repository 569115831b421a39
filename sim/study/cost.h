/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost against rate for a replacement: each GPU with the fewest whole units that hold the rate. */
#ifndef STUDY_COST_H
#define STUDY_COST_H

#include "base/progress.h"
#include "study/side.h"

#define COST_RATES 20 /* 5, 10 ... 100 % of the from side's capacity */

struct cost_curve {
	struct side *side; /* settled, the from side first; one that cannot replace holds nothing */
	size_t sides;
	double full_rps; /* 100 %, held by the units of the sides' results */
	int jobs;
	struct progress *progress;
	size_t done; /* its steps so far */
};

/* Fills COST_RATES points for each side, one side behind another. If a trace fails, its side says
 * so. */
void cost_curve_fill(const struct cost_curve *c, struct cost_point *point);

#endif
