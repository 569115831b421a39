/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_doc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "base/xmalloc.h"

enum { DEPTH_MAX = 64, SIZE_LIMIT = 64 << 20, READ_BYTES = 1 << 16 };

struct json_doc {
	char *name, *folder, *text;
	size_t size;
	cJSON *root;
	int *line; /* offset at which each line starts */
	size_t lines;
	int *value; /* offset of each value in document order */
	size_t values, value_capacity;
};

/* The strict pass: where it is and what it fills. */
struct scan {
	struct json_doc *doc;
	const char *at, *end;
	int depth;
	struct diag *d;
};

/* ---- places ---- */

static void find_lines(struct json_doc *doc)
{
	size_t lines = 1;

	for (size_t i = 0; i < doc->size; i++)
		lines += doc->text[i] == '\n';
	doc->line = xcalloc(lines, sizeof(*doc->line));
	for (size_t i = 0, n = 1; i < doc->size; i++)
		if (doc->text[i] == '\n')
			doc->line[n++] = (int)i + 1;
	doc->lines = lines;
}

/* The line that holds an offset, from 0. */
static size_t line_of(const struct json_doc *doc, int offset)
{
	size_t low = 0, high = doc->lines;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (doc->line[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void place_of(const struct json_doc *doc, int offset, int *line, int *column)
{
	size_t row = line_of(doc, offset);
	int count = 1;

	for (int i = doc->line[row]; i < offset; i++)
		count += ((unsigned char)doc->text[i] & 0xc0) != 0x80;
	*line = (int)row + 1;
	*column = count;
}

static bool fail_at(const struct json_doc *doc, size_t offset, struct diag *d, const char *message)
{
	int line, column;

	place_of(doc, (int)offset, &line, &column);
	diag_fail(d, "%s", message);
	diag_at(d, doc->name, line, column);
	return false;
}

/* ---- the strict pass ---- */

static bool scan_fail(struct scan *s, const char *message)
{
	char found[16];

	if (s->d->set)
		return false;
	if (s->at == s->end) {
		diag_found(s->d, "the end of the text");
	} else {
		unsigned char byte = (unsigned char)*s->at;

		snprintf(found, sizeof(found),
			 byte >= 0x20 && byte < 0x7f ? "'%c'" : "the byte 0x%02x", byte);
		diag_found(s->d, found);
	}
	return fail_at(s->doc, (size_t)(s->at - s->doc->text), s->d, message);
}

static bool scan_space(struct scan *s)
{
	while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at))
		s->at++;
	if (s->at < s->end && (*s->at == '/' || *s->at == '#'))
		return scan_fail(s, "comments are not allowed in JSON");
	return true;
}

static bool is_at(const struct scan *s, char c)
{
	return s->at < s->end && *s->at == c;
}

static void scan_note(struct scan *s)
{
	struct json_doc *doc = s->doc;

	if (doc->values == doc->value_capacity) {
		doc->value_capacity = doc->value_capacity ? 2 * doc->value_capacity : 64;
		doc->value = xrealloc(doc->value, doc->value_capacity * sizeof(*doc->value));
	}
	doc->value[doc->values++] = (int)(s->at - doc->text);
}

/* The four digits of \uXXXX, the scan at its backslash; -1 if they are none. */
static long hex4(const struct scan *s)
{
	char digits[5] = {0};

	if (s->end - s->at < 6 || s->at[0] != '\\' || s->at[1] != 'u')
		return -1;
	for (int i = 0; i < 4; i++) {
		digits[i] = s->at[2 + i];
		if (!isxdigit((unsigned char)digits[i]))
			return -1;
	}
	return strtol(digits, NULL, 16);
}

static bool scan_unicode(struct scan *s)
{
	long code = hex4(s);
	struct scan next = *s;

	next.at += 6;
	if (code < 0)
		return scan_fail(s, "\\u needs four hexadecimal digits");
	if (code == 0) {
		diag_found(s->d, "\\u0000");
		return scan_fail(s, "\\u0000 is not allowed in a text");
	}
	if (code >= 0xdc00 && code < 0xe000)
		return scan_fail(s, "half of a surrogate pair");
	if (code >= 0xd800 && code < 0xdc00) {
		code = hex4(&next);
		if (code < 0xdc00 || code >= 0xe000)
			return scan_fail(s, "half of a surrogate pair");
		next.at += 6;
	}
	s->at = next.at;
	return true;
}

static bool scan_escape(struct scan *s)
{
	if (s->end - s->at > 1 && s->at[1] == 'u')
		return scan_unicode(s);
	if (s->end - s->at < 2 || !s->at[1] || !strchr("\"\\/bfnrt", s->at[1]))
		return scan_fail(s, "unknown escape in a text");
	s->at += 2;
	return true;
}

static bool scan_text(struct scan *s)
{
	for (s->at++; !is_at(s, '"');) {
		size_t bytes;

		if (s->at == s->end || *s->at == '\n')
			return scan_fail(s, "a text lacks its closing quote");
		if ((unsigned char)*s->at < 0x20)
			return scan_fail(s, "a control character in a text");
		if (*s->at == '\\') {
			if (!scan_escape(s))
				return false;
			continue;
		}
		bytes = utf8_bytes(s->at, (size_t)(s->end - s->at));
		if (!bytes)
			return scan_fail(s, "not valid UTF-8");
		s->at += bytes;
	}
	s->at++;
	return true;
}

static size_t digits_at(struct scan *s)
{
	const char *start = s->at;

	while (s->at < s->end && isdigit((unsigned char)*s->at))
		s->at++;
	return (size_t)(s->at - start);
}

static bool scan_number(struct scan *s)
{
	const char *start = s->at;
	char number[64];

	s->at += *s->at == '-';
	if (is_at(s, '0') && s->end - s->at > 1 && isdigit((unsigned char)s->at[1]))
		return scan_fail(s, "a number must not start with 0");
	if (!digits_at(s))
		return scan_fail(s, "expected a digit");
	if (is_at(s, '.')) {
		s->at++;
		if (!digits_at(s))
			return scan_fail(s, "expected a digit after the point");
	}
	if (is_at(s, 'e') || is_at(s, 'E')) {
		s->at++;
		s->at += is_at(s, '+') || is_at(s, '-');
		if (!digits_at(s))
			return scan_fail(s, "expected a digit in the exponent");
	}
	if (isfinite(strtod(start, NULL)))
		return true;
	snprintf(number, sizeof(number), "%.*s", (int)(s->at - start), start);
	diag_found(s->d, number);
	s->at = start;
	return scan_fail(s, "the number is too large");
}

static bool scan_word(struct scan *s)
{
	static const char *const words[] = {"true", "false", "null"};

	for (size_t i = 0; i < COUNT(words); i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(s->end - s->at) < length || memcmp(s->at, words[i], length) != 0)
			continue;
		if ((size_t)(s->end - s->at) > length && isalnum((unsigned char)s->at[length]))
			continue;
		s->at += length;
		return true;
	}
	return scan_fail(s, "expected a value");
}

