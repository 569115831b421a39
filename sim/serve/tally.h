/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one run measured, before any warm-up cut: all integers, the same in leaps and in steps. What belongs to a request
 * (TTFT, queue, TPOT, E2E) is kept by request number; what does not (ITL, work, integrals) is kept in SLICES slices of
 * the run by the number of the latest arrival.
 */
#ifndef SERVE_TALLY_H
#define SERVE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "des/tick.h"
#include "roofline/step_cost.h"
#include "stats/histogram.h"

#define TALLY_SLICES 11 /* ten of N/20, then the second half as one */

enum metric { METRIC_TTFT, METRIC_QUEUE, METRIC_TPOT, METRIC_ITL, METRIC_E2E, METRICS };
extern const char *const metric_names[]; /* "ttft_ms", ... */

struct tally_setup {
	int64_t requests;     /* N: slices and sample arrays are laid out for it */
	bool keep_samples;    /* exact samples by request (N <= 10^6); else sketches by slice */
	bool keep_series;     /* the E2E series in blocks of 5, for MSER-5 */
	/* Limits for goodput in ticks, TICK_NEVER: none; judged a request. ITL: a request's largest mean is not kept: its TPOT stands in. */
	tick ttft_limit, tpot_limit, e2e_limit;
};

/* One slice's counts; times in ticks, of all replicas together. */
struct tally_slice {
	int64_t arrivals, completed, rejected, truncated, met_slo;
	int64_t preemptions, input_tokens, output_tokens; /* of completed requests; emitted tokens are output_tokens' sum over steps */
	int64_t emitted;                  /* tokens emitted in steps */
	tick first_arrival, last_arrival, last_finish;
	tick busy;                        /* replica-time with a step running */
	int64_t rounds;                   /* steps */
	struct work work;                 /* sums of the quantities */
	__extension__ __int128 batch_time, queue_time, kv_time; /* sequence-ticks, requests-ticks, token-ticks over busy time */
	tick blocked;                     /* replica-time in which a head waited for blocks */
	int64_t kv_blocks_max;
	/* by T and R, what the nonlinear terms need: rounds and ticks are in token_rounds below */
	struct histogram itl;             /* of ticks */
	struct histogram sketch[METRICS]; /* used when samples are not kept (all but ITL) */
};

struct tally {
	struct tally_setup setup;
	struct tally_slice slice[TALLY_SLICES];
	/* keep_samples: by request number, ticks; -1: rejected (or output of 1 for TPOT), never finished: TICK_NEVER */
	tick *ttft, *queue, *tpot, *e2e, *arrival, *finish;
	double *e2e_block; /* keep_series: means of five by request number [s] */
	/* rounds and ticks by T (step time and energy), rounds by R: counters up to table_size, per slice folded: whole run */
	int64_t *rounds_by_tokens, *rounds_by_rows;
	tick *ticks_by_tokens;
	int64_t counters; /* length of these */
	bool stopped_early;  /* the backlog limit was hit */
	tick end;            /* time of the last event */
	uint64_t events;
};

void tally_init(struct tally *t, const struct tally_setup *setup);
void tally_free(struct tally *t);

#endif
