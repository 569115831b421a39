/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest numbers of units that carry a load by classes, as an integer programme solved by
 * GLPK: after Melange (Griggs et al. 2024, arXiv 2404.14527, eq. 2 to 5), with continuous fractions
 * of a class in place of its binary slices, prices by number in place of a price a unit, and
 *limits.
 *
 *	minimise	sum over t, n of	usd(t, n) y(t, n)
 *	so that		sum over n of		y(t, n) = 1			for each type t
 *			sum over t of		f(t, c) = 1			for each class c
 *			sum over c of		demand rate(c) f(t, c) / capacity(t, c)
 *							<= sum over n of n y(t, n)	for each t
 *			sum over t of a kind	gpus(t) n y(t, n) <= limit	for each kind of GPU
 *
 * y are binaries, 0 <= f <= 1, and f(t, c) is absent where the type cannot serve the class. Pure
 * numbers: nothing here knows what a unit is. GLPK keeps its state by process: main thread only.
 */
#ifndef STUDY_PROGRAMME_H
#define STUDY_PROGRAMME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAMME_TYPES_MAX   64
#define PROGRAMME_CLASSES_MAX 8

/* A type of unit: a GPU, or a tensor-parallel group of them. */
struct programme_type {
	double capacity_rps[PROGRAMME_CLASSES_MAX]; /* of one unit, a class alone; 0: cannot */
	int64_t units_max;			    /* no solution has more */
	const double *usd; /* an hour, of 0 ... units_max units; never falls */
	size_t kind;	   /* the types of one kind of GPU share a limit */
	int64_t gpus;	   /* of one unit */
	int64_t limit;	   /* of GPUs, the same for all types of a kind; INT64_MAX: none */
};

/* Numbers of units, by type. */
struct programme_units {
	int64_t of[PROGRAMME_TYPES_MAX];
};

struct programme {
	size_t types, classes;
	struct programme_type type[PROGRAMME_TYPES_MAX];
	double rate_rps[PROGRAMME_CLASSES_MAX];
	double demand; /* multiplies every rate */
	/* Known not to do, nor any that has no more of any type. */
	size_t cuts;
	struct programme_units *cut;
	double usd_below; /* only what costs less is asked for; INFINITY: anything */
};

enum programme_end {
	PROGRAMME_CHEAPEST,   /* provably: none costs less (of equal cost the fewest units) */
	PROGRAMME_TIMED_OUT,  /* the cheapest found within PROGRAMME_SECONDS */
	PROGRAMME_INFEASIBLE, /* no numbers do for less, or none were found in time */
};

#define PROGRAMME_SECONDS 20

/* Whether the program was built with GLPK: the functions below need it. */
bool programme_is_built(void);

/* Fills the numbers of units, unless it is infeasible. */
enum programme_end programme_solve(const struct programme *p, struct programme_units *units);

struct programme_shares {
	double of[PROGRAMME_TYPES_MAX][PROGRAMME_CLASSES_MAX]; /* a class sums to 1 over types */
	double load; /* of the busiest type: its part of the demand over its units' capacity */
};

/* The fractions that load these units most evenly (the busiest type least), by linear programming.
 * False if a class can be served by none of them. */
bool programme_share(const struct programme *p, const struct programme_units *units,
		     struct programme_shares *shares);

double programme_usd(const struct programme *p, const struct programme_units *units);

#endif
