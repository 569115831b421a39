/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"

enum { INDENT = 2 };

void json_write_init(struct json_write *w, FILE *to)
{
	*w = (struct json_write){.to = to, .first = true};
}

static void new_line(struct json_write *w)
{
	fprintf(w->to, "\n%*s", INDENT * w->depth, "");
}

/* What stands before a value or a key: nothing after a key or at the top, else a comma and a new
 * line. */
static void separate(struct json_write *w)
{
	if (w->after_key) {
		w->after_key = false;
		return;
	}
	if (!w->first)
		fputc(',', w->to);
	if (w->depth)
		new_line(w);
	w->first = false;
}

void json_write_open(struct json_write *w, char bracket)
{
	separate(w);
	fputc(bracket, w->to);
	w->depth++;
	w->first = true;
}

void json_write_close(struct json_write *w, char bracket)
{
	BUG_IF(w->depth == 0);
	w->depth--;
	if (!w->first)
		new_line(w);
	fputc(bracket, w->to);
	w->first = false;
}

static void write_escaped(FILE *to, unsigned char c)
{
	static const char names[] = "\b\t\n\f\r", letters[] = "btnfr";

	for (int i = 0; names[i]; i++) {
		if (c != (unsigned char)names[i])
			continue;
		fprintf(to, "\\%c", letters[i]);
		return;
	}
	if (c < 0x20 || c == 0x7f)
		fprintf(to, "\\u%04x", c);
	else
		fputc(c, to);
}

/* Bytes that are no UTF-8 (a file name, a cell of a CSV) become the replacement character. */
static void write_string(FILE *to, const char *text)
{
	size_t left = strlen(text), bytes;

	fputc('"', to);
	for (; left; text += bytes, left -= bytes) {
		bytes = utf8_bytes(text, left);
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		if (bytes == 1)
			write_escaped(to, (unsigned char)*text);
		else
			fprintf(to, "%.*s", bytes ? (int)bytes : 3, bytes ? text : "\xef\xbf\xbd");
		bytes += !bytes;
	}
	fputc('"', to);
}

void json_write_key(struct json_write *w, const char *key)
{
	separate(w);
	write_string(w->to, key);
	fputs(": ", w->to);
	w->after_key = true;
}

static void write_bare(struct json_write *w, const char *text)
{
	separate(w);
	fputs(text, w->to);
}

void json_number(char *text, double value)
{
	if (!isfinite(value)) {
		snprintf(text, 32, "null");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, 32, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	/* 100000 reads better than 1e+05: whole numbers are written out as far as they are exact */
	if (fabs(value) < 1e15 && value == floor(value))
		snprintf(text, 32, "%.0f", value == 0 ? 0.0 : value);
}

void json_write_real(struct json_write *w, double value)
{
	char text[32];

	json_number(text, value);
	write_bare(w, text);
}

void json_write_int(struct json_write *w, int64_t value)
{
	separate(w);
	fprintf(w->to, "%" PRId64, value);
}

void json_write_bool(struct json_write *w, bool value)
{
	write_bare(w, value ? "true" : "false");
}

void json_write_text(struct json_write *w, const char *text)
{
	if (!text) {
		write_bare(w, "null");
		return;
	}
	separate(w);
	write_string(w->to, text);
}

static void write_children(struct json_write *w, const cJSON *tree, char open, char close)
{
	json_write_open(w, open);
	for (const cJSON *child = tree->child; child; child = child->next) {
		if (open == '{')
			json_write_key(w, child->string);
		json_write_tree(w, child);
	}
	json_write_close(w, close);
}

void json_write_tree(struct json_write *w, const cJSON *tree)
{
	if (cJSON_IsObject(tree))
		write_children(w, tree, '{', '}');
	else if (cJSON_IsArray(tree))
		write_children(w, tree, '[', ']');
	else if (cJSON_IsNumber(tree))
		json_write_real(w, tree->valuedouble);
	else if (cJSON_IsString(tree))
		json_write_text(w, tree->valuestring);
	else if (cJSON_IsBool(tree))
		json_write_bool(w, cJSON_IsTrue(tree));
	else
		json_write_text(w, NULL);
}