static bool scan_value(struct scan *s);

static bool scan_key(struct scan *s)
{
	if (is_at(s, '}'))
		return scan_fail(s, "a comma before } is not allowed");
	if (!is_at(s, '"'))
		return scan_fail(s, "expected a key in quotes");
	if (!scan_text(s) || !scan_space(s))
		return false;
	if (!is_at(s, ':'))
		return scan_fail(s, "expected a colon after the key");
	s->at++;
	return true;
}

/* An object or a list, by its brackets. */
static bool scan_members(struct scan *s, char close)
{
	bool object = close == '}';

	if (++s->depth > DEPTH_MAX)
		return scan_fail(s, "nested more than 64 levels deep");
	s->at++;
	if (!scan_space(s))
		return false;
	for (bool first = true; !first || !is_at(s, close); first = false) {
		if (object && !scan_key(s))
			return false;
		if (!object && !first && is_at(s, ']'))
			return scan_fail(s, "a comma before ] is not allowed");
		if (!scan_value(s) || !scan_space(s))
			return false;
		if (is_at(s, close))
			break;
		if (!is_at(s, ','))
			return scan_fail(s, object ? "expected , or }" : "expected , or ]");
		s->at++;
		if (!scan_space(s))
			return false;
	}
	s->at++;
	s->depth--;
	return true;
}

