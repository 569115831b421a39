/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A physical constant with where it comes from and how sure it is; a record's field of its own. */
#ifndef BASE_FIGURE_H
#define BASE_FIGURE_H

struct record; /* base/record.h */

/* Every constant of a GPU or an engine: a value with where it comes from. */
enum origin { ORIGIN_GIVEN, ORIGIN_DATASHEET, ORIGIN_MEASURED, ORIGIN_FITTED, ORIGIN_ASSUMED };
extern const char *const origin_names[];

struct figure {
	double value; /* SI; NAN: unset */
	double sigma; /* one standard deviation, same unit; NAN: the default for the origin */
	int origin;   /* enum origin */
	char *source; /* owned or NULL */
};
extern const struct record figure_record;

/* value's standard deviation: its own, or 0 (given, datasheet), 10 % (measured, fitted), 30 %
 * (assumed). */
double figure_sigma(const struct figure *f);

/* A table of figures by tensor-parallel degree, keys "2", "4", "8"; see figure_by_tp(). */
struct figure_tp {
	struct figure at2, at4, at8;
};
extern const struct record figure_tp_record;

/* Linear between the keys, the last beyond; NAN where nothing is set. */
double figure_by_tp(const struct figure_tp *table, int tp);

#endif
