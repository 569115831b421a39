/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants from a server's own measurements: an engine's times and a GPU's efficiencies so that
 * measured rows are simulated as they were measured. What the rows cannot tell stays where it was:
 * each constant's own uncertainty is one more observation of it.
 */
#ifndef STUDY_CALIBRATION_H
#define STUDY_CALIBRATION_H

#include "scenario/measured_rules.h"
#include "study/constants.h"
#include "study/validation_row.h"

struct calibration_setup {
	const struct measured_table *table;
	size_t tables;
	const struct measured_rules *rules; /* what of them is left out; NULL: nothing */
	const struct scenario_source *from; /* the scenario that rows are layers over */
	const struct scenario_options *options;
	int jobs; /* <= 0: all processors */
	bool quiet;
};

/* A constant of the fit, in its file's unit. */
struct calibration_constant {
	char *path;  /* below its owner: "layer_us", "mfu.all" */
	char *owner; /* id of the engine or GPU */
	char *gpu;   /* host_factor: of the servers with this GPU; NULL: of all */
	enum constant_of of;
	double before, after, sigma_before, sigma_after;
	double scale; /* SI = value * scale */
	double told;  /* share of its variance that the rows took away, 0 to 1 */
	/* Constants of one number do the same to the figures: the rows know of them together. 0:
	 * none. */
	size_t group;
};

/* A measured figure that was fitted to. */
struct calibration_figure {
	const struct measured_row *row;
	const struct measured_figure *figure;
	double before, after; /* simulated, in the file's unit */
	double sigma;	      /* of its logarithm: chance, and what no fit explains */
	double weight;	      /* 1; less for an outlier */
};

struct calibration {
	size_t constants;
	struct calibration_constant *constant;
	size_t figures;
	struct calibration_figure *figure;
	size_t rows, rows_left; /* used; left out by rules, or refused by the program */
	size_t figures_left;	/* of rows that are used: faster than physics, or not simulated */
	bool converged;
};

/* Latencies and throughputs are fitted to, no power and no memory. False with d filled, and nothing
 * to free: no row can be used, or a cell cannot be read. The same for any number of jobs. */
bool calibration_run(struct calibration *c, const struct calibration_setup *setup, struct diag *d);
void calibration_free(struct calibration *c);

/* Writes what was fitted into an engine or GPU of that id, read from the catalogue, with its
 * sigma and `source`; host_factor then is sure, for the times are those of the one host. Whether
 * anything was. */
bool calibration_apply(const struct calibration *c, enum constant_of of, const char *id,
		       void *object, const char *source);

#endif
