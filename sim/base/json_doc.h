/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JSON text read strictly (RFC 8259; no duplicate keys, comments, BOM, 1e400, \u0000), each
 * value's place known. */
#ifndef BASE_JSON_DOC_H
#define BASE_JSON_DOC_H

#include <stdbool.h>
#include <cjson/cJSON.h>

#include "base/diag.h"

struct json_doc; /* owns text, tree and places; reference-free: the reader deletes it when done */

/* Reads a file ("-" is stdin); NULL and a located diag on failure. Main thread only (cJSON's
 * global). */
struct json_doc *json_doc_read(const char *file, struct diag *d);

/* The same from a text; `name` stands for the file in messages ("--set PATH=VALUE"). */
struct json_doc *json_doc_parse(const char *name, const char *text, struct diag *d);

const cJSON *json_doc_root(const struct json_doc *doc);
const char *json_doc_name(const struct json_doc *doc);
/* The folder of a file that was read, to which its relative paths refer; NULL for stdin and texts.
 */
const char *json_doc_folder(const struct json_doc *doc);
/* Sets it, of a text that stands for part of a file. */
void json_doc_set_folder(struct json_doc *doc, const char *folder);

/* Line and column (in characters) of `item`, from 1. The place is kept in the item's valueint, so a
 * copy made with cJSON_Duplicate() has it too; numbers are to be read from valuedouble. */
void json_doc_place(const struct json_doc *doc, const cJSON *item, int *line, int *column);

/* Puts the place of `item` (a value of this doc, or a copy of one) into d. */
void json_doc_locate(const struct json_doc *doc, const cJSON *item, struct diag *d);

/* Puts all that is known of `item` into a diag: its place, `path` and, in a few words, what was
 * found (a number or a text itself, else "an object", "a list", "null"...); returns false. */
bool json_doc_blame(const struct json_doc *doc, const cJSON *item, const char *path,
		    struct diag *d);

/* The value of a key; NULL: there is none, or null. */
const cJSON *json_doc_member(const cJSON *object, const char *key);

void json_doc_del(struct json_doc *doc);

#endif
