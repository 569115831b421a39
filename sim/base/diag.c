/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/foreign_word.h"
#include "base/json_write.h"

enum { NAME_MAX_LENGTH = 63 };

void diag_init(struct diag *d)
{
	memset(d, 0, sizeof(*d));
}

/* Cuts a text that did not fit at a character's border, with an ellipsis. */
static void mark_cut(char *text, size_t size, int wanted)
{
	size_t at = size - 4;

	if (wanted < 0 || (size_t)wanted < size)
		return;
	while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	memcpy(text + at, "...", 4);
}

bool diag_fail(struct diag *d, const char *format, ...)
{
	va_list args;

	if (d->set)
		return false;
	va_start(args, format);
	mark_cut(d->message, sizeof(d->message),
		 vsnprintf(d->message, sizeof(d->message), format, args));
	va_end(args);
	d->set = true;
	return false;
}

static void copy(char *to, size_t size, const char *text)
{
	mark_cut(to, size, snprintf(to, size, "%s", text));
}

void diag_at(struct diag *d, const char *file, int line, int column)
{
	if (d->file[0])
		return;
	copy(d->file, sizeof(d->file), file);
	d->line = line;
	d->column = column;
}

void diag_path(struct diag *d, const char *path)
{
	if (!d->path[0])
		copy(d->path, sizeof(d->path), path);
}

void diag_found(struct diag *d, const char *text)
{
	if (!d->found[0])
		copy(d->found, sizeof(d->found), text);
}

void diag_allowed(struct diag *d, const char *const *names)
{
	size_t used = 0;

	if (d->allowed[0])
		return;
	for (; *names; names++) {
		size_t room = sizeof(d->allowed) - used;
		int wrote = snprintf(d->allowed + used, room, "%s%s", used ? ", " : "", *names);

		if (wrote < 0 || (size_t)wrote >= room) {
			mark_cut(d->allowed, sizeof(d->allowed), (int)sizeof(d->allowed));
			return;
		}
		used += (size_t)wrote;
	}
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* Damerau's distance (optimal string alignment), case ignored, over two rolling rows and the one
 * before. */
static int distance(const char *a, const char *b)
{
	int rows[3][NAME_MAX_LENGTH + 2];
	int la = (int)strlen(a), lb = (int)strlen(b);

	for (int j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (int i = 1; i <= la; i++) {
		int *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];

		now[0] = i;
		for (int j = 1; j <= lb; j++) {
			int x = tolower((unsigned char)a[i - 1]);
			int y = tolower((unsigned char)b[j - 1]);

			now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]))
				now[j] = least(now[j], earlier[j - 2] + 1);
		}
	}
	return rows[la % 3][lb];
}

/* Whether one is the other's beginning, up to a separator: "rate_limit" of "rate", "ttft" of
 * "ttft_ms". */
static bool is_beginning(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	const char *longer = la > lb ? a : b;
	size_t shorter = la > lb ? lb : la;

	return shorter > 1 && la != lb && strncasecmp(a, b, shorter) == 0 &&
	       strchr("_-. ", longer[shorter]);
}

/* In half edits: a beginning counts less than one edit, so that it wins over any other name. */
static int apart(const char *a, const char *b)
{
	return is_beginning(a, b) ? 1 : 2 * distance(a, b);
}

const char *diag_nearest(const char *name, const char *const *names)
{
	const char *best = foreign_word_meaning(name, names);
	size_t length = strlen(name);
	int limit = 2 * (1 + (int)length / 3);

	if (best || !length || length > NAME_MAX_LENGTH)
		return best;
	for (; *names; names++) {
		int now;

		if (strlen(*names) > NAME_MAX_LENGTH)
			continue;
		now = apart(name, *names);
		if (now > limit)
			continue;
		best = *names;
		limit = now - 1;
	}
	return best;
}

void diag_suggest(struct diag *d, const char *name, const char *const *names)
{
	const char *nearest = diag_nearest(name, names);

	diag_found(d, name);
	diag_allowed(d, names);
	if (nearest && !d->nearest[0])
		copy(d->nearest, sizeof(d->nearest), nearest);
}

bool diag_unknown(struct diag *d, const char *what, const char *name, const char *const *names)
{
	if (d->set)
		return false;
	diag_fail(d, "unknown %s \"%s\"", what, name);
	diag_suggest(d, name, names);
	return false;
}

/* A text of the user's, if there is one; what a terminal would obey becomes a question mark. */
static void put(FILE *to, const char *before, const char *text, const char *after)
{
	if (!text[0])
		return;
	fputs(before, to);
	for (; *text; text++)
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, to);
	fputs(after, to);
}

static void print_place(const struct diag *d, FILE *to)
{
	put(to, "", d->file, ":");
	if (d->file[0] && d->line)
		fprintf(to, "%d:", d->line);
	if (d->file[0] && d->line && d->column)
		fprintf(to, "%d:", d->column);
	if (d->file[0])
		fputc(' ', to);
}

/* Whether the message says already what was found; a bare number in it may be a limit. */
static bool is_said(const struct diag *d)
{
	char quoted[sizeof(d->found) + 2];

	if (!isdigit((unsigned char)d->found[0]) && d->found[0] != '-')
		return strstr(d->message, d->found);
	snprintf(quoted, sizeof(quoted), "\"%s\"", d->found);
	return strstr(d->message, quoted);
}

void diag_print(const struct diag *d, FILE *to)
{
	fputs("infercap: ", to);
	print_place(d, to);
	put(to, "", d->path, ": ");
	put(to, "", d->message, "");
	if (!is_said(d))
		put(to, ", found ", d->found, "");
	put(to, "; did you mean \"", d->nearest, "\"?");
	if (!strstr(d->message, d->allowed))
		put(to, " (allowed: ", d->allowed, ")");
	fputc('\n', to);
}

static void write_text(struct json_write *w, const char *key, const char *text)
{
	json_write_key(w, key);
	json_write_text(w, text[0] ? text : NULL);
}

static void write_place(struct json_write *w, const char *key, int number)
{
	json_write_key(w, key);
	if (number)
		json_write_int(w, number);
	else
		json_write_text(w, NULL);
}

void diag_json(const struct diag *d, FILE *to)
{
	struct json_write w;

	json_write_init(&w, to);
	json_write_open(&w, '{');
	json_write_key(&w, "error");
	json_write_open(&w, '{');
	write_text(&w, "file", d->file);
	write_place(&w, "line", d->line);
	write_place(&w, "column", d->column);
	write_text(&w, "path", d->path);
	write_text(&w, "message", d->message);
	write_text(&w, "found", d->found);
	write_text(&w, "allowed", d->allowed);
	write_text(&w, "nearest", d->nearest);
	json_write_close(&w, '}');
	json_write_close(&w, '}');
	fputc('\n', to);
}
