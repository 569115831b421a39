/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each value of a record was set: a table from JSON path to file, line and column, newest
 * layer wins. */
#ifndef BASE_RECORD_PLACES_H
#define BASE_RECORD_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct record_place {
	char *path; /* relative to the record: "arrivals.rate"; "" the record itself */
	uint32_t hash;
	int line, column;
	size_t layer; /* index of the layer that set it */
};

struct record_layer_name {
	char *file, *prefix;
};

struct record_places {
	struct record_place *place;
	size_t count, capacity;
	struct record_layer_name *layer;
	size_t layers;
};

void record_places_init(struct record_places *p);
void record_places_free(struct record_places *p);

/* Begins a layer: what is set from now on stands in `file`; its paths in messages start with
 * `prefix`. */
void record_places_layer(struct record_places *p, const char *file, const char *prefix);

void record_places_set(struct record_places *p, const char *path, int line, int column);
/* Forgets path and all below it. */
void record_places_drop(struct record_places *p, const char *path);
/* The place of exactly this path, or NULL. */
const struct record_place *record_places_get(const struct record_places *p, const char *path);
/* Of path and all below it what was set last, by the newest layer; NULL: nothing. */
const struct record_place *record_places_newest(const struct record_places *p, const char *path);

/* Puts the place of path, or of the nearest object around it, into d; and the path with its prefix.
 */
void record_places_locate(const struct record_places *p, const char *path, struct diag *d);

/* "PREFIX.PATH", either may be empty; at most `size` bytes. */
void record_path_join(char *to, size_t size, const char *prefix, const char *path);

#endif
