/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/trace_row.h"

#include <string.h>

/* The field at *at; *at moves past it to the comma or the end. Quotes around it are left out;
 * doubled ones stay. */
static struct trace_text next_field(const char **at, const char *end)
{
	const char *start = *at, *stop;

	if (start < end && *start == '"') {
		stop = memchr(start + 1, '"', (size_t)(end - start - 1));
		while (stop && stop + 1 < end && stop[1] == '"')
			stop = memchr(stop + 2, '"', (size_t)(end - stop - 2));
		*at = stop ? stop + 1 : end;
		return (struct trace_text){start + 1, (size_t)((stop ? stop : end) - start - 1)};
	}
	stop = memchr(start, ',', (size_t)(end - start));
	*at = stop ? stop : end;
	return (struct trace_text){start, (size_t)(*at - start)};
}

const char *trace_row_csv(struct trace_text line, const int columns[TRACE_ROW_FIELDS], int fields,
			  struct trace_text found[TRACE_ROW_FIELDS])
{
	const char *at = line.at, *end = line.at + line.length;
	int place = 0;

	for (;; place++, at++) {
		struct trace_text field = next_field(&at, end);

		for (int i = 0; i < TRACE_ROW_FIELDS; i++)
			if (columns[i] == place)
				found[i] = field;
		if (at == end)
			break;
		if (*at != ',')
			return "text after a closing quote";
	}
	if (place + 1 < fields)
		return "too few fields";
	return place + 1 > fields ? "too many fields" : NULL;
}

int trace_row_column(struct trace_text heading, const char *name, int *fields)
{
	const char *at = heading.at, *end = heading.at + heading.length;
	int found = -1;

	for (*fields = 0;; ++*fields, at++) {
		struct trace_text field = next_field(&at, end);

		while (field.length && *field.at == ' ')
			field.at++, field.length--;
		while (field.length && field.at[field.length - 1] == ' ')
			field.length--;
		if (found < 0 && field.length == strlen(name) &&
		    memcmp(field.at, name, field.length) == 0)
			found = *fields;
		if (at == end || *at != ',')
			break;
	}
	++*fields;
	return found;
}

/* A scanner of JSON text; at == NULL: it is malformed. */
struct scan {
	const char *at, *end;
};

enum { DEPTH_MAX = 32 };

static void skip_space(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
		s->at++;
}

static bool take(struct scan *s, char c)
{
	skip_space(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

/* The text between quotes, escapes as they stand. */
static bool string(struct scan *s, struct trace_text *text)
{
	if (!take(s, '"'))
		return false;
	text->at = s->at;
	for (; s->at < s->end; s->at++) {
		if ((unsigned char)*s->at < ' ')
			return false;
		if (*s->at == '"') {
			text->length = (size_t)(s->at++ - text->at);
			return true;
		}
		if (*s->at == '\\' && ++s->at == s->end)
			return false;
	}
	return false;
}

/* A number or a word. */
static bool scalar(struct scan *s, struct trace_text *text)
{
	text->at = s->at;
	while (s->at < s->end && !strchr(",]} \t\r", *s->at))
		s->at++;
	text->length = (size_t)(s->at - text->at);
	if (!text->length)
		return false;
	return strchr("-0123456789", *text->at) ||
	       (text->length == 4 &&
		(!memcmp(text->at, "true", 4) || !memcmp(text->at, "null", 4))) ||
	       (text->length == 5 && !memcmp(text->at, "false", 5));
}

static bool value(struct scan *s, int depth, struct trace_text *text);

static bool member(struct scan *s, int depth)
{
	struct trace_text text;

	return string(s, &text) && take(s, ':') && value(s, depth, &text);
}

static bool container(struct scan *s, int depth, char close)
{
	struct trace_text text;

	s->at++;
	if (take(s, close))
		return true;
	do {
		if (close == '}' ? !member(s, depth) : !value(s, depth, &text))
			return false;
	} while (take(s, ','));
	return take(s, close);
}

static bool value(struct scan *s, int depth, struct trace_text *text)
{
	const char *start;

	skip_space(s);
	if (s->at == s->end || depth == DEPTH_MAX)
		return false;
	if (*s->at == '"')
		return string(s, text);
	if (*s->at != '{' && *s->at != '[')
		return scalar(s, text);
	start = s->at;
	if (!container(s, depth + 1, *s->at == '{' ? '}' : ']'))
		return false;
	*text = (struct trace_text){start, (size_t)(s->at - start)};
	return true;
}

/* One key and value; false with *wrong said. */
static bool keep_member(struct scan *s, const char *const keys[TRACE_ROW_FIELDS],
			struct trace_text found[TRACE_ROW_FIELDS], const char **wrong)
{
	struct trace_text key, text;

	*wrong = "not a JSON object";
	if (!string(s, &key) || !take(s, ':') || !value(s, 0, &text))
		return false;
	for (int i = 0; i < TRACE_ROW_FIELDS; i++) {
		if (!keys[i] || strlen(keys[i]) != key.length ||
		    memcmp(keys[i], key.at, key.length) != 0)
			continue;
		*wrong = "a key stands twice";
		if (found[i].at)
			return false;
		found[i] = text;
	}
	return true;
}

const char *trace_row_json(struct trace_text line, const char *const keys[TRACE_ROW_FIELDS],
			   struct trace_text found[TRACE_ROW_FIELDS])
{
	struct scan s = {line.at, line.at + line.length};
	const char *wrong = "not a JSON object";

	memset(found, 0, TRACE_ROW_FIELDS * sizeof(*found));
	if (!take(&s, '{'))
		return wrong;
	if (!take(&s, '}')) {
		do {
			if (!keep_member(&s, keys, found, &wrong))
				return wrong;
		} while (take(&s, ','));
		if (!take(&s, '}'))
			return "not a JSON object";
	}
	skip_space(&s);
	return s.at == s.end ? NULL : "text after the JSON object";
}