static bool scan_value(struct scan *s)
{
	if (!scan_space(s))
		return false;
	scan_note(s);
	if (is_at(s, '{'))
		return scan_members(s, '}');
	if (is_at(s, '['))
		return scan_members(s, ']');
	if (is_at(s, '"'))
		return scan_text(s);
	if (s->at < s->end && (*s->at == '-' || isdigit((unsigned char)*s->at)))
		return scan_number(s);
	if (is_at(s, '\''))
		return scan_fail(s, "a text stands in double quotes");
	return scan_word(s);
}

static bool scan_document(struct scan *s)
{
	if (s->end - s->at >= 3 && memcmp(s->at, "\xef\xbb\xbf", 3) == 0) {
		diag_found(s->d, "a byte order mark");
		return scan_fail(s, "starts with a byte order mark: save it as UTF-8 without one");
	}
	if (!scan_value(s) || !scan_space(s))
		return false;
	return s->at == s->end || scan_fail(s, "more text after the document's value");
}

/* ---- the tree ---- */

/* Gives each value its offset, in document order (cJSON keeps it), in the member that numbers do
 * not need. */
static void place_values(struct json_doc *doc, cJSON *item, size_t *next)
{
	BUG_IF(*next == doc->values);
	item->valueint = doc->value[(*next)++];
	for (cJSON *child = item->child; child; child = child->next)
		place_values(doc, child, next);
}

static int by_key(const void *a, const void *b)
{
	const cJSON *x = *(const cJSON *const *)a, *y = *(const cJSON *const *)b;
	int order = strcmp(x->string, y->string);

	return order ? order : (x->valueint > y->valueint) - (x->valueint < y->valueint);
}

static bool check_keys(const struct json_doc *doc, const cJSON *object, struct diag *d)
{
	int count = cJSON_GetArraySize(object), n = 0;
	const cJSON **keys = xcalloc((size_t)count + 1, sizeof(*keys)), *twice = NULL;

	for (const cJSON *child = object->child; child; child = child->next)
		keys[n++] = child;
	qsort(keys, (size_t)n, sizeof(*keys), by_key);
	for (int i = 1; i < n && !twice; i++)
		if (strcmp(keys[i - 1]->string, keys[i]->string) == 0)
			twice = keys[i];
	free(keys);
	if (!twice)
		return true;
	diag_fail(d, "the key \"%s\" stands twice in one object", twice->string);
	diag_found(d, twice->string);
	return fail_at(doc, (size_t)twice->valueint, d, "");
}

static bool check_objects(const struct json_doc *doc, const cJSON *item, struct diag *d)
{
	if (cJSON_IsObject(item) && !check_keys(doc, item, d))
		return false;
	for (const cJSON *child = item->child; child; child = child->next)
		if (!check_objects(doc, child, d))
			return false;
	return true;
}

/* Text and name are in place: scans, parses, places; false with d filled. */
static bool build(struct json_doc *doc, struct diag *d)
{
	struct scan s = {.doc = doc, .at = doc->text, .end = doc->text + doc->size, .d = d};
	size_t next = 0;

	find_lines(doc);
	if (!scan_document(&s))
		return false;
	doc->root = cJSON_ParseWithLength(doc->text, doc->size);
	if (!doc->root)
		return fail_at(doc, 0, d, "cannot be read as JSON");
	place_values(doc, doc->root, &next);
	return check_objects(doc, doc->root, d);
}

static struct json_doc *finish(struct json_doc *doc, struct diag *d)
{
	if (build(doc, d))
		return doc;
	json_doc_del(doc);
	return NULL;
}

/* ---- reading ---- */

