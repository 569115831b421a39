/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A progress line on stderr, drawn only on a terminal and only for work that lasts. */
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

void progress_init(struct progress *p, const char *label, size_t total, bool quiet);
void progress_step(struct progress *p, size_t done);
void progress_end(struct progress *p); /* wipes the line */

#endif
