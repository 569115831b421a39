/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no server can do: the bandwidth and the FLOP/s of the datasheet against a measured figure.
 */
#ifndef STUDY_VALIDATION_FLOOR_H
#define STUDY_VALIDATION_FLOOR_H

#include "scenario/measured.h"
#include "study/unit.h"

/*
 * NULL, or which floor a measured figure breaks:
 *
 *	TPOT, ITL (mean, p50)	one sequence's step reads every weight that it needs once
 *	TTFT (mean; p50 where all prompts are alike)	a prompt's linear layers at the dense peak
 *	requests/s, tokens/s	the linear layers of whole requests at the dense peak; tokens that
 *				max_num_seqs sequences can emit while the weights are read once
 *
 * Attention, collectives and the host count as free, and of a mixture of experts one token's
 * experts alone are read: what breaks this is no measurement of that model on that GPU.
 */
const char *validation_floor_breaks(const struct measured_figure *f, const struct scenario *s,
				    const struct unit *u);

#endif
