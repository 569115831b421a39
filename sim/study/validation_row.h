/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One measured row, simulated: the row's own number of requests, replication by replication, so
 * that a p99 of 200 requests is compared with p99s of 200 requests. A finite run is measured whole;
 * only a warm-up that the scenario states is cut.
 */
#ifndef STUDY_VALIDATION_ROW_H
#define STUDY_VALIDATION_ROW_H

#include "scenario/measured.h"
#include "study/unit.h"

/* With so many replications the least and the largest of a figure hold 95 % of further ones. */
#define VALIDATION_REPLICATIONS 40
/* No more requests are simulated, of one replication and of all: long runs get fewer. */
#define VALIDATION_REQUESTS_MAX	    20000
#define VALIDATION_REQUESTS_ALL_MAX 80000
/* Where the row states no number; at least 20 a client of a closed loop. */
#define VALIDATION_REQUESTS 2000

enum validation_load {
	VALIDATION_BELOW,  /* offered < 0.9 saturated */
	VALIDATION_ABOVE,  /* 0.9 and more */
	VALIDATION_CLOSED, /* closed and offline: nothing is offered at a rate of its own */
	VALIDATION_LOADS
};
extern const char *const validation_load_names[];

struct validation_row_setup {
	int replications; /* 0: VALIDATION_REPLICATIONS, within the bounds above; one where nothing
			     is drawn by chance */
	int jobs;
	bool figures_only; /* no saturation: `load` of an open loop is VALIDATION_BELOW */
};

/* A measured figure's simulated one, in the same unit. */
struct validation_figure {
	double simulated; /* median over the replications; NAN: it has none */
	double low, high; /* that hold 95 % of single runs; NAN: there was one run */
	/* Of the logarithm over the replications: smoother than the median when a constant moves.
	 * log_sd 0: there was one run. NAN: a replication has no figure. */
	double log_mean, log_sd;
	const char *impossible; /* NULL, or the floor that the measured one breaks */
};

struct validation_row {
	enum verdict verdict; /* OK, or does-not-fit, unsupported: nothing was simulated */
	char reason[512];
	int replications;
	int64_t requests;     /* of a replication */
	bool replayed;	      /* a trace's own arrivals */
	double offered_rps;   /* the highest of a schedule; NAN: closed, offline */
	double saturated_rps; /* NAN as well */
	enum validation_load load;
	struct validation_figure *figure; /* by the row's figures */
};

/* Simulates candidate 0 of the row's scenario. The row's figures are paths of a result
 * (validation_row_check). The same bytes for any number of jobs. False with d filled, and
 * nothing to free, if a trace failed. */
bool validation_row_run(struct validation_row *r, const struct validation_row_setup *setup,
			const struct scenario *s, const struct measured_row *row, struct diag *d);
void validation_row_free(struct validation_row *r);

/* Whether every figure's heading is the path of a number in a result; false with d filled. */
bool validation_row_check(const struct measured_table *t, struct diag *d);

#endif
