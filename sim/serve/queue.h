/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests that were never in a step, first come first served: 16 bytes each, as their lengths are
 * a function of their number; those of a trace, which are not, are kept beside (8 bytes more).
 */
#ifndef SERVE_QUEUE_H
#define SERVE_QUEUE_H

#include <stdbool.h>

#include "traffic/request.h"

struct queue {
	struct queued {
		tick arrival;
		int64_t number;
	} * entry; /* a ring of `capacity`, a power of two */
	struct queued_lengths {
		int32_t input_tokens, output_tokens;
	} * lengths; /* the same ring, or NULL */
	int64_t first, count, capacity;
	bool keep_lengths;
};

void queue_init(struct queue *q, bool keep_lengths);
void queue_free(struct queue *q);
void queue_push(struct queue *q, const struct request *r);
/* The head: number and arrival, and lengths if they are kept. The queue must not be empty. */
void queue_head(const struct queue *q, struct request *r);
void queue_drop(struct queue *q);

/* Of the one behind i others. */
static inline tick queue_arrival(const struct queue *q, int64_t i)
{
	return q->entry[(q->first + i) & (q->capacity - 1)].arrival;
}

static inline tick queue_head_arrival(const struct queue *q)
{
	return q->entry[q->first].arrival;
}

#endif
