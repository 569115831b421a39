/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Shorter work shows nothing; faster than a few times a second nobody reads. */
static const double wait_s = 0.5, redraw_s = 0.2;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_init(struct progress *p, const char *label, size_t total, bool quiet)
{
	double now = now_s();

	*p = (struct progress){.label = label, .total = total, .start_s = now, .drawn_s = now};
	p->quiet = quiet || !isatty(STDERR_FILENO);
}

void progress_left(char text[PROGRESS_LEFT], double seconds)
{
	double minutes = floor(seconds / 60);

	if (seconds < 60)
		snprintf(text, PROGRESS_LEFT, "%.0f s left", ceil(seconds));
	else if (minutes < 60)
		snprintf(text, PROGRESS_LEFT, "%.0f min %.0f s left", minutes,
			 floor(seconds - 60 * minutes));
	else
		snprintf(text, PROGRESS_LEFT, "%.0f h %.0f min left", floor(minutes / 60),
			 fmod(minutes, 60));
}

void progress_step(struct progress *p, size_t done)
{
	char left[PROGRESS_LEFT];
	double now;

	if (p->quiet || p->total == 0)
		return;
	now = now_s();
	if (now - p->start_s < wait_s || now - p->drawn_s < redraw_s)
		return;
	p->drawn_s = now;
	p->shown = true;
	progress_left(left, (now - p->start_s) / (double)done * (double)(p->total - done));
	fprintf(stderr, "\r%s %zu of %zu (%.0f %%)%s%s\033[K", p->label, done, p->total,
		100.0 * (double)done / (double)p->total, done ? ", " : "", done ? left : "");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
