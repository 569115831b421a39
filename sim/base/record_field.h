/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the record's own files: fields looked up, values reset, scales and bounds handed down. */
#ifndef BASE_RECORD_FIELD_H
#define BASE_RECORD_FIELD_H

#include "base/record.h"

/* Scale and bounds that hold where a real is read: those of the fields around it, multiplied and
 * narrowed. */
struct record_scope {
	double scale, min, max; /* of the file value; -INFINITY, INFINITY: unbounded */
	bool above_min;
};

/* A field found by key, perhaps in an inline record. */
struct record_hit {
	const struct field *field;   /* NULL: none */
	const struct record *record; /* that has it in its table */
	void *object;		     /* that record's base */
};

extern const struct record_scope record_scope_top;
struct record_scope record_scope_in(struct record_scope outer, const struct field *f);

/* The field of a key; the object may be NULL, where only the field is asked for. */
struct record_hit record_lookup(const struct record *r, void *object, const char *key);

/* Names of all built keys, inline ones too, NULL-terminated; release with free(). With a tag in
 * `applying`, only those that apply to its value in that object. */
const char **record_keys(const struct record *r, const void *applying);

/* All built keys and the caller's `extra` ones. */
const char **record_keys_with(const struct record *r, const char *const *extra);

/* Whether the field applies under the record's tag. */
bool record_applies(const struct record *r, const void *object, const struct field *f);
/* Whether anything is set; of a record, anything inside. */
bool record_is_set(const struct field *f, const void *object);
/* Position of a choice's text, "!" ignored; -1: none. */
int record_choice(const struct field *f, const char *text);

/* Where the field's value is; NULL in no object. */
void *record_at(const struct field *f, void *object);
const void *record_at_const(const struct field *f, const void *object);
void record_free_value(const struct field *f, void *object);
void record_default_value(const struct field *f, void *object, struct record_scope outer);
void record_init_in(const struct record *r, void *object, struct record_scope scope);

/* Reads a default's JSON text over the value (record_read.c). */
void record_read_default(const struct field *f, void *object, struct record_scope outer);

/* A path's end: where a --set lands. */
struct record_target {
	const struct record *record;
	void *object;
	const struct field *field; /* NULL if d was filled */
	struct record_scope scope; /* of the record around the field */
	void *element;		   /* "gpus[0]": that element, else NULL */
	char parent[256];	   /* path of the record around the field, canonical keys */
	char path[256];		   /* path of the value */
	const char *const *extra;
};
/* `extra`: further keys of the top object, for messages; NULL-terminated, or NULL. */
struct record_target record_resolve(const struct record *r, void *object, const char *path,
				    const char *const *extra, struct diag *d);

#endif
