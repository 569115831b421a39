/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a GPU works under its roofline: the rates it has, and what prefill and decode steps made of
 * them. FLOPs and bytes are of one GPU of a unit, SI units (docs/model.md, "Phases").
 */
#ifndef STUDY_ROOFLINE_USE_H
#define STUDY_ROOFLINE_USE_H

#include "base/record.h"
#include "study/step_counts.h"

/* Some of the busy time and what was done in it. */
struct roofline_part {
	double busy_s, busy_share; /* of all busy time */
	double flops, bytes;
	double flop_per_byte, flop_per_s; /* NAN: it has no FLOPs */
};

/* A term of the step cost, or what no term explains. */
struct roofline_term {
	char *name;
	struct roofline_part part;
};

/* One kind of step. */
struct roofline_phase {
	int phase; /* enum step_kind */
	int64_t steps;
	double tokens_a_step;
	struct roofline_part part;
	struct record_list term; /* of struct roofline_term; they add up to the phase */
};

struct roofline_use {
	char *gpu;
	double peak_flop_per_s, peak_byte_per_s;	   /* the datasheet's, of the type used */
	double sustained_flop_per_s, sustained_byte_per_s; /* times mfu, times mbu */
	struct record_list phase; /* of struct roofline_phase; those that had steps */
};

extern const struct record roofline_use_record, roofline_phase_record, roofline_term_record;

/* Of pool number `pool` of the fleet, units of the step cost c on that GPU. */
void roofline_use_fill(struct roofline_use *r, const struct load *l, size_t pool,
		       const struct step_cost *c, const char *gpu);

#endif
