/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one run measured, before any warm-up cut: all integers, the same in leaps and in steps. What
 * belongs to a request (TTFT, queue, TPOT, E2E, its counts) is kept by request number; what does
 * not (ITL, work, integrals) is kept in slices of the run by the number of the latest arrival. What
 * ends at the very tick of an arrival counts as before it.
 */
#ifndef SERVE_TALLY_H
#define SERVE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/tick.h"
#include "roofline/step_cost.h"
#include "serve/passage.h"
#include "serve/scheduling.h"
#include "serve/stretch.h"
#include "stats/histogram.h"

#define TALLY_PARTS  20 /* a slice is one of so many parts of the N requests */
#define TALLY_SLICES 11 /* ten of N/20, then the second half as one */

#define TALLY_POOLS_MAX DEPLOYMENT_POOLS_MAX

enum metric { METRIC_TTFT, METRIC_QUEUE, METRIC_TPOT, METRIC_ITL, METRIC_E2E, METRICS };

struct tally_setup {
	int64_t requests;  /* N: sample arrays are laid out for it */
	int64_t sliced;	   /* the N of the slices, where a warm-up is added to it; 0: requests */
	bool keep_samples; /* exact samples by request (N <= 10^6); else sketches by slice */
	bool keep_series;  /* the E2E series in blocks of 5, for MSER-5 */
	/* Limits for goodput in ticks, TICK_NEVER: none; judged a request. ITL: a request's largest
	 * mean is not kept: its TPOT stands in. */
	tick ttft_limit, tpot_limit, e2e_limit;
	size_t pools;
	int64_t counters[TALLY_POOLS_MAX]; /* by pool, length of the counters by T and R */
};

/* One slice's counts of requests; times in ticks, of all replicas together. */
struct tally_slice {
	/* Of the requests with the slice's numbers. */
	int64_t arrivals, completed, rejected, truncated, met_slo;
	int64_t input_tokens, output_tokens;	       /* of completed ones, after truncation */
	tick first_arrival, last_arrival, last_finish; /* TICK_NEVER, -1, -1: none */
	/* Of the time in which the latest arrival was one of these. */
	int64_t preemptions;
	int64_t emitted; /* tokens emitted in steps */
	wide queue_time; /* request-ticks from arrival + front end, or preemption, to (re)admission
			  */
	struct histogram itl;		  /* of ticks */
	struct histogram sketch[METRICS]; /* used when samples are not kept (all but ITL) */
};

/* One slice's counts of the steps of one pool: what they mean depends on its GPUs. */
struct tally_steps {
	tick busy;	  /* replica-time with a step running */
	int64_t rounds;	  /* steps */
	struct work work; /* sums of the quantities */
	wide batch_time;  /* sequence-ticks over busy time */
	wide kv_time;	  /* token-ticks over busy time, tokens that a step writes counted in it */
	tick blocked;	  /* replica-time of steps in which a head waited for blocks */
	/* Of steps with a prompt's chunk in them: replica-time, and PER_CONTEXT. */
	tick prefill_busy;
	int64_t prefill_context;
	int64_t kv_blocks_max; /* of one replica */
	int64_t completed;     /* requests with the slice's numbers */
};

struct tally_pool {
	struct tally_steps slice[TALLY_SLICES];
	/* Rounds and ticks by T; rounds by R, of steps with a prompt's chunk and of those without,
	 * in which T = R = n: tally_counter() finds a slice's own. */
	int64_t *rounds_by_tokens, *prefills_by_rows, *decodes_by_rows;
	tick *ticks_by_tokens;
	int64_t counters; /* of one slice: T and R from 0 to counters - 1 */
};

struct tally {
	struct tally_setup setup;
	struct tally_slice slice[TALLY_SLICES];
	struct tally_pool *pool;
	/* keep_samples: by request number, ticks; -1: rejected (or output of 1 for TPOT);
	 * never finished: TICK_NEVER */
	tick *ttft, *queue, *tpot, *e2e, *arrival, *finish;
	/* keep_samples, of more pools than one: by request number, the pool that it was sent to. */
	unsigned char *pool_of;
	/* keep_series: means of e2e_span requests by number [s], rejected ones left out (a block
	 * without any repeats its predecessor). The span is 5 up to 10^6 requests, then N /
	 * 200,000. */
	double *e2e_block;
	int64_t e2e_blocks, e2e_span;
	int64_t done;	    /* requests completed so far */
	int64_t done_then;  /* when the last one arrived */
	bool stopped_early; /* the backlog limit was hit */
	tick end;	    /* time of the last event */
	uint64_t events;
	/* While it runs. */
	int slice_now, slice_before; /* before the arrivals at tick slice_since */
	tick slice_since;
	int64_t sliced;		     /* setup's, settled */
	int64_t next_slice_at;	     /* number of the first request of the next slice */
	wide itl_time[TALLY_SLICES]; /* sum of the gaps [2^-56 s] */
	int32_t *e2e_count;
};

void tally_init(struct tally *t, const struct tally_setup *setup);
void tally_free(struct tally *t);

/* Number of the first request of slice s, of n: the least not below s * n/20. */
static inline int64_t tally_slice_start(int64_t n, int s)
{
	return s < TALLY_SLICES ? (s * n + TALLY_PARTS - 1) / TALLY_PARTS : n;
}

/* Index into the counters by T and by R. */
static inline int64_t tally_counter(const struct tally_pool *p, int slice, int64_t tokens_or_rows)
{
	return slice * p->counters + tokens_or_rows;
}

/* Whether request `number` opens a slice: then every replica is settled up to its arrival first. */
static inline bool tally_opens_slice(const struct tally *t, int64_t number)
{
	return number >= t->next_slice_at;
}
void tally_arrive(struct tally *t, int64_t number, tick now);
/* The next k rounds of s, all in one slice, in a replica of pool `pool`. */
void tally_rounds(struct tally *t, int pool, const struct stretch *s, int64_t k);
void tally_blocks(struct tally *t, int pool, int64_t blocks, tick now);
/* n gaps between two tokens with a preemption, or steps of others alone, between them. */
void tally_gaps(struct tally *t, tick gap, int64_t n, tick now);
void tally_wait(struct tally *t, tick waited, tick now);
void tally_preempt(struct tally *t, tick now);
void tally_leave(struct tally *t, const struct passage *p);
/* Ends the run: brings sums to their printed units and means to their counts. */
void tally_close(struct tally *t, tick end, uint64_t events);

#endif
