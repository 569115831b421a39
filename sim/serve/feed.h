/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a cluster's requests come from: a source of traffic, or arrays in a test. */
#ifndef SERVE_FEED_H
#define SERVE_FEED_H

#include <stdbool.h>

#include "traffic/request.h"

struct feed {
	void *from;
	/* Open loop: the next request; false at the end. Arrivals never decrease. */
	bool (*next)(void *from, struct request *r);
	/* Fills the lengths of request `number`. NULL: they are no function of it (a trace). */
	void (*lengths)(void *from, int64_t number, struct request *r);
	int64_t concurrency; /* closed loop: clients; 0: open loop */
	tick think;	     /* closed loop */
	int64_t requests;    /* closed loop: how many in all */
};

#endif
