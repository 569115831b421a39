/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sequences of a replica in slots: the running list in order of admission, of which only the
 * last can be an unfinished prefill (the budget is at least max_num_seqs), and the preempted ones
 * in front of the queue. Decoders take one token a round, so each one's last round is known when it
 * starts: a heap of these, ties in order of admission, and a running sum of contexts replace loops.
 */
#ifndef SERVE_BATCH_H
#define SERVE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "des/tick.h"

#define BATCH_NONE (-1)

struct sequence {
	int64_t number;
	tick arrival, queue;	      /* queue: wait before its first step */
	tick first_token, last_token; /* last: kept up to date only when it is preempted */
	tick preempted;		      /* start of the step that did it */
	int64_t order, finish;	      /* of admission; round at whose end a decoder finishes */
	int32_t input_tokens, output_tokens, emitted;
	int32_t cached, chunk,
		blocks;		/* of a prefill: tokens, of them written in this step; held */
	int32_t class;		/* of a decoder, in the KV pool */
	int32_t previous, next; /* in the running list; next in the preempted or free one */
	int32_t heap;		/* place of a decoder in the heap */
	bool truncated, decoding;
};

struct batch {
	struct sequence *sequence;
	int32_t *heap;			    /* decoders by (finish, order) */
	int32_t slots, slots_used, free;    /* allocated; ever used; list of free ones */
	int32_t first, last;		    /* running list */
	int32_t preempted;		    /* the head of the queue, earliest admitted first */
	int64_t running, decoders, waiting; /* waiting: preempted */
	int64_t context;  /* of decoders in the next round, tokens being written counted */
	int64_t round;	  /* rounds completed */
	int64_t admitted; /* sequences, readmissions counted */
};

void batch_init(struct batch *b);
void batch_free(struct batch *b);

static inline struct sequence *batch_at(const struct batch *b, int32_t slot)
{
	return &b->sequence[slot];
}

/* Tokens that a prefill must cache before it emits: its prompt and what it has emitted. */
static inline int64_t batch_known(const struct sequence *s)
{
	return (int64_t)s->input_tokens + s->emitted;
}

/* Tokens that a decoder has cached by now. */
static inline int64_t batch_cached(const struct batch *b, const struct sequence *s)
{
	return (int64_t)s->input_tokens + s->output_tokens - 1 - (s->finish - b->round);
}

/* A slot for a new sequence, outside all lists; its content is void. */
int32_t batch_take(struct batch *b);
void batch_give(struct batch *b, int32_t slot);
/* Appends to the running list. */
void batch_admit(struct batch *b, int32_t slot);
/* Out of the running list, and out of the decoders if it is one. */
void batch_leave(struct batch *b, int32_t slot);
/* The last of the running list becomes the head of the queue; its emitted tokens are prompt now. */
void batch_preempt(struct batch *b);
/* The head of the queue moves to the end of the running list. */
int32_t batch_readmit(struct batch *b);
/* A prefill that has emitted and has tokens left becomes a decoder. */
void batch_decode(struct batch *b, int32_t slot);
/* k rounds of the decoders. */
void batch_advance(struct batch *b, int64_t k);
/* Rounds until the first decoder finishes; INT64_MAX: there is none. */
int64_t batch_rounds_to_finish(const struct batch *b);
/* The decoder that finishes with the round just completed, earliest admitted first; BATCH_NONE: no
 * more. */
int32_t batch_finished(const struct batch *b);

#endif
