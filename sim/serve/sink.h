/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last station: it measures what leaves. */
#ifndef SERVE_SINK_H
#define SERVE_SINK_H

#include "serve/station.h"
#include "serve/tally.h"

struct sink {
	struct station station;
	struct tally *tally;
};

void sink_init(struct sink *s, struct tally *tally);

#endif
