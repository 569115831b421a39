/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogues of GPUs, models and engines: folders of JSON files, found by id, alias, Hugging
 * Face id or short form. A folder of --catalog holds gpus/, models/ and engines/ (or
 * workloads/models/ and workloads/engines/, as the source tree does); the first folder that has an
 * id wins.
 */
#ifndef SCENARIO_CATALOG_H
#define SCENARIO_CATALOG_H

#include "base/record.h"

enum catalog_kind { CATALOG_GPU, CATALOG_MODEL, CATALOG_ENGINE, CATALOG_KINDS };
extern const char *const catalog_kind_phrases[]; /* "a GPU", "a model", "an engine" */

struct catalog;

/* Reads the folders' files; entries are checked when asked for. `folders` is NULL-terminated or
 * NULL, `data_dir` comes last, or NULL. NULL with d filled if a folder or a file cannot be read. */
struct catalog *catalog_new(const char *const *folders, const char *data_dir, struct diag *d);
void catalog_del(struct catalog *c);
size_t catalog_count(const struct catalog *c, enum catalog_kind kind);
const char *catalog_id(const struct catalog *c, enum catalog_kind kind, size_t i); /* sorted */

/* The full id for an id, alias, HF id or unambiguous short form; NULL with d filled (several:
 * listed; none: nearest). */
const char *catalog_find(const struct catalog *c, enum catalog_kind kind, const char *name,
			 struct diag *d);

/* Adds one file outside the folders and returns its id, which is its path; NULL with d filled. A
 * model's may be a Hugging Face config.json. It is found by that id alone and not counted. */
const char *catalog_add_file(struct catalog *c, enum catalog_kind kind, const char *path,
			     struct diag *d);

/* Keys of a config.json that were ignored, as texts; of other entries none. */
const struct record_list *catalog_ignored(const struct catalog *c, enum catalog_kind kind,
					  const char *id);

/* Puts into d where a file outside the folders says one of our keys, perhaps by another name;
 * nothing for other entries. */
void catalog_blame(const struct catalog *c, enum catalog_kind kind, const char *id, const char *key,
		   struct diag *d);

/* Reads one entry (base chain applied) into a zeroed struct gpu, model or engine; false with d
 * filled. */
bool catalog_read(const struct catalog *c, enum catalog_kind kind, const char *id, void *object,
		  struct diag *d);

/* The same as layers over an initialised object, not finished: deepest base first. */
bool catalog_read_over(const struct catalog *c, enum catalog_kind kind, const char *id,
		       void *object, struct record_places *places, struct diag *d);

const struct record *catalog_record(enum catalog_kind kind);
/* Where a struct gpu, model or engine keeps its id. */
char **catalog_object_id(enum catalog_kind kind, void *object);

/* The price book: its file. */
const char *catalog_price_book(const struct catalog *c);

#endif
