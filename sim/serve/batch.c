/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

void batch_init(struct batch *b)
{
	memset(b, 0, sizeof(*b));
	b->free = b->first = b->last = b->preempted = BATCH_NONE;
}

void batch_free(struct batch *b)
{
	free(b->sequence);
	free(b->heap);
	memset(b, 0, sizeof(*b));
}

static void grow(struct batch *b)
{
	BUG_IF(b->slots > INT32_MAX / 2);
	b->slots = b->slots ? 2 * b->slots : 16;
	b->sequence = xrealloc(b->sequence, (size_t)b->slots * sizeof(*b->sequence));
	b->heap = xrealloc(b->heap, (size_t)b->slots * sizeof(*b->heap));
}

int32_t batch_take(struct batch *b)
{
	int32_t slot = b->free;
	if (slot != BATCH_NONE) {
		b->free = b->sequence[slot].next;
		return slot;
	}
	if (b->slots_used == b->slots)
		grow(b);
	return b->slots_used++;
}

void batch_give(struct batch *b, int32_t slot)
{
	b->sequence[slot].next = b->free;
	b->free = slot;
}

void batch_admit(struct batch *b, int32_t slot)
{
	struct sequence *s = batch_at(b, slot);
	s->order = b->admitted++;
	s->decoding = false;
	s->cached = s->blocks = 0;
	s->previous = b->last;
	s->next = BATCH_NONE;
	if (b->last == BATCH_NONE)
		b->first = slot;
	else
		b->sequence[b->last].next = slot;
	b->last = slot;
	b->running++;
}

static bool sooner(const struct batch *b, int32_t x, int32_t y)
{
	const struct sequence *s = batch_at(b, x), *t = batch_at(b, y);
	return s->finish < t->finish || (s->finish == t->finish && s->order < t->order);
}

static void place(struct batch *b, int32_t at, int32_t slot)
{
	b->heap[at] = slot;
	b->sequence[slot].heap = at;
}

static void sift_up(struct batch *b, int32_t at, int32_t slot)
{
	for (int32_t up; at > 0 && sooner(b, slot, b->heap[up = (at - 1) / 2]); at = up)
		place(b, at, b->heap[up]);
	place(b, at, slot);
}

static void sift_down(struct batch *b, int32_t at, int32_t slot)
{
	int32_t n = (int32_t)b->decoders;
	for (int32_t down; (down = 2 * at + 1) < n; at = down) {
		if (down + 1 < n && sooner(b, b->heap[down + 1], b->heap[down]))
			down++;
		if (!sooner(b, b->heap[down], slot))
			break;
		place(b, at, b->heap[down]);
	}
	place(b, at, slot);
}

static void heap_remove(struct batch *b, int32_t at)
{
	int32_t last = b->heap[--b->decoders];
	if (at == b->decoders)
		return;
	if (at > 0 && sooner(b, last, b->heap[(at - 1) / 2]))
		sift_up(b, at, last);
	else
		sift_down(b, at, last);
}

void batch_leave(struct batch *b, int32_t slot)
{
	struct sequence *s = batch_at(b, slot);
	if (s->decoding) {
		b->context -= batch_cached(b, s) + 1;
		heap_remove(b, s->heap);
		s->decoding = false;
	}
	if (s->previous == BATCH_NONE)
		b->first = s->next;
	else
		b->sequence[s->previous].next = s->next;
	if (s->next == BATCH_NONE)
		b->last = s->previous;
	else
		b->sequence[s->next].previous = s->previous;
	b->running--;
}

void batch_preempt(struct batch *b)
{
	int32_t slot = b->last;
	struct sequence *s = batch_at(b, slot);
	if (s->decoding)
		s->emitted = (int32_t)(s->output_tokens - (s->finish - b->round));
	batch_leave(b, slot);
	s->next = b->preempted;
	b->preempted = slot;
	b->waiting++;
}

int32_t batch_readmit(struct batch *b)
{
	int32_t slot = b->preempted;
	b->preempted = b->sequence[slot].next;
	b->waiting--;
	batch_admit(b, slot);
	return slot;
}

void batch_decode(struct batch *b, int32_t slot)
{
	struct sequence *s = batch_at(b, slot);
	BUG_IF(s->decoding || s->emitted >= s->output_tokens);
	s->decoding = true;
	s->finish = b->round + s->output_tokens - s->emitted;
	b->context +=
		batch_known(s); /* all but the last emitted are cached; that one is written next */
	sift_up(b, (int32_t)b->decoders++, slot);
}

void batch_advance(struct batch *b, int64_t k)
{
	b->round += k;
	b->context += k * b->decoders;
}

int64_t batch_rounds_to_finish(const struct batch *b)
{
	return b->decoders ? b->sequence[b->heap[0]].finish - b->round : INT64_MAX;
}

int32_t batch_finished(const struct batch *b)
{
	return batch_rounds_to_finish(b) == 0 ? b->heap[0] : BATCH_NONE;
}
