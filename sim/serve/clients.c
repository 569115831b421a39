/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/clients.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

static tick next_issue(const struct clients *c)
{
	return c->count && c->issued < c->feed->requests ? c->issue[c->first] : TICK_NEVER;
}

static void issue(struct clients *c, tick now)
{
	struct request r = {.number = c->issued++, .arrival = now};
	c->first = c->first + 1 < c->feed->concurrency ? c->first + 1 : 0;
	c->count--;
	c->feed->lengths(c->feed->from, r.number, &r);
	gate_pass(c->gate, &r, now);
}

static void wake(struct actor *actor, tick now)
{
	struct clients *c = (struct clients *)actor;
	while (next_issue(c) == now)
		issue(c, now);
	agenda_set(c->agenda, actor, next_issue(c));
}

static void arrive(struct station *station, const struct passage *p, tick now)
{
	struct clients *c = (struct clients *)station;
	station_arrive(station->next, p, now);
	int64_t last = c->first + c->count++;
	last -= last < c->feed->concurrency ? 0 : c->feed->concurrency;
	c->issue[last] = now + c->feed->think;
	if (c->count == 1)
		agenda_set(c->agenda, &station->actor, next_issue(c));
}

static const struct station_kind kind = {.name = "clients", .arrive = arrive};

void clients_init(struct clients *c, const struct feed *feed, struct gate *gate,
		  struct station *next, struct agenda *agenda)
{
	memset(c, 0, sizeof(*c));
	c->station = (struct station){.kind = &kind, .next = next};
	c->station.actor = (struct actor){.wake = wake, .name = "clients"};
	c->agenda = agenda;
	c->feed = feed;
	c->gate = gate;
	c->count = feed->concurrency;
	c->issue = xcalloc((size_t)c->count, sizeof(*c->issue));
	agenda_add(agenda, &c->station.actor);
	agenda_set(agenda, &c->station.actor, next_issue(c));
}

void clients_free(struct clients *c)
{
	free(c->issue);
}
