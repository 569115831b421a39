/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One load on one fleet: replications of the same run, side by side, and the request from which on
 * they are measured (docs/model.md, "Warm-up and intervals").
 */
#ifndef STUDY_LOAD_H
#define STUDY_LOAD_H

#include "study/evaluate.h"
#include "study/fleet.h"

#define LOAD_WARMUP_AUTO RECORD_INT_UNSET
/* Beyond so many requests a replication keeps sketches in place of samples. */
#define LOAD_SAMPLES_MAX 1000000
/* Of a schedule's cycle no more requests are played than this. */
#define LOAD_CYCLE_MAX 10000000
/* No run is longer: what a clock of ticks holds [s]. */
#define LOAD_SPAN_MAX_S 1e8
/* A run with more requests waiting than this is stopped: it is overloaded. */
#define LOAD_BACKLOG_MAX 1000000

struct load_setup {
	const struct scenario *scenario;
	const struct fleet *fleet;
	double rate_factor; /* multiplies the scenario's rate */
	int replications, jobs;
	int64_t requests; /* arrivals of a replication, warm-up included */
	int64_t warmup;	  /* requests cut off, or LOAD_WARMUP_AUTO */
	int64_t sliced;	  /* slices are laid out for so many; 0: 20 warm-ups, else all requests */
	int64_t samples_max;	 /* 0: LOAD_SAMPLES_MAX */
	struct sampler *sampler; /* looks at the only replication as it goes; NULL: nobody does */
};

struct load {
	int replications;
	int64_t requests, replicas;
	int64_t cut;	 /* the first request measured */
	int first_slice; /* the slice that it opens */
	struct tally *tally;
};

/* Runs them all; false with d filled (and nothing to free) if a trace failed. The same bytes for
 * any number of jobs. */
bool load_run(struct load *l, const struct load_setup *setup, struct diag *d);
void load_free(struct load *l);
/* Whether the backlog limit was hit. */
bool load_is_stopped(const struct load *l);
/* Undoes the warm-up cut: an overloaded run has no steady state to wait for. */
void load_keep_all(struct load *l);

/* Requests in a cycle of a schedule at `rate_factor` times its rates; NAN: there is no schedule. */
double load_cycle_requests(const struct scenario *s, double rate_factor);

/*
 * Arrivals of one replication: traffic.requests where given, of a trace at most its rows. Auto: all
 * rows of a trace; whole cycles of a schedule, the fewest that hold slo_auto_requests(), though at
 * most LOAD_CYCLE_MAX requests and LOAD_SPAN_MAX_S; else slo_auto_requests().
 */
int64_t load_plan_requests(const struct scenario *s, double rate_factor);

#endif
