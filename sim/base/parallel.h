/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's only parallel loop: threads that take the next index from one atomic counter. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Calls body(i, arg) once for every i < n on `jobs` threads (<= 0: all processors); the order is
 * free, so results must go to slots by index. `done(count, arg)` is called after each on the
 * calling thread's lock, or NULL. */
void parallel_for(size_t n, int jobs, void (*body)(size_t i, void *arg),
		  void (*done)(size_t count, void *arg), void *arg);

/* Threads for each of n bodies that run side by side on `jobs` (<= 0: all processors), when they
 * have loops of their own: at least one. */
int parallel_inner(size_t n, int jobs);

/* Processors that this process may use. */
int parallel_processors(void);

#endif
