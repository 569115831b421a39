/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where requests enter: counts the arrival, settles the stations when a slice of the tally ends. */
#ifndef SERVE_GATE_H
#define SERVE_GATE_H

#include "serve/station.h"
#include "serve/tally.h"

struct gate {
	struct station *next;	  /* the router, or the only replica */
	struct station **station; /* what has counters to settle */
	int64_t stations;
	struct tally *tally;
};

/* Request r arrives now. */
void gate_pass(struct gate *g, const struct request *r, tick now);

#endif
