/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and comma-separated rows (RFC 4180 quoting), streamed: CRLF, a missing final newline and a
 * BOM are understood. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/diag.h"

struct csv {
	FILE *file;
	const char *name; /* as the user named it */
	char *line;	  /* the row's text, cut into fields in place */
	size_t capacity;
	size_t length; /* of the line in bytes; a NUL byte inside makes it larger than strlen() */
	long number;   /* line number of the row (its first), from 1 */
	long joined;   /* further lines that the row's quoted fields span */
	char **field;
	size_t fields, field_capacity;
	bool failed; /* the read failed, or a line is above 64 MiB; not the end of the file */
};

/* Opens `name` ("-" is stdin); false with d filled. */
bool csv_open(struct csv *c, const char *name, struct diag *d);
/* The next line unsplit, without its end; NULL at the end. */
const char *csv_line(struct csv *c);
/* The next row into field[0..fields); false at the end of the file. A blank line is a row of one
 * empty field. */
bool csv_row(struct csv *c);
/* Index of the column named `name` in the current row (a header), or -1. */
int csv_column(const struct csv *c, const char *name);
void csv_close(struct csv *c);

/* Writes one field, quoted if it must be. */
void csv_write(FILE *to, const char *text);

#endif
