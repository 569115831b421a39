/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulated against measured: every figure of every row of the tables of measurements, with what
 * was left out and why.
 */
#ifndef STUDY_VALIDATION_H
#define STUDY_VALIDATION_H

#include "scenario/measured_tables.h"
#include "study/validation_row.h"

enum validation_set {
	VALIDATION_CHECK,    /* no constant was fitted to the row */
	VALIDATION_UNFITTED, /* nor to any other row of its GPU */
	VALIDATION_FIT,	     /* of a table in fit/ */
	VALIDATION_SETS
};
extern const char *const validation_set_names[];

/* One measured figure and what the simulation made of it; texts belong to the validation. */
struct validation_point {
	const struct measured_table *table;
	const struct measured_row *row;
	size_t figure;			    /* of the row's */
	const char *name, *source, *metric; /* the table's, the row's, "latency.ttft_ms.p50" */
	int64_t line;
	const char *gpu, *engine; /* ids; of a row that was refused the GPU as written, NULL */
	const char *conditions;	  /* "traffic.arrivals.rate=4, ..." */
	const char
		*pair; /* rows alike but for their GPU have the same: fact.pair, else conditions */
	int set, load; /* enum validation_set, validation_load */
	int64_t requests, replications;
	bool replayed;	      /* a trace's own arrivals */
	double measured;      /* in the file's unit, as the next ones */
	double simulated;     /* median; NAN: left out */
	double band[2];	      /* what holds 95 % of single runs; NAN: there was one */
	double error;	      /* simulated / measured - 1 */
	bool inside;	      /* the band holds the measured figure */
	const char *left_out; /* NULL, or the reason: it has no say in any group */
};
extern const struct record validation_point_record;

/* A reason why figures are left out. */
struct validation_left {
	char *reason, *why; /* why: a sentence of the rule; NULL: the program's own reason */
	int64_t rows;	    /* left out as a whole */
	int64_t figures;    /* those of these rows, and single ones */
};
extern const struct record validation_left_record;

struct validation {
	struct measured_tables tables;
	size_t points;
	struct validation_point *point; /* by table, row, figure */
	size_t lefts;
	struct validation_left *left; /* those of most rows first */
	int64_t rows, rows_compared;  /* of the picked tables */
	struct record_list texts;     /* that points refer to */
};

struct validation_setup {
	int replications;	    /* of validation_row_setup; 0: as many as it takes */
	int jobs;		    /* <= 0: all processors */
	int64_t seed;		    /* RECORD_INT_UNSET: each scenario's */
	const char *const *catalog; /* --catalog folders, NULL-terminated, or NULL */
	const char *data_dir;
	bool quiet; /* no progress */
};

/* Simulates the picked tables, which are then the validation's own. False with d filled, and
 * nothing but the validation to free: a cell that cannot be read is an error, a GPU, a model or a
 * layout that the program does not have is a reason to leave the row out. */
bool validation_run(struct validation *v, struct measured_tables *tables,
		    const struct validation_setup *setup, struct diag *d);
void validation_free(struct validation *v);

#endif
