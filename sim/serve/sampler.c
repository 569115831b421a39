/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/wide.h"
#include "base/xmalloc.h"

static tick next_look(const struct sampler *s)
{
	if (s->looked == s->looks)
		return TICK_NEVER;
	return (tick)((wide)s->window * (2 * s->looked + 1) / (2 * s->looks));
}

static void take(struct look *look, const struct sampler *s, tick now)
{
	int64_t blocks = 0, pool = 0;

	*look = (struct look){0};
	for (int64_t i = 0; i < s->stations; i++) {
		struct holding h;

		s->station[i]->kind->settle(s->station[i], now);
		s->station[i]->kind->look(s->station[i], &h);
		look->waiting += h.waiting;
		look->running += h.running;
		look->kv_most = fmax(look->kv_most, (double)h.blocks / (double)h.pool_blocks);
		blocks += h.blocks;
		pool += h.pool_blocks;
	}
	look->kv = (double)blocks / (double)pool;
}

static void wake(struct actor *actor, tick now)
{
	struct sampler *s = (struct sampler *)actor;

	take(&s->look[s->looked++], s, now);
	agenda_set(s->agenda, actor, next_look(s));
}

void sampler_init(struct sampler *s, tick window, int64_t looks)
{
	BUG_IF(window < 1 || looks < 1);
	memset(s, 0, sizeof *s);
	s->window = window;
	s->looks = looks;
	s->look = xcalloc((size_t)looks, sizeof *s->look);
}

void sampler_free(struct sampler *s)
{
	free(s->look);
	memset(s, 0, sizeof *s);
}

void sampler_start(struct sampler *s, struct station **station, int64_t stations,
		   struct agenda *agenda)
{
	BUG_IF(s->looked > 0);
	s->actor = (struct actor){.wake = wake, .name = "sampler"};
	s->agenda = agenda;
	s->station = station;
	s->stations = stations;
	agenda_add(agenda, &s->actor);
	agenda_set(agenda, &s->actor, next_look(s));
}
