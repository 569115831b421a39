/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/record_places.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

void record_places_init(struct record_places *p)
{
	*p = (struct record_places){0};
}

void record_places_free(struct record_places *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->place[i].path);
	for (size_t i = 0; i < p->layers; i++) {
		free(p->layer[i].file);
		free(p->layer[i].prefix);
	}
	free(p->place);
	free(p->layer);
	record_places_init(p);
}

void record_places_layer(struct record_places *p, const char *file, const char *prefix)
{
	p->layer = xrealloc(p->layer, (p->layers + 1) * sizeof(*p->layer));
	p->layer[p->layers++] = (struct record_layer_name){xstrdup(file), xstrdup(prefix)};
}

/* FNV-1a, 32 bits (Fowler, Noll, Vo). */
static uint32_t hash_of(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

static struct record_place *find(const struct record_places *p, const char *path)
{
	uint32_t hash = hash_of(path);

	for (size_t i = 0; i < p->count; i++)
		if (p->place[i].hash == hash && strcmp(p->place[i].path, path) == 0)
			return &p->place[i];
	return NULL;
}

static struct record_place *add(struct record_places *p, const char *path)
{
	struct record_place *place;

	if (p->count == p->capacity) {
		p->capacity = p->capacity ? 2 * p->capacity : 32;
		p->place = xrealloc(p->place, p->capacity * sizeof(*p->place));
	}
	place = &p->place[p->count++];
	place->path = xstrdup(path);
	place->hash = hash_of(path);
	return place;
}

void record_places_set(struct record_places *p, const char *path, int line, int column)
{
	struct record_place *place = find(p, path);

	BUG_IF(p->layers == 0);
	if (!place)
		place = add(p, path);
	place->line = line;
	place->column = column;
	place->layer = p->layers - 1;
}

static bool is_below(const char *path, const char *top)
{
	size_t length = strlen(top);

	if (length == 0)
		return true;
	return strncmp(path, top, length) == 0 &&
	       (!path[length] || path[length] == '.' || path[length] == '[');
}

void record_places_drop(struct record_places *p, const char *path)
{
	for (size_t i = p->count; i-- > 0;) {
		if (!is_below(p->place[i].path, path))
			continue;
		free(p->place[i].path);
		p->place[i] = p->place[--p->count];
	}
}

const struct record_place *record_places_get(const struct record_places *p, const char *path)
{
	return find(p, path);
}

const struct record_place *record_places_newest(const struct record_places *p, const char *path)
{
	const struct record_place *newest = NULL;

	for (size_t i = 0; i < p->count; i++)
		if (is_below(p->place[i].path, path) &&
		    (!newest || p->place[i].layer > newest->layer))
			newest = &p->place[i];
	return newest;
}

/* Cuts the last key or index off; false if there was none. */
static bool to_parent(char *path)
{
	size_t length = strlen(path);

	if (!length)
		return false;
	while (length && path[length] != '.' && path[length] != '[')
		length--;
	path[length] = '\0';
	return true;
}

void record_places_locate(const struct record_places *p, const char *path, struct diag *d)
{
	char around[256], shown[256];
	const struct record_place *place;

	snprintf(around, sizeof(around), "%s", path);
	do
		place = find(p, around);
	while (!place && to_parent(around));
	if (!place)
		return;
	diag_at(d, p->layer[place->layer].file, place->line, place->column);
	record_path_join(shown, sizeof(shown), p->layer[place->layer].prefix, path);
	diag_path(d, shown);
}

void record_path_join(char *to, size_t size, const char *prefix, const char *path)
{
	bool dot = prefix[0] && path[0] && path[0] != '[';

	snprintf(to, size, "%s%s%s", prefix, dot ? "." : "", path);
}
