/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/number.h"
#include "base/xmalloc.h"

void table_init(struct table *t, size_t columns)
{
	*t = (struct table){.columns = columns};
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->filled; i++)
		free(t->cell[i].text);
	free(t->cell);
	*t = (struct table){0};
}

static void add(struct table *t, const char *text, bool right)
{
	if (t->filled == t->rows * t->columns) {
		t->rows++;
		t->cell = xrealloc(t->cell, t->rows * t->columns * sizeof *t->cell);
	}
	t->cell[t->filled++] = (struct table_cell){.text = xstrdup(text), .right = right};
}

void table_begin(struct table *t, const char *const *heading, size_t columns)
{
	table_init(t, columns);
	for (size_t i = 0; i < columns; i++)
		table_text(t, heading[i]);
}

void table_text(struct table *t, const char *text)
{
	add(t, text ? text : "-", false);
}

void table_right(struct table *t, const char *text)
{
	add(t, text, true);
}

void table_number(struct table *t, double value, int digits)
{
	char text[48];

	number_text(text, value, digits);
	add(t, text, true);
}

void table_interval(struct table *t, struct interval v, int digits)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT], text[2 * NUMBER_TEXT + 8];

	number_text(low, v.low, digits);
	number_text(high, v.high, digits);
	if (isinf(v.high))
		snprintf(text, sizeof text, "%s or more", low);
	else
		snprintf(text, sizeof text, "%s to %s", low, high);
	table_right(t, isnan(v.low) ? "-" : text);
}

/* Characters shown, of UTF-8 text up to `end`. */
static size_t shown_width(const char *text, const char *end)
{
	size_t width = 0;

	for (; text < end; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static size_t cell_width(const char *text)
{
	const char *split = strchr(text, '\n');

	if (!split)
		return shown_width(text, text + strlen(text));
	size_t above = shown_width(text, split), below = cell_width(split + 1);
	return above > below ? above : below;
}

static void print_cell(const char *text, const char *end, size_t width, bool right, bool last,
		       FILE *to)
{
	size_t pad = width - shown_width(text, end);

	if (right)
		fprintf(to, "%*s", (int)pad, "");
	fwrite(text, 1, (size_t)(end - text), to);
	if (!right && !last)
		fprintf(to, "%*s", (int)pad, "");
	fputs(last ? "\n" : "  ", to);
}

/* Line `line` (0 or 1) of a heading cell; a heading of one line stands on the lower one. */
static const char *heading_line(const char *text, int line, const char **end)
{
	const char *split = strchr(text, '\n');

	*end = text + strlen(text);
	if (!split) {
		if (line == 0)
			*end = text;
		return text;
	}
	if (line == 0)
		*end = split;
	return line ? split + 1 : text;
}

static bool column_is_right(const struct table *t, size_t column)
{
	return t->rows > 1 && t->cell[t->columns + column].right;
}

static void print_heading(const struct table *t, const size_t *width, FILE *to)
{
	bool two = false;

	for (size_t c = 0; c < t->columns; c++)
		two |= strchr(t->cell[c].text, '\n') != NULL;
	for (int line = two ? 0 : 1; line < 2; line++)
		for (size_t c = 0; c < t->columns; c++) {
			const char *end, *text = heading_line(t->cell[c].text, line, &end);
			print_cell(text, end, width[c], column_is_right(t, c), c + 1 == t->columns,
				   to);
		}
}

void table_print(const struct table *t, FILE *to)
{
	BUG_IF(!t->columns || t->filled != t->rows * t->columns);
	if (!t->rows)
		return;
	size_t *width = xcalloc(t->columns, sizeof *width);
	for (size_t i = 0; i < t->filled; i++) {
		size_t w = cell_width(t->cell[i].text);
		if (w > width[i % t->columns])
			width[i % t->columns] = w;
	}
	print_heading(t, width, to);
	for (size_t i = t->columns; i < t->filled; i++) {
		size_t c = i % t->columns;
		const char *text = t->cell[i].text;
		bool right = t->cell[i].right || (column_is_right(t, c) && !strcmp(text, "-"));
		print_cell(text, text + strlen(text), width[c], right, c + 1 == t->columns, to);
	}
	free(width);
}
