/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_write.h"
#include "base/xmalloc.h"

static const cJSON *member(const cJSON *object, const char *key, size_t length)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, object) if (item->string && strlen(item->string) == length &&
					     !strncmp(item->string, key, length)) return item;
	return NULL;
}

const cJSON *plot_at(const cJSON *object, const char *path)
{
	while (object && *path) {
		size_t length = strcspn(path, "/");
		object = cJSON_IsObject(object) ? member(object, path, length) : NULL;
		path += length + (path[length] == '/');
	}
	return object;
}

double plot_real(const cJSON *object, const char *path)
{
	const cJSON *item = plot_at(object, path);

	return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble
								   : (double)NAN;
}

const char *plot_text(const cJSON *object, const char *path)
{
	const cJSON *item = plot_at(object, path);

	return cJSON_IsString(item) ? item->valuestring : "";
}

bool plot_is_true(const cJSON *object, const char *path)
{
	return cJSON_IsTrue(plot_at(object, path));
}

size_t plot_name(struct record_list *names, const char *name)
{
	char *const *known = names->data;

	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(known[i], name))
			return i;
	record_texts_add(names, xstrdup(name));
	return names->count - 1;
}

static void comma(struct plot_row *row)
{
	if (row->started)
		fputc(',', row->to);
	row->started = true;
}

void plot_row_real(struct plot_row *row, double value)
{
	char text[32];

	comma(row);
	json_number(text, value);
	fputs(isfinite(value) ? text : "", row->to);
}

void plot_row_text(struct plot_row *row, const char *text)
{
	char *line = xstrdup(text);

	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	comma(row);
	csv_write(row->to, line);
	free(line);
}

void plot_row_bool(struct plot_row *row, bool value)
{
	plot_row_text(row, value ? "true" : "false");
}

void plot_row_end(struct plot_row *row)
{
	fputc('\n', row->to);
	row->started = false;
}
