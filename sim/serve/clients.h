/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The closed loop: each of `concurrency` clients issues a request at time 0, and the next one a
 * think time after its last has ended, served or rejected, until `requests` are issued. Numbers go
 * by order of issue; as all think alike, the k-th end brings request concurrency + k.
 */
#ifndef SERVE_CLIENTS_H
#define SERVE_CLIENTS_H

#include "serve/feed.h"
#include "serve/gate.h"

struct clients {
	struct station station; /* requests end here, and pass on to the sink */
	struct agenda *agenda;
	const struct feed *feed;
	struct gate *gate;
	int64_t issued;
	tick *issue; /* ring of the times of the next issues, in order */
	int64_t first, count;
};

void clients_init(struct clients *c, const struct feed *feed, struct gate *gate,
		  struct station *next, struct agenda *agenda);
void clients_free(struct clients *c);

#endif
