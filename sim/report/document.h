/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame that every JSON document shares: infercap, command, scenario, seed, then what the
 * command adds. */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include "base/json_write.h"
#include "base/record.h"

/* Opens the document on w; `scenario` may be NULL and seed RECORD_INT_UNSET: both print null. */
void document_open(struct json_write *w, FILE *to, const char *command, const cJSON *scenario,
		   int64_t seed);
/* One record as a value. */
void document_record(struct json_write *w, const struct record *r, const void *object);
/* An array of n records under a key. */
void document_list(struct json_write *w, const char *key, const struct record *r,
		   const void *objects, size_t n);
void document_close(struct json_write *w);

#endif
