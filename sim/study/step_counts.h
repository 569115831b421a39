/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a kind, as a load's runs counted them in the measured slices of all replications,
 * and what a term of their cost comes to in all of them.
 */
#ifndef STUDY_STEP_COUNTS_H
#define STUDY_STEP_COUNTS_H

#include "study/load.h"

enum step_kind {
	STEPS_PREFILL, /* a prompt's chunk is in them, alone or beside sequences that decode */
	STEPS_DECODE,  /* sequences decode in them, and that is all */
	STEP_KINDS
};
extern const char *const step_kind_names[]; /* "prefill", "decode" */

struct step_counts {
	int64_t *by_tokens, *by_rows; /* steps, by T and by R */
	int64_t counters;	      /* T and R from 0 to counters - 1 */
	struct work work;	      /* sums of the quantities; PER_STEP: how many steps */
	tick busy;		      /* replica-time */
};

/* Both kinds, of pool number `pool` of the fleet. */
void step_counts_init(struct step_counts s[STEP_KINDS], const struct load *l, size_t pool);
void step_counts_free(struct step_counts s[STEP_KINDS]);

/*
 * What a term did; FLOPs and bytes are of all GPUs of the units and of their memory, none of links.
 * A device term's time counts wholly for the larger of its two sides, in each T or R apart; fixed
 * times are left out.
 */
struct term_done {
	double flops, bytes;
	double compute_s, memory_s, link_s; /* unit-seconds */
};
struct term_done step_counts_term(const struct step_counts *s, const struct term *t);

#endif
