/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds requests, passes them on or measures them: replica, clients, router, sink. */
#ifndef SERVE_STATION_H
#define SERVE_STATION_H

#include "des/agenda.h"
#include "serve/passage.h"

struct station {
	struct actor actor; /* unused by stations that hold nothing */
	const struct station_kind *kind;
	struct station *next; /* where requests go from here */
};

/* What a station holds at a moment. */
struct holding {
	int64_t waiting; /* requests in no step, those that were preempted too */
	int64_t running, blocks, pool_blocks;
};

struct station_kind {
	const char *name;
	void (*arrive)(struct station *s, const struct passage *p, tick now);
	/* What routers compare; changes only in arrive and wake. NULL: it holds nothing. */
	int64_t (*load)(const struct station *s);
	/* Counters up to now, of whole rounds that ended before, O(1). NULL: nothing to settle. */
	void (*settle)(struct station *s, tick now);
	/* Once settled. NULL: nothing to see. */
	void (*look)(const struct station *s, struct holding *h);
};

static inline void station_arrive(struct station *s, const struct passage *p, tick now)
{
	s->kind->arrive(s, p, now);
}

#endif
