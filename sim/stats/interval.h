/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals and the warm-up cut (MODEL 6). */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct interval {
	double low, high; /* NAN: none */
};

/* Student's t over k independent estimates; {NAN, NAN} for k < 2. */
struct interval interval_student(const double *estimate, size_t k, double level);

/* MSER-5: the number of leading blocks (already means of five) whose removal minimises the standard
 * error of the rest, searched over the first half. `block` is the replication-averaged series. */
size_t mser_cut(const double *block, size_t n);

#endif
