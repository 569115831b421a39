/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a roofline: work in one quantity of a step, the rates it runs at, its seconds. */
#ifndef ROOFLINE_TERM_H
#define ROOFLINE_TERM_H

#include <stdint.h>

enum quantity {
	PER_STEP,	   /* 1, whatever the work says */
	PER_TOKEN,	   /* T: tokens processed */
	PER_ROW,	   /* R: sequences that emit */
	PER_SEQUENCE,	   /* n: sequences with a token in the step */
	PER_PAIR,	   /* sum over prefill chunks of c*q + c(c+1)/2 */
	PER_CHUNK_CONTEXT, /* sum over prefill chunks of q + c */
	PER_CONTEXT,	   /* S: sum of decode contexts, each counting the token being written */
	PER_WINDOW,	   /* the same capped by the window (unused so far) */
	QUANTITIES
};

/* All that serve tells roofline about a step. */
struct work {
	int64_t of[QUANTITIES];
};

enum term_class { TERM_DEVICE, TERM_LINK, TERM_FIXED, TERM_HOST };

/*
 * FLOPs and bytes are of all GPUs of the unit together, and so are the rates. Work at x, the
 * quantity's value: flop0 + flop*x FLOPs and byte0 + byte*x + expert_bytes * experts * (1 - (1 -
 * chosen/experts)^x) bytes. Time: pnorm(p) of both at their rates (p = 0: the larger) + latency_s +
 * second*x.
 */
struct term {
	const char *name;     /* "dense layers", "decode attention" */
	enum term_class kind; /* device and link overlap with host; fixed: added after the max */
	enum quantity of, bytes_of; /* equal, except in chunk attention */
	double flop0, flop, byte0, byte;
	double experts, chosen, expert_bytes;
	double flop_per_s, byte_per_s, p, latency_s;
	double second;		/* time a unit of x without work behind it */
	double peak_flop_per_s; /* dense peak behind flop_per_s (for mfu), 0: none */
	double times;		/* layers of this kind */
};

/* Seconds of one term at `now` (times included), and its parts, for `bound`, explanations and the
 * roofline plot. */
struct term_time {
	double total_s, compute_s;
	double memory_s;     /* of a link term: on the link */
	double fixed_s;	     /* latency_s and second*x */
	double flops, bytes; /* of the unit */
};
struct term_time term_time(const struct term *t, const struct work *now);

/* Seconds at x (and bytes_x where bytes count another quantity), times included. */
double term_seconds(const struct term *t, double x, double bytes_x);

/* Seconds a unit of quantity q of a term that is proportional in it, times included; chunk
 * attention has one in each. */
double term_slope(const struct term *t, enum quantity q);

#endif
