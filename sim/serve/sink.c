/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/sink.h"

#include <string.h>

static void arrive(struct station *station, const struct passage *p, tick now)
{
	(void)now;
	tally_leave(((struct sink *)station)->tally, p);
}

static const struct station_kind kind = {.name = "sink", .arrive = arrive};

void sink_init(struct sink *s, struct tally *tally)
{
	memset(s, 0, sizeof(*s));
	s->station.kind = &kind;
	s->tally = tally;
}
