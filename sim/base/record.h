/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A struct is described once, by a table of fields beside its definition. The table reads JSON
 * layers over the struct (unknown keys, duplicates, ranges, types, nearest name), resolves --set
 * and --over paths, and writes JSON, CSV headings and the references in docs/.
 *
 * Unset values: FIELD_REAL NAN, FIELD_INT INT64_MIN, FIELD_TEXT NULL, lists count 0; they are
 * written as null. Storage by kind: BOOL bool, INT int64_t, REAL double (SI), TEXT char * (owned),
 * CHOICE int (index into choices), RECORD the struct inline, LIST struct record_list, FIGURE-s are
 * RECORDs of figure_record.
 */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "base/diag.h"
#include "base/json_doc.h"

#define RECORD_INT_UNSET INT64_MIN

enum field_kind {
	FIELD_BOOL,
	FIELD_INT,
	FIELD_REAL,
	FIELD_TEXT,
	FIELD_CHOICE,
	FIELD_RECORD,
	FIELD_VECTOR, /* output only: `count` doubles inside the struct; null if any is NAN */
	FIELD_LIST, /* of records (of: struct record) or of texts / numbers (of: NULL, see flags) */
};

enum field_flags {
	FIELD_REQUIRED = 1, /* must be set after the last layer */
	FIELD_IN_TABLE = 2, /* a column of the printed table */
	FIELD_INLINE = 4,   /* a RECORD whose keys stand in the parent object itself */
	FIELD_AUTO = 8,	    /* INT or REAL: the text "auto" is allowed and reads as unset */
	FIELD_TEXTS = 16,   /* LIST of texts: struct record_list of char * */
	FIELD_REALS = 32,   /* LIST of numbers: struct record_list of double */
	FIELD_PAIRS = 64,   /* LIST of [number, number]: struct record_list of double[2] */
	FIELD_OPEN =
		128, /* TEXT holding any JSON value as its text, unchecked (GPU files' `given`) */
	FIELD_PATH = 256, /* TEXT: a file; a relative one is made relative to its layer's folder */
	FIELD_NOT_YET = 512,	/* known name, not built: refused with "not in this version" */
	FIELD_ABOVE_MIN = 1024, /* the minimum itself is excluded */
	FIELD_BUFFER = 2048, /* TEXT, output only: a char array inside the struct; empty is null */
};

/* A list read from JSON: `count` elements of `size` bytes at `data`. */
struct record_list {
	size_t count, size;
	void *data;
};

struct field {
	const char *key, *help,
		*def; /* "layer_us": the unit is in the key; default as JSON text or NULL (unset) */
	enum field_kind kind;
	size_t offset;
	double scale;	 /* file value * scale = SI value in the struct; 0 means 1 */
	double min, max; /* of the file value, inclusive; both 0: unbounded */
	int digits;	 /* significant digits when printed for people; 0: 4 */
	unsigned flags;
	unsigned when;	/* bit mask of the tag's choices for which the key applies; 0: always */
	const void *of; /* RECORD, LIST of records: struct record; CHOICE: const char *const [],
			   NULL-terminated, a choice that starts with "!" is known but not built
			   ("not in this version") */
	const char *const *aliases; /* other spellings of the key, NULL-terminated, or NULL */
	size_t count;		    /* VECTOR: its length */
};

struct record {
	const char *name;      /* for messages: "GPU" */
	const char *short_key; /* a value that is no object is read as this field, or NULL */
	const char *tag;       /* key of the CHOICE that says which keys apply, or NULL */
	size_t size, fields;
	const struct field *field;
	bool (*check)(const void *,
		      struct diag *); /* after the last layer; may be NULL; sets d->path relative */
};

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

/*
 * Life of a record. init: defaults. read: one layer over it. finish: tags, required keys, check(),
 * after the last layer. free: owned texts and lists. All return false with d filled on a user's
 * mistake.
 */
void record_init(const struct record *r, void *object);
void record_free(const struct record *r, void *object);
/* `path` prefixes JSON paths in messages ("" at the top). `origin` is what a bare figure gets. */
bool record_read(const struct record *r, void *object, const struct json_doc *doc,
		 const cJSON *item, const char *path, enum origin origin, struct diag *d);
bool record_finish(const struct record *r, void *object, const char *path, struct diag *d);
/* Deep copy into an object that holds nothing. */
void record_copy(const struct record *r, void *to, const void *from);

/* Finds the field that `path` names ("traffic.arrivals.rate", "gpus[0].mbu"; the longest key
 * matches: "p99.9"); *object becomes its record's base. NULL with d filled if there is none. */
const struct field *record_find(const struct record *r, void **object, const char *path,
				struct diag *d);

/* Wraps a --set into a one-value JSON document: the nested objects of PATH around VALUE (JSON if it
 * parses, else text), named "--set PATH=VALUE" in messages. Lists: "gpus[0].mbu" needs the layer
 * below; see scenario/layers. */

/* The object as JSON for `scenario` in a result: file units, defaults filled in, keys that do not
 * apply left out. */
cJSON *record_to_json(const struct record *r, const void *object);

#endif
