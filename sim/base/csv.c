/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

/* A quote that never closes must not swallow a file of gigabytes. */
enum { JOINED_MAX = 64 };

/* Nor may a line that never ends: memory stays bounded. */
#define LINE_BYTES_MAX ((size_t)1 << 26)

bool csv_open(struct csv *c, const char *name, struct diag *d)
{
	bool standard = strcmp(name, "-") == 0;

	*c = (struct csv){.name = name};
	c->file = standard ? stdin : fopen(name, "r");
	if (c->file)
		return true;
	diag_at(d, name, 0, 0);
	return diag_fail(d, "cannot be opened: %s", strerror(errno));
}

/* Bytes of the next physical line without its LF, appended at line[used]; -1 at the end of the
 * file. NUL bytes stay. */
static ptrdiff_t append_line(struct csv *c, size_t used)
{
	size_t start = used;
	int byte = EOF;

	for (;;) {
		byte = getc_unlocked(c->file);
		if (used + 2 > c->capacity) {
			c->capacity = c->capacity ? 2 * c->capacity : 256;
			c->line = xrealloc(c->line, c->capacity);
		}
		if (byte == EOF || byte == '\n' || used == LINE_BYTES_MAX)
			break;
		c->line[used++] = (char)byte;
	}
	c->failed = (byte == EOF && ferror(c->file)) || used == LINE_BYTES_MAX;
	if (c->failed || (byte == EOF && used == start))
		return -1;
	c->line[used] = '\0';
	return (ptrdiff_t)used;
}

static void drop_bom(struct csv *c, size_t *length)
{
	if (*length < 3 || memcmp(c->line, "\xef\xbb\xbf", 3) != 0)
		return;
	*length -= 3;
	memmove(c->line, c->line + 3, *length + 1);
}

/* Reads one line to line[0..length), a final CR cut off. */
static bool next_line(struct csv *c, size_t *length)
{
	ptrdiff_t bytes = append_line(c, 0);

	if (bytes < 0)
		return false;
	*length = (size_t)bytes;
	if (c->number++ == 0)
		drop_bom(c, length);
	if (*length && c->line[*length - 1] == '\r')
		c->line[--*length] = '\0';
	c->length = *length;
	return true;
}

const char *csv_line(struct csv *c)
{
	size_t length;

	return next_line(c, &length) ? c->line : NULL;
}

/* Whether a quoted field is still open at the end of the text; a quote inside an unquoted field is
 * a character. */
static bool is_open(const char *text)
{
	bool open = false, start = true;

	for (; *text; text++) {
		if (*text == '"' && (open || start))
			open = !open;
		start = !open && (*text == ',' || *text == '"');
	}
	return open;
}

/* A quoted field may hold line ends: joins lines until the quotes close, JOINED_MAX of them at
 * most. */
static void join_lines(struct csv *c, size_t length)
{
	long first = c->number;

	while (c->number - first < JOINED_MAX && is_open(c->line)) {
		ptrdiff_t bytes;

		c->line[length] = '\n';
		bytes = append_line(c, length + 1);
		if (bytes < 0) {
			c->line[length] = '\0';
			break;
		}
		c->number++;
		length = (size_t)bytes;
		if (c->line[length - 1] == '\r')
			c->line[--length] = '\0';
	}
	c->joined = c->number - first;
	c->number = first;
	c->length = length;
}

static void push_field(struct csv *c, char *text)
{
	if (c->fields == c->field_capacity) {
		c->field_capacity = c->field_capacity ? 2 * c->field_capacity : 16;
		c->field = xrealloc(c->field, c->field_capacity * sizeof(*c->field));
	}
	c->field[c->fields++] = text;
}

/* Unquotes the field at `from` in place; returns what follows its closing quote. */
static char *unquote(char *from)
{
	char *to = from++;

	for (;; from++) {
		if (!*from)
			break;
		if (*from == '"' && *++from != '"')
			break;
		*to++ = *from;
	}
	*to = '\0';
	return from;
}

static void split(struct csv *c)
{
	char *at = c->line;

	c->fields = 0;
	for (;;) {
		char *field = at;

		at = *at == '"' ? unquote(at) : at;
		at += strcspn(at, ",");
		push_field(c, field);
		if (!*at)
			return;
		*at++ = '\0';
	}
}

bool csv_row(struct csv *c)
{
	size_t length;

	c->number += c->joined;
	c->joined = 0;
	if (!next_line(c, &length))
		return false;
	if (memchr(c->line, '"', length))
		join_lines(c, length);
	split(c);
	return true;
}

int csv_column(const struct csv *c, const char *name)
{
	for (size_t i = 0; i < c->fields; i++)
		if (strcmp(c->field[i], name) == 0)
			return (int)i;
	return -1;
}

void csv_close(struct csv *c)
{
	if (c->file && c->file != stdin)
		fclose(c->file);
	free(c->line);
	free(c->field);
	*c = (struct csv){0};
}

void csv_write(FILE *to, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, to);
		return;
	}
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', to);
		fputc(*text, to);
	}
	fputc('"', to);
}
