/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a mix is made of: the types of units, with what each holds of each class and costs. */
#ifndef STUDY_MIX_TYPE_H
#define STUDY_MIX_TYPE_H

#include "base/progress.h"
#include "study/mix.h"
#include "study/programme.h"
#include "study/side.h"
#include "traffic/length_class.h"

#define MIX_TYPE_SPARE 2 /* units beyond those that were counted */

/*
 * A GPU at a tensor-parallel degree. A GPU is of one or two types: at the smallest degree that
 * holds some rate of the whole load, and at the smallest that holds some of the shortest class, if
 * that is smaller.
 */
struct mix_type {
	size_t candidate;
	struct side side; /* settled */
	struct replace_side settled;
	bool whole;	 /* holds some rate of the whole load */
	int64_t alone;	 /* so many seem to hold the load by themselves; 0: no number does */
	double unit_rps; /* of the whole load, saturated */
	struct capacity of_class[MIX_CLASSES]; /* of one unit */
	/* The same as the programme takes it, raised so that `alone` units carry the load. */
	double capacity_rps[MIX_CLASSES];
	double *usd; /* an hour, of 0 ... units_max units */
	int64_t units_max;
};

struct mix_types {
	const struct mix_setup *setup;
	size_t classes, types;
	struct length_class class[MIX_CLASSES];
	struct scenario of_class[MIX_CLASSES]; /* the scenario with a class's traffic */
	struct evaluate_setup shortest;	       /* asks for the first class */
	struct mix_type **type;
	char (*reason)[1024]; /* by candidate: why its units cannot hold the whole load; or empty */
	struct diag *failed;  /* by task */
	struct progress progress;
};

/* Divides the load and finds all types; false with d filled if a trace failed. Free in any case. */
bool mix_type_find_all(struct mix_types *m, const struct mix_setup *setup, struct diag *d);
void mix_type_free_all(struct mix_types *m);

/* The programme of these types: at demand 1, without cuts; its prices stay theirs. */
void mix_type_programme(const struct mix_types *m, struct programme *p);

#endif
