/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/spout.h"

static void fetch(struct spout *s)
{
	if (!s->feed->next(s->feed->from, &s->next))
		s->next.arrival = TICK_NEVER;
}

static void wake(struct actor *actor, tick now)
{
	struct spout *s = (struct spout *)actor;
	while (s->next.arrival == now) {
		gate_pass(s->gate, &s->next, now);
		fetch(s);
	}
	agenda_set(s->agenda, &s->actor, s->next.arrival);
}

void spout_init(struct spout *s, const struct feed *feed, struct gate *gate, struct agenda *agenda)
{
	*s = (struct spout){.actor = {.wake = wake, .name = "arrivals"}, .agenda = agenda};
	s->feed = feed;
	s->gate = gate;
	agenda_add(agenda, &s->actor);
	fetch(s);
	agenda_set(agenda, &s->actor, s->next.arrival);
}
