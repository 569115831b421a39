/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open loop: an actor that lets a feed's requests in as they arrive. */
#ifndef SERVE_SPOUT_H
#define SERVE_SPOUT_H

#include "serve/feed.h"
#include "serve/gate.h"

struct spout {
	struct actor actor;
	struct agenda *agenda;
	const struct feed *feed;
	struct gate *gate;
	struct request next;
};

void spout_init(struct spout *s, const struct feed *feed, struct gate *gate, struct agenda *agenda);

#endif
