/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals. */
#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct interval {
	double low, high; /* NAN: none */
};

/* Student's t over k independent estimates; {NAN, NAN} for k < 2. */
struct interval interval_student(const double *estimate, size_t k, double level);

#endif