static bool read_all(struct json_doc *doc, FILE *file, struct diag *d)
{
	size_t capacity = 0, got = 1;

	while (got) {
		if (capacity - doc->size < READ_BYTES + 1) {
			capacity = 2 * capacity + READ_BYTES + 1;
			doc->text = xrealloc(doc->text, capacity);
		}
		got = fread(doc->text + doc->size, 1, READ_BYTES, file);
		doc->size += got;
		if (doc->size > SIZE_LIMIT)
			return diag_fail(d, "larger than 64 MiB");
	}
	doc->text[doc->size] = '\0';
	return !ferror(file) || diag_fail(d, "cannot be read: %s", strerror(errno));
}

static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		return xstrdup(".");
	return xasprintf("%.*s", slash == file ? 1 : (int)(slash - file), file);
}

struct json_doc *json_doc_read(const char *file, struct diag *d)
{
	bool standard = strcmp(file, "-") == 0, whole;
	FILE *in = standard ? stdin : fopen(file, "rb");
	struct json_doc *doc;

	if (!in) {
		diag_fail(d, "cannot be opened: %s", strerror(errno));
		diag_at(d, file, 0, 0);
		return NULL;
	}
	doc = xcalloc(1, sizeof(*doc));
	doc->name = xstrdup(file);
	doc->folder = standard ? NULL : folder_of(file);
	whole = read_all(doc, in, d);
	if (!standard)
		fclose(in);
	if (whole)
		return finish(doc, d);
	diag_at(d, file, 0, 0);
	json_doc_del(doc);
	return NULL;
}

struct json_doc *json_doc_parse(const char *name, const char *text, struct diag *d)
{
	struct json_doc *doc = xcalloc(1, sizeof(*doc));

	doc->name = xstrdup(name);
	doc->text = xstrdup(text);
	doc->size = strlen(text);
	if (doc->size <= SIZE_LIMIT)
		return finish(doc, d);
	diag_fail(d, "larger than 64 MiB");
	diag_at(d, name, 0, 0);
	json_doc_del(doc);
	return NULL;
}

const cJSON *json_doc_root(const struct json_doc *doc)
{
	return doc->root;
}

const char *json_doc_name(const struct json_doc *doc)
{
	return doc->name;
}

const char *json_doc_folder(const struct json_doc *doc)
{
	return doc->folder;
}

void json_doc_set_folder(struct json_doc *doc, const char *folder)
{
	free(doc->folder);
	doc->folder = xstrdup(folder);
}

void json_doc_place(const struct json_doc *doc, const cJSON *item, int *line, int *column)
{
	place_of(doc, item->valueint, line, column);
}

void json_doc_locate(const struct json_doc *doc, const cJSON *item, struct diag *d)
{
	int line, column;

	json_doc_place(doc, item, &line, &column);
	diag_at(d, doc->name, line, column);
}

/* The value in a few words. */
static void describe(const cJSON *item, char text[64])
{
	char number[32];

	json_number(number, item->valuedouble);
	if (cJSON_IsNumber(item))
		snprintf(text, 64, "%s", number);
	else if (cJSON_IsString(item))
		snprintf(text, 64, strlen(item->valuestring) > 56 ? "\"%.56s...\"" : "\"%s\"",
			 item->valuestring);
	else
		snprintf(text, 64, "%s",
			 cJSON_IsObject(item)  ? "an object"
			 : cJSON_IsArray(item) ? "a list"
			 : cJSON_IsTrue(item)  ? "true"
			 : cJSON_IsFalse(item) ? "false"
					       : "null");
}

bool json_doc_blame(const struct json_doc *doc, const cJSON *item, const char *path, struct diag *d)
{
	char found[64];

	json_doc_locate(doc, item, d);
	diag_path(d, path);
	describe(item, found);
	diag_found(d, found);
	return false;
}

const cJSON *json_doc_member(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNull(item) ? NULL : item;
}

void json_doc_del(struct json_doc *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	free(doc->name);
	free(doc->folder);
	free(doc->text);
	free(doc->line);
	free(doc->value);
	free(doc);
}
