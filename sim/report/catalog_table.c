/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/catalog_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/json_write.h"
#include "base/xmalloc.h"

enum { LINE_WIDTH = 100, SOURCE_WIDTH = 58, KEY_WIDTH = 26, GIVEN_WIDTH = 18 };

/* ---- words ---- */

/* Bytes of `text` that fit in `width` columns without breaking a word; at least one word. */
static size_t fitting(const char *text, size_t width)
{
	size_t fit = 0, at = 0;

	while (text[at]) {
		at += strcspn(text + at, " ");
		if (fit && at > width)
			break;
		fit = at;
		at += strspn(text + at, " ");
	}
	return fit;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* One line of the text at `indent`; returns what is left. */
static const char *wrap_line(const char *text, size_t indent, FILE *to)
{
	size_t length = fitting(text, LINE_WIDTH - indent);

	fprintf(to, "%.*s\n", (int)length, text);
	return skip_blanks(text + length);
}

void catalog_table_wrap(const char *text, size_t indent, FILE *to)
{
	for (text = wrap_line(text, indent, to); *text; text = wrap_line(text, indent, to))
		fprintf(to, "%*s", (int)indent, "");
}

void catalog_table_number(struct table *t, double value)
{
	char text[32];
	int digits = 0;

	if (isnan(value)) {
		table_number(t, value, 1);
		return;
	}
	snprintf(text, sizeof(text), "%.5e", value);
	char *exponent = strchr(text, 'e');
	*exponent = 0;
	while (exponent[-1] == '0')
		*--exponent = 0;
	for (const char *c = text; *c; c++)
		digits += isdigit((unsigned char)*c) != 0;
	table_number(t, value, digits);
}

/* ---- values ---- */

static bool is_figure(const cJSON *item)
{
	return cJSON_IsObject(item) && cJSON_HasObjectItem(item, "value") &&
	       cJSON_HasObjectItem(item, "origin");
}

static bool is_scalar(const cJSON *item)
{
	return cJSON_IsNumber(item) || cJSON_IsBool(item) ||
	       (cJSON_IsString(item) && *item->valuestring);
}

static void print_scalar(const cJSON *item, FILE *to)
{
	char number[32];

	if (cJSON_IsNumber(item)) {
		json_number(number, item->valuedouble);
		fputs(number, to);
	} else if (cJSON_IsString(item)) {
		fputs(item->valuestring, to);
	} else {
		fputs(cJSON_IsTrue(item) ? "yes" : cJSON_IsFalse(item) ? "no" : "-", to);
	}
}

/* Any value in one line: "key value, key value", "[a, b]", inner objects in parentheses. */
static void print_flat(const cJSON *item, bool inner, FILE *to)
{
	const char *open = cJSON_IsArray(item) ? "[" : inner ? "(" : "";
	const char *close = cJSON_IsArray(item) ? "]" : inner ? ")" : "";
	const cJSON *child;

	if (!cJSON_IsArray(item) && !cJSON_IsObject(item)) {
		print_scalar(item, to);
		return;
	}
	fputs(open, to);
	cJSON_ArrayForEach(child, item)
	{
		fputs(child == item->child ? "" : ", ", to);
		if (child->string)
			fprintf(to, "%s ", child->string);
		print_flat(child, true, to);
	}
	fputs(close, to);
}

/* The same as a text; release with free(). */
static char *flat_text(const cJSON *item)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return xstrdup("");
	print_flat(item, false, memory);
	fclose(memory);
	return text;
}

static void print_pair(const char *key, const cJSON *value, size_t width, FILE *to)
{
	char *text = flat_text(value);

	fprintf(to, "  %-*s ", (int)width, key);
	catalog_table_wrap(*text ? text : "-", width + 3, to);
	free(text);
}

static void print_texts(const cJSON *entry, FILE *to)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, entry) if (is_scalar(item))
		print_pair(item->string, item, KEY_WIDTH, to);
}

/* ---- figures ---- */

/* What stands in brackets in the help of a field: "[GB/s]". */
static void add_unit(struct table *t, const struct record *r, const char *key)
{
	struct diag unknown = {0};
	void *none = NULL;
	const struct field *f = record_find(r, &none, key, &unknown);
	const char *open = f && f->help ? strchr(f->help, '[') : NULL;
	const char *close = open ? strchr(open, ']') : NULL;
	char *unit = close ? xasprintf("%.*s", (int)(close - open - 1), open + 1) : xstrdup("");

	table_text(t, unit);
	free(unit);
}

/* A source in the last column, its further lines in rows of their own. */
static void add_source(struct table *t, const char *source)
{
	do {
		size_t length = fitting(source, SOURCE_WIDTH);
		char *line = xasprintf("%.*s", (int)length, source);

		table_text(t, line);
		free(line);
		source = skip_blanks(source + length);
		for (int column = 0; *source && column < 5; column++)
			table_text(t, "");
	} while (*source);
}

static void add_figure(struct table *t, const struct record *r, const char *key, const char *name,
		       const cJSON *figure)
{
	const cJSON *sigma = cJSON_GetObjectItem(figure, "sigma"),
		    *source = cJSON_GetObjectItem(figure, "source");

	table_text(t, name);
	catalog_table_number(t, cJSON_GetObjectItem(figure, "value")->valuedouble);
	catalog_table_number(t, cJSON_IsNumber(sigma) ? sigma->valuedouble : (double)NAN);
	add_unit(t, r, key);
	table_text(t, cJSON_GetObjectItem(figure, "origin")->valuestring);
	add_source(t, cJSON_IsString(source) ? source->valuestring : "see the sources below");
}

/* Figures of a value, which stands below `key` of the entry: itself, or those of a table by type or
 * GPUs. */
static void add_figures(struct table *t, const struct record *r, const char *key, const cJSON *item)
{
	const cJSON *child;

	if (is_figure(item))
		add_figure(t, r, key, key, item);
	else if (cJSON_IsObject(item))
		cJSON_ArrayForEach(child, item)
		{
			char *name = xasprintf("%s.%s", key, child->string);

			if (is_figure(child))
				add_figure(t, r, key, name, child);
			free(name);
		}
}

static void print_figures(const struct record *r, const cJSON *entry, FILE *to)
{
	static const char *const heading[] = {"figure", "value",  "sigma",
					      "unit",	"origin", "source"};
	const cJSON *item;
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	cJSON_ArrayForEach(item, entry) add_figures(&t, r, item->string, item);
	if (t.rows > 1) {
		fputc('\n', to);
		table_print(&t, to);
	}
	table_free(&t);
}

/* ---- the rest ---- */

static void print_given(const cJSON *given, FILE *to)
{
	const cJSON *item;

	if (!cJSON_IsObject(given))
		return;
	fputs("\ngiven by the source\n", to);
	cJSON_ArrayForEach(item, given) print_pair(item->string, item, GIVEN_WIDTH, to);
}

static void print_list(const cJSON *list, FILE *to)
{
	const cJSON *item;

	if (!cJSON_IsArray(list) || !cJSON_GetArraySize(list))
		return;
	fprintf(to, "\n%s\n", list->string);
	cJSON_ArrayForEach(item, list)
	{
		fputs("  - ", to);
		catalog_table_wrap(cJSON_IsString(item) ? item->valuestring : "-", 4, to);
	}
}

void catalog_table_print(const struct record *r, const cJSON *entry, FILE *to)
{
	const cJSON *item;

	print_texts(entry, to);
	print_figures(r, entry, to);
	print_given(cJSON_GetObjectItem(entry, "given"), to);
	cJSON_ArrayForEach(item, entry) print_list(item, to);
}
