/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario for the reference replica, all of it a function of a 64-bit seed (through a splitmix64
 * of its own: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
 *
 * The corners that have broken fast simulators come often, independently of each other: prompts of
 * one token, a budget equal to max_num_seqs, blocks of one token, one sequence at a time, no front
 * end, host launches within 10 % of the device's time, pools of two to three times the longest
 * request (or below it: rejections), contexts too short for some (truncation, rejection), mixture
 * of experts, both admission rules, both schedule_ahead, 1-4 replicas of one kind or of two behind
 * each router, tensor parallelism of 1, 2 and 4, open loops from idle to overloaded, all at once,
 * closed loops.
 *
 * Without ties, times are continuous: agreement between two arithmetics can be asked for (see
 * margin_s of a result). With ties, arrivals come in groups on a grid of 2^-5 s or from a closed
 * loop without think time, and most such scenarios have steps of exactly 2^-7 s (all rates
 * infinite, all other times 0) on three replicas; these are exact in doubles too.
 *
 * Arrivals, front end and think time are whole multiples of 2^-36 s, so that a clock of integer
 * ticks of that length reads the very same times.
 */
#ifndef TESTS_REFERENCE_RANDOM_SCENARIO_H
#define TESTS_REFERENCE_RANDOM_SCENARIO_H

#include "replica.h"

struct random_scenario {
	uint64_t seed;
	bool ties;
	struct reference_setup setup, other; /* setup.other, of a second kind in one of three */
	/* Length-aware: the share of the first kind in prompts of at most so many tokens, and in
	 * longer ones. */
	int64_t short_max;
	double short_share, long_share;
	struct reference_load load; /* points into the arrays below; 200 to 1,000 requests */
	int64_t *input, *output;
	double *arrival_s;
	int (*choice)[2];
};

void random_scenario_init(struct random_scenario *, uint64_t seed, bool ties);
/* The same, filled otherwise: by another scheduler, with whole prompts (mostly fitting the budget),
 * with whole-request admission; a second kind of replicas is so too in one of two. */
void random_scenario_fill(struct random_scenario *, enum reference_scheduler scheduler);
void random_scenario_free(struct random_scenario *);

/* One line on stdout: seed, flag and the main figures, for the message of a failing test. */
void random_scenario_print(const struct random_scenario *);

#endif
