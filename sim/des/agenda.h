/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event kernel: an indexed heap of actors, each with one next time. There are no event records:
 * whoever has many times keeps its own queue. Ties are broken by rank (creation order: sources
 * before stations).
 */
#ifndef DES_AGENDA_H
#define DES_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/tick.h"

struct actor {
	uint32_t rank, slot; /* set by agenda_add() */
	void (*wake)(struct actor *, tick now);
	const char *name;
};

struct agenda_entry {
	tick due;
	uint32_t rank;	/* of the actor, late bit included */
	uint32_t actor; /* index into actor[] */
};

struct agenda {
	struct agenda_entry *heap;
	struct actor **actor;
	size_t count, capacity, actors;
	tick now;
	uint64_t events; /* wakes so far */
};

void agenda_init(struct agenda *a);
void agenda_free(struct agenda *a);
/* Ranks follow the order of calls. The actor sleeps until agenda_set(). */
void agenda_add(struct agenda *a, struct actor *actor);
/* Moves the actor's only entry, O(log n); TICK_NEVER: asleep. A due before now is a BUG. */
void agenda_set(struct agenda *a, struct actor *actor, tick due);
/* The same at its late rank (rank | 1 << 30): after all ordinary actors due at that tick. */
void agenda_set_late(struct agenda *a, struct actor *actor, tick due);
/* Whether an actor other than the one being woken is due at exactly t. O(1): looks at the heap's
 * next entries. */
bool agenda_others_at(const struct agenda *a, tick t);
/* Wakes actors in order until all sleep, or stop() (may be NULL) says so between two wakes. */
void agenda_run(struct agenda *a, bool (*stop)(void *arg), void *arg);

#endif
