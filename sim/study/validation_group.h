/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of validated figures, group by group. */
#ifndef STUDY_VALIDATION_GROUP_H
#define STUDY_VALIDATION_GROUP_H

#include "study/validation.h"

/* Errors are simulated / measured - 1; NAN where there are none. */
struct validation_summary {
	int64_t figures;
	double median, p90, worst; /* of |error| */
	double bias;		   /* median error, with its sign */
	size_t worst_at;	   /* index of the worst one; 0 where there are none */
};
/* Of n errors. */
struct validation_summary validation_summarise(const double *error, size_t n);

/* By what figures are told apart, beside their metric, set and load. */
enum { VALIDATION_BY_TABLE = 1, VALIDATION_BY_GPU = 2, VALIDATION_BY_ENGINE = 4 };

struct validation_group {
	const char *table, *gpu, *engine; /* NULL: all of them together */
	const char *metric;
	int set, load;
	struct validation_summary summary;
	double inside;	    /* share inside the band, of figures that have one; NAN: none has */
	const char *source; /* of the worst one */
	const char *conditions;
	int64_t line;
};
extern const struct record validation_group_record;

struct validation_groups {
	size_t n;
	struct validation_group *group;
};

/* The groups of all figures that are compared, ordered by set, load, metric within what tells them
 * apart; texts stay the validation's. Release with validation_groups_free(). */
void validation_groups_find(struct validation_groups *g, const struct validation *v, unsigned by);
void validation_groups_free(struct validation_groups *g);

#endif
