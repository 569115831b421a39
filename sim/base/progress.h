/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A progress line on stderr, with the time left if the rest goes as fast as what is done; drawn
 * only on a terminal and only for work that lasts. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	const char *label;
	size_t total;
	double start_s, drawn_s;
	bool shown, quiet;
};

#define PROGRESS_LEFT 64 /* bytes */

/* "42 s left", "3 min 5 s left", "2 h 10 min left". */
void progress_left(char text[PROGRESS_LEFT], double seconds);

void progress_init(struct progress *p, const char *label, size_t total, bool quiet);
void progress_step(struct progress *p, size_t done);
void progress_end(struct progress *p); /* wipes the line */

#endif
