/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at a fleet at equal distances of time: what waits, what runs, how full its KV pools are. It
 * settles the stations before each look, and nothing that they decide or measure depends on it (but
 * for the number of events).
 */
#ifndef SERVE_SAMPLER_H
#define SERVE_SAMPLER_H

#include "serve/station.h"

/* The fleet at one moment. In its KV the chunks of steps under way are counted, what decoders take
 * is not yet. */
struct look {
	int64_t waiting; /* requests that arrived, or were preempted, and are in no step */
	int64_t running; /* sequences */
	double kv;	 /* blocks in use over all blocks */
	double kv_most;	 /* the same of the fullest pool */
};

struct sampler {
	struct actor actor;
	struct agenda *agenda;
	struct station **station;
	int64_t stations;
	tick window;
	int64_t looks, looked; /* how many there will be, and are */
	struct look *look;     /* look i at (2i + 1) / 2 * window / looks */
};

/* `looks` of them from time 0 to `window`, which must not be behind the end of the run. */
void sampler_init(struct sampler *s, tick window, int64_t looks);
void sampler_free(struct sampler *s);
/* Called as a run begins, once; the array of stations is the caller's. */
void sampler_start(struct sampler *s, struct station **station, int64_t stations,
		   struct agenda *agenda);

#endif
