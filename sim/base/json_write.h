/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON out: a stream of keys and values, indented by two; numbers in the shortest form that reads
 * back the same. */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <cjson/cJSON.h>

struct json_write {
	FILE *to;
	int depth;
	bool first, after_key;
};

void json_write_init(struct json_write *w, FILE *to);
void json_write_open(struct json_write *w, char bracket); /* '{' or '[' */
void json_write_close(struct json_write *w, char bracket);
void json_write_key(struct json_write *w, const char *key);
void json_write_real(struct json_write *w, double value); /* NAN and infinities: null */
void json_write_int(struct json_write *w, int64_t value);
void json_write_bool(struct json_write *w, bool value);
void json_write_text(struct json_write *w, const char *text); /* NULL: null */
void json_write_tree(struct json_write *w, const cJSON *tree);

/* Shortest decimal text of value that strtod reads back as the same double; "null" if not finite.
 * At least 32 bytes. */
void json_number(char *text, double value);

#endif
