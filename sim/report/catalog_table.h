/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One entry of a catalogue in full for people: its texts, its figures with unit, origin, sigma and
 * source, what the source gives, notes and sources. */
#ifndef REPORT_CATALOG_TABLE_H
#define REPORT_CATALOG_TABLE_H

#include <stdio.h>

#include "base/record.h"
#include "report/table.h"

/* `entry` is an object that `r` describes, as record_to_json() writes it; further keys are printed
 * as they are. */
void catalog_table_print(const struct record *r, const cJSON *entry, FILE *to);

/* The words of `text` on a line that was begun up to column `indent`, and on further lines that
 * begin there. */
void catalog_table_wrap(const char *text, size_t indent, FILE *to);

/* A number as it is in the file, up to six digits: 72, 23.6545. */
void catalog_table_number(struct table *t, double value);

#endif
