/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The constants that a result leans on: the one enumeration behind provenance, intervals from
 * constants, and calibration.
 */
#ifndef STUDY_CONSTANTS_H
#define STUDY_CONSTANTS_H

#include "scenario/scenario.h"

enum constant_of { CONSTANT_OF_GPU, CONSTANT_OF_ENGINE };

/* A figure that a unit's result leans on. */
struct constant_use {
	const char *key, *sub; /* "mfu", "bf16"; sub NULL: there is none */
	const struct figure *figure;
	enum constant_of of;
	double low, high; /* physical bounds [SI]; NAN: it has no say in times */
	bool usual;	  /* a default of the program: neither in the GPU nor in the engine */
};

#define CONSTANT_USES_MAX 32

/*
 * Those of an engine on a GPU, its unit settled to a precision and tp GPUs: mfu of the compute
 * types used, mbu, amfu, ambu, p, bandwidth, memory, power; the engine's times and memory rule;
 * links where tp > 1. Figures that are not set are left out, but for a link, whose default is
 * assumed. Returns how many.
 */
size_t constants_used(struct constant_use use[CONSTANT_USES_MAX], const struct engine_cost *e,
		      const struct gpu *g, const struct precision_use *p, int tp);

/* A constant as a place inside a scenario. */
struct constant {
	char *path;	       /* "gpus[0].mfu.all", "engine.layer_us": as of a --set; owned */
	const char *key, *sub; /* "mfu", "all"; sub NULL: there is none */
	const char *owner;     /* the GPU's or engine's id; NULL: it has none. Not owned */
	enum constant_of of;
	struct figure *figure; /* inside the scenario: change value, evaluate again */
	double low, high;      /* physical bounds, SI */
};

struct constants {
	size_t n;
	struct constant *constant;
};

/*
 * Those that decide the times of candidate `index` of s at its tensor-parallel degree, of pools
 * those of all of them, a figure once: mfu, mbu, amfu, ambu, p, expert_share, links, and the
 * engine's times where they are above 0 or assumed. What is a default of the program (a link's
 * share of PCIe) is written into s first, so that it can be changed. None where the model cannot
 * run on it.
 */
void constants_list(struct constants *c, struct scenario *s, size_t index);
void constants_free(struct constants *c);

/* A copy whose GPUs and engines are its own to change; all else is shared with s, which must
 * outlive it. */
struct scenario *constants_scenario(const struct scenario *s);
void constants_scenario_del(struct scenario *copy);

#endif
