/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How sure a result is of the constants it leans on (docs/accuracy.md, "How sure is an answer?").
 *
 * Each constant is moved by one standard deviation, all else as it was and on the same random
 * numbers. Constants are independent, so the squares of what their moves do to a figure add up; and
 * each one's square tells its part in the doubt.
 */
#ifndef STUDY_PERTURB_H
#define STUDY_PERTURB_H

#include "stats/interval.h"
#include "study/constants.h"

#define PERTURB_FIGURES 3
#define PERTURB_LEVEL	0.95

/* What a move does to the result's figures, in ln(value); 0 where there is no figure. */
struct perturb_effect {
	const char *key, *sub, *owner; /* of the constant, as in struct constant; not owned */
	char *path;		       /* owned */
	enum constant_of of;
	int origin;
	double up[PERTURB_FIGURES], down[PERTURB_FIGURES]; /* constant up, and down */
};

struct perturb {
	size_t n;
	struct perturb_effect *effect;
};

struct perturb_setup {
	const struct scenario *scenario;
	size_t index; /* the candidate */
	int tp;	      /* 0: the scenario's */
	int jobs;
	/* Both ways; else one, and what the other does is its opposite. */
	bool both;
	/* ln of the figures under a scenario; NAN: there is none. Called on threads. */
	void (*measure)(const struct scenario *s, double ln[PERTURB_FIGURES], void *arg);
	void *arg;
};

/*
 * Moves each constant that has a standard deviation (figure_sigma(), relative: value * e^(+-sigma /
 * value)), within its physical bounds; one way means the way that has room. The same constant of
 * several pools moves at once. The same numbers for any number of jobs.
 */
void perturb_run(struct perturb *p, const struct perturb_setup *setup);
void perturb_free(struct perturb *p);

/* What is left of a's effects when b's are subtracted: of the ratio of two results. A constant that
 * both lean on moves in both at once. */
void perturb_subtract(struct perturb *difference, const struct perturb *a, const struct perturb *b);

/* The interval at PERTURB_LEVEL of a figure of `value`, as far as its constants are known. */
struct interval perturb_interval(const struct perturb *p, int figure, double value);

/* The constant that widens the interval most, "mfu of l4-24gb (assumed)", and its part in the sum
 * of squares, over all figures; "" and NAN if none widens it. */
double perturb_largest(const struct perturb *p, char name[96]);

#endif
