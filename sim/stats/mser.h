/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warm-up cut by MSER-5 (White 1997). */
#ifndef STATS_MSER_H
#define STATS_MSER_H

#include <stddef.h>

/* MSER-5: the number of leading blocks (already means of five) whose removal minimises the standard
 * error of the rest, searched over the first half. `block` is the replication-averaged series. */
size_t mser_cut(const double *block, size_t n);

#endif
