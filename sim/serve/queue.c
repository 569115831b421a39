/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

void queue_init(struct queue *q, bool keep_lengths)
{
	memset(q, 0, sizeof(*q));
	q->keep_lengths = keep_lengths;
}

void queue_free(struct queue *q)
{
	free(q->entry);
	free(q->lengths);
	memset(q, 0, sizeof(*q));
}

/* Doubles a full ring: what had wrapped round to the front moves behind the old end. */
static void *unwrap(void *ring, size_t size, int64_t capacity, int64_t first)
{
	char *bytes = xrealloc(ring, 2 * (size_t)capacity * size);
	memcpy(bytes + (size_t)capacity * size, bytes, (size_t)first * size);
	return bytes;
}

static void grow(struct queue *q)
{
	int64_t capacity = q->capacity ? q->capacity : 8;
	q->entry = unwrap(q->entry, sizeof(*q->entry), capacity, q->first);
	if (q->keep_lengths)
		q->lengths = unwrap(q->lengths, sizeof(*q->lengths), capacity, q->first);
	q->capacity = 2 * capacity;
}

void queue_push(struct queue *q, const struct request *r)
{
	if (q->count == q->capacity)
		grow(q);
	int64_t slot = (q->first + q->count++) & (q->capacity - 1);
	q->entry[slot] = (struct queued){r->arrival, r->number};
	if (q->keep_lengths)
		q->lengths[slot] = (struct queued_lengths){r->input_tokens, r->output_tokens};
}

void queue_head(const struct queue *q, struct request *r)
{
	BUG_IF(q->count == 0);
	r->arrival = q->entry[q->first].arrival;
	r->number = q->entry[q->first].number;
	if (q->keep_lengths) {
		r->input_tokens = q->lengths[q->first].input_tokens;
		r->output_tokens = q->lengths[q->first].output_tokens;
	}
}

void queue_drop(struct queue *q)
{
	BUG_IF(q->count == 0);
	q->first = (q->first + 1) & (q->capacity - 1);
	q->count--;
}
