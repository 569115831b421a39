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
#include "base/figure.h"
#include "base/json_doc.h"
#include "base/record_places.h"

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
	FIELD_BUFFER = 2048,  /* TEXT, output only: a char array inside the struct; empty is null */
	FIELD_POINTER = 4096, /* RECORD, output only: the struct has its address; NULL is null */
	FIELD_NULL_IF_EMPTY = 8192, /* LIST, output only: an empty one is null */
};

/* A list read from JSON: `count` elements of `size` bytes at `data`. */
struct record_list {
	size_t count, size;
	void *data;
};

/* Appends a text, which the list then owns, to one of texts that may be empty. */
void record_texts_add(struct record_list *list, char *text);
void record_texts_free(struct record_list *list);

struct field {
	const char *key, *help,
		*def; /* "layer_us": the unit is in the key; default as JSON text or NULL (unset) */
	enum field_kind kind;
	size_t offset;
	double scale;	 /* file value * scale = SI value in the struct; 0 means 1 */
	double min, max; /* of the file value, inclusive; both 0: unbounded */
	unsigned flags;
	unsigned when;	/* bit mask of the tag's choices for which the key applies; 0: always */
	const void *of; /* RECORD, LIST of records: struct record; CHOICE: const char *const [],
			   NULL-terminated, a choice that starts with "!" is known but not built
			   ("not in this version") */
	size_t count;	/* VECTOR: its length */
};

struct record {
	const char *name;      /* for messages: "GPU" */
	const char *short_key; /* a value that is no object is read as this field, or NULL */
	const char *tag;       /* key of the CHOICE that says which keys apply, or NULL */
	size_t size, fields;
	const struct field *field;
	bool (*check)(const void *,
		      struct diag *); /* after the last layer; may be NULL; sets d->path relative */
	/* Under which key a bare number is likely meant, for messages; or NULL. */
	const char *number_key;
	/* After the last layer, before check(): sets what is unset and follows from the rest; may
	 * be NULL. */
	void (*settle)(void *object);
};

/*
 * Life of a record. init: defaults. read: one layer over it. finish: tags, required keys, settle(),
 * check(), after the last layer. free: owned texts and lists. All return false with d filled on a
 * user's mistake. init and read parse JSON: main thread only. A bare figure in a field's default
 * has origin `assumed`.
 *
 * A layer merges object by object, key by key; any other value replaces all that earlier layers
 * said there. A layer that sets a record's tag drops earlier layers' keys that do not apply to it.
 */
void record_init(const struct record *r, void *object);
void record_free(const struct record *r, void *object);

/* One layer being read: its text and how its values count. */
struct record_reader {
	const struct json_doc *doc;
	const char *prefix;   /* of JSON paths in messages: "gpus[0]"; "" at the top */
	enum origin origin;   /* what a bare figure gets */
	bool null_is_default; /* null returns to the default (--set); else it is an error */
	bool allow_unbuilt;   /* choices that are not built may stand: record_check_built() */
	/* Keys of the top object that the caller reads: skipped; NULL-terminated, or NULL. */
	const char *const *extra_keys;
	/* Where each value was set, for errors after the last layer; or NULL. */
	struct record_places *places;
	struct diag *d;
};

/* Reads `item`, a value of the reader's doc, over the object. With places, call
 * record_places_layer() once before. */
bool record_read_layer(const struct record_reader *in, const struct record *r, void *object,
		       const cJSON *item);

/* Reads `item` over the one value that `path` names ("arrivals.rate", "gpus[0].mbu",
 * "ttft_ms.p99.9": the longest key matches): a --set. Paths of messages are the whole path. */
bool record_set(const struct record_reader *in, const struct record *r, void *object,
		const char *path, const cJSON *item);

/* After the last layer; places as above or NULL, `prefix` for paths where no place is known. */
bool record_finish_layers(const struct record *r, void *object, const struct record_places *places,
			  const char *prefix, struct diag *d);

/* The same without places, for a single layer: errors of record_finish() carry a path but no line.
 */
bool record_read(const struct record *r, void *object, const struct json_doc *doc,
		 const cJSON *item, const char *path, enum origin origin, struct diag *d);
bool record_finish(const struct record *r, void *object, const char *path, struct diag *d);

/* Whether every choice made is built (else "not in this version"): for layers read with
 * allow_unbuilt. */
bool record_check_built(const struct record *r, const void *object,
			const struct record_places *places, const char *prefix, struct diag *d);

/* Finds the field that `path` names; *object becomes its record's base. NULL with d filled if there
 * is none. */
const struct field *record_find(const struct record *r, void **object, const char *path,
				struct diag *d);

/* The number of the INT or REAL that `path` names, in the file's unit if the scale is the field's
 * own (as in results); NAN: unset. A path that names none is our own mistake. */
double record_number(const struct record *r, const void *object, const char *path);

/* The object as JSON for `scenario` in a result: file units, defaults filled in, keys that do not
 * apply and keys that are not built left out; "auto" where unset means that, else null. */
cJSON *record_to_json(const struct record *r, const void *object);

/* A value in SI back in file units, without the noise of the division: 33, not 32.99999999999999.
 */
double record_file_value(double si, double scale);

#endif
