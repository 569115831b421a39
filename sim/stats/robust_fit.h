/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Non-linear least squares that outliers cannot pull: Levenberg-Marquardt in a trust region on
 * residuals that are reweighted (Tukey's bisquare) until the weights stand. Parameters stay within
 * bounds. Standard errors are of clusters, so that what the form cannot fit is counted in them and
 * n rows of one cluster are not n witnesses.
 */
#ifndef STATS_ROBUST_FIT_H
#define STATS_ROBUST_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A parameter is above 0, and its rows are those that move by `ROBUST_FIT_LEANS` of its change. */
struct robust_parameter {
	double value;	  /* in: where to start; out: the estimate, or where it started if held */
	double low, high; /* 0 <= low < value < high */
	double sigma;	  /* out: of `clusters` clusters; NAN if held */
	size_t rows;	  /* out: that lean on it */
	bool held;	  /* out: fewer than ROBUST_FIT_ROWS do: it was left where it was */
};
enum { ROBUST_FIT_ROWS = 3 };
#define ROBUST_FIT_LEANS 0.05

struct robust_fit {
	size_t rows, parameters;
	struct robust_parameter *parameter;
	const double *measured;	 /* rows, above 0: residuals are of logarithms */
	const uint64_t *cluster; /* rows: equal numbers are one cluster */
	/* Fills predicted[rows], above 0, from value[parameters]. */
	void (*predict)(const double *value, double *predicted, void *arg);
	void *arg;
	double clusters;  /* that a use of the estimate draws; the errors are of so many */
	double *weight;	  /* out: rows, 0 for an outlier */
	double *residual; /* out: rows, the logarithm of predicted / measured */
	bool converged;	  /* out */
};

void robust_fit_run(struct robust_fit *f);

#endif
