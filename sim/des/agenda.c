/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/agenda.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

#define LATE (UINT32_C(1) << 30)

void agenda_init(struct agenda *a)
{
	memset(a, 0, sizeof(*a));
}

void agenda_free(struct agenda *a)
{
	free(a->heap);
	free(a->actor);
	memset(a, 0, sizeof(*a));
}

static bool before(const struct agenda_entry *x, const struct agenda_entry *y)
{
	return x->due < y->due || (x->due == y->due && x->rank < y->rank);
}

static void place(struct agenda *a, size_t slot, struct agenda_entry e)
{
	a->heap[slot] = e;
	a->actor[e.actor]->slot = (uint32_t)slot;
}

static void sift_up(struct agenda *a, size_t slot, struct agenda_entry e)
{
	while (slot > 0 && before(&e, &a->heap[(slot - 1) / 2])) {
		place(a, slot, a->heap[(slot - 1) / 2]);
		slot = (slot - 1) / 2;
	}
	place(a, slot, e);
}

static void sift_down(struct agenda *a, size_t slot, struct agenda_entry e)
{
	for (size_t child; (child = 2 * slot + 1) < a->count; slot = child) {
		if (child + 1 < a->count && before(&a->heap[child + 1], &a->heap[child]))
			child++;
		if (!before(&a->heap[child], &e))
			break;
		place(a, slot, a->heap[child]);
	}
	place(a, slot, e);
}

void agenda_add(struct agenda *a, struct actor *actor)
{
	if (a->count == a->capacity) {
		a->capacity = a->capacity ? 2 * a->capacity : 16;
		a->heap = xrealloc(a->heap, a->capacity * sizeof(*a->heap));
		a->actor = xrealloc(a->actor, a->capacity * sizeof(struct actor *));
	}
	BUG_IF(a->actors + 1 >= LATE);
	a->actor[a->actors] = actor;
	actor->rank = (uint32_t)a->actors + 1; /* 0 is the one being woken */
	struct agenda_entry e = {TICK_NEVER, actor->rank, (uint32_t)a->actors++};
	sift_up(a, a->count++, e);
}

static void set(struct agenda *a, struct actor *actor, tick due, uint32_t rank)
{
	BUG_IF(due < a->now);
	size_t slot = actor->slot;
	struct agenda_entry e = {due, rank, actor->rank - 1};
	if (before(&e, &a->heap[slot]))
		sift_up(a, slot, e);
	else
		sift_down(a, slot, e);
}

void agenda_set(struct agenda *a, struct actor *actor, tick due)
{
	set(a, actor, due, actor->rank);
}

void agenda_set_late(struct agenda *a, struct actor *actor, tick due)
{
	set(a, actor, due, actor->rank | LATE);
}

/* The one being woken keeps the heap's root, at rank 0, until it sets itself. */
static bool root_is_awake(const struct agenda *a)
{
	return a->heap[0].rank == 0;
}

bool agenda_others_at(const struct agenda *a, tick t)
{
	if (!a->count)
		return false;
	if (!root_is_awake(a))
		return a->heap[0].due == t;
	return (a->count > 1 && a->heap[1].due == t) || (a->count > 2 && a->heap[2].due == t);
}

static void wake_first(struct agenda *a, struct bug_context *context)
{
	struct actor *actor = a->actor[a->heap[0].actor];
	a->now = a->heap[0].due;
	a->heap[0].rank = 0;
	a->events++;
	context->actor = actor->name;
	context->time_s = tick_to_s(a->now);
	actor->wake(actor, a->now);
	if (root_is_awake(a))
		agenda_set(a, actor, TICK_NEVER);
}

void agenda_run(struct agenda *a, bool (*stop)(void *arg), void *arg)
{
	struct bug_context *context = bug_context();
	while (a->count && a->heap[0].due != TICK_NEVER) {
		if (stop && stop(arg))
			break;
		wake_first(a, context);
	}
	context->actor = NULL;
}
