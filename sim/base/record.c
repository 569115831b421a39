/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/record_field.h"
#include "base/xmalloc.h"

const struct record_scope record_scope_top = {1, -INFINITY, INFINITY, false};

struct record_scope record_scope_in(struct record_scope outer, const struct field *f)
{
	struct record_scope inner = outer;

	inner.scale *= f->scale != 0 ? f->scale : 1;
	if (f->min == 0 && f->max == 0 && !(f->flags & FIELD_ABOVE_MIN))
		return inner;
	inner.min = f->min;
	inner.max =
		f->max > f->min || (f->max == f->min && f->max != 0) ? f->max : (double)INFINITY;
	inner.above_min = f->flags & FIELD_ABOVE_MIN;
	return inner;
}

void *record_at(const struct field *f, void *object)
{
	return object ? (char *)object + f->offset : NULL;
}

const void *record_at_const(const struct field *f, const void *object)
{
	return (const char *)object + f->offset;
}

static size_t list_size(const struct field *f)
{
	if (f->flags & FIELD_TEXTS)
		return sizeof(char *);
	if (f->flags & FIELD_REALS)
		return sizeof(double);
	if (f->flags & FIELD_PAIRS)
		return sizeof(double[2]);
	BUG_IF(!f->of);
	return ((const struct record *)f->of)->size;
}

/* ---- look-up ---- */

struct record_hit record_lookup(const struct record *r, void *object, const char *key)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		struct record_hit hit = {f, r, object};

		if (f->flags & FIELD_INLINE)
			hit = record_lookup(f->of, record_at(f, object), key);
		else if (strcmp(f->key, key) != 0)
			hit.field = NULL;
		if (hit.field)
			return hit;
	}
	return (struct record_hit){0};
}

static size_t collect(const struct record *r, const void *applying, const char **keys)
{
	size_t n = 0;

	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->flags & FIELD_NOT_YET || (applying && !record_applies(r, applying, f)))
			continue;
		if (f->flags & FIELD_INLINE)
			n += collect(f->of, applying ? record_at_const(f, applying) : NULL,
				     keys ? keys + n : NULL);
		else if (keys)
			keys[n++] = f->key;
		else
			n++;
	}
	return n;
}

const char **record_keys(const struct record *r, const void *applying)
{
	const char **keys = xcalloc(collect(r, applying, NULL) + 1, sizeof(*keys));

	collect(r, applying, keys);
	return keys;
}

const char **record_keys_with(const struct record *r, const char *const *extra)
{
	const char **keys = record_keys(r, NULL);
	size_t n = 0, more = 0;

	while (keys[n])
		n++;
	while (extra && extra[more])
		more++;
	keys = xrealloc(keys, (n + more + 1) * sizeof(*keys));
	if (more)
		memcpy(keys + n, extra, more * sizeof(*keys));
	keys[n + more] = NULL;
	return keys;
}

bool record_applies(const struct record *r, const void *object, const struct field *f)
{
	const struct field *tag;
	int choice;

	if (!r->tag || !f->when)
		return true;
	tag = record_lookup(r, NULL, r->tag).field;
	BUG_IF(!tag);
	choice = *(const int *)record_at_const(tag, object);
	return choice < 0 || (f->when & (1u << choice));
}

int record_choice(const struct field *f, const char *text)
{
	const char *const *names = f->of;

	for (int i = 0; names[i]; i++)
		if (strcmp(names[i] + (names[i][0] == '!'), text) == 0)
			return i;
	return -1;
}

static bool is_vector_set(const struct field *f, const double *value)
{
	for (size_t i = 0; i < f->count; i++)
		if (isnan(value[i]))
			return false;
	return true;
}

static bool is_any_set(const struct record *r, const void *object)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->kind == FIELD_BOOL || f->kind == FIELD_CHOICE)
			continue;
		if (record_is_set(f, object))
			return true;
	}
	return false;
}

bool record_is_set(const struct field *f, const void *object)
{
	const void *at = record_at_const(f, object);

	switch (f->kind) {
	case FIELD_BOOL:
		return true;
	case FIELD_INT:
		return *(const int64_t *)at != RECORD_INT_UNSET;
	case FIELD_REAL:
		return !isnan(*(const double *)at);
	case FIELD_TEXT:
		return f->flags & FIELD_BUFFER ? *(const char *)at : *(char *const *)at != NULL;
	case FIELD_CHOICE:
		return *(const int *)at >= 0;
	case FIELD_RECORD:
		return is_any_set(f->of, at);
	case FIELD_VECTOR:
		return is_vector_set(f, at);
	case FIELD_LIST:
		return ((const struct record_list *)at)->count > 0;
	}
	BUG("field kind %d", (int)f->kind);
}

/* ---- defaults ---- */

/* A default that is one JSON text without escapes, unquoted; NULL if it is none. */
static char *default_text(const struct field *f)
{
	size_t length = f->def ? strlen(f->def) : 0;

	if (length < 2 || f->def[0] != '"')
		return NULL;
	return xasprintf("%.*s", (int)length - 2, f->def + 1);
}

static double default_number(const struct field *f)
{
	return f->def && f->def[0] != '"' ? strtod(f->def, NULL) : (double)NAN;
}

static int default_choice(const struct field *f)
{
	char *text = default_text(f);
	int choice = -1;

	if (!f->def)
		return -1;
	choice = record_choice(f, text ? text : f->def);
	free(text);
	if (choice < 0)
		BUG("the default of %s is none of its choices", f->key);
	return choice;
}

void record_default_value(const struct field *f, void *object, struct record_scope outer)
{
	struct record_scope scope = record_scope_in(outer, f);
	void *at = record_at(f, object);
	double number = default_number(f);

	switch (f->kind) {
	case FIELD_BOOL:
		*(bool *)at = f->def && strcmp(f->def, "true") == 0;
		break;
	case FIELD_INT:
		*(int64_t *)at = isnan(number) ? RECORD_INT_UNSET : (int64_t)number;
		break;
	case FIELD_REAL:
		*(double *)at = number * scope.scale;
		break;
	case FIELD_TEXT:
		if (f->flags & FIELD_BUFFER)
			*(char *)at = '\0';
		else
			*(char **)at = default_text(f);
		break;
	case FIELD_CHOICE:
		*(int *)at = default_choice(f);
		break;
	case FIELD_RECORD:
		if (f->flags & FIELD_POINTER)
			*(void **)at = NULL;
		else
			record_init_in(f->of, at, scope);
		break;
	case FIELD_VECTOR:
		for (size_t i = 0; i < f->count; i++)
			((double *)at)[i] = (double)NAN;
		break;
	case FIELD_LIST:
		*(struct record_list *)at = (struct record_list){.size = list_size(f)};
		break;
	}
	if ((f->kind == FIELD_RECORD || f->kind == FIELD_LIST) && f->def)
		record_read_default(f, object, outer);
}

void record_init_in(const struct record *r, void *object, struct record_scope scope)
{
	for (size_t i = 0; i < r->fields; i++)
		if (!(r->field[i].flags & FIELD_NOT_YET))
			record_default_value(&r->field[i], object, scope);
}

void record_init(const struct record *r, void *object)
{
	record_init_in(r, object, record_scope_top);
}

/* ---- release ---- */

static void free_list(const struct field *f, struct record_list *list)
{
	size_t size = list->size;

	if (f->flags & FIELD_TEXTS) {
		record_texts_free(list);
	} else {
		for (size_t i = 0; f->of && i < list->count; i++)
			record_free(f->of, (char *)list->data + i * size);
		free(list->data);
	}
	*list = (struct record_list){.size = size};
}

void record_free_value(const struct field *f, void *object)
{
	void *at = record_at(f, object);

	if (f->kind == FIELD_TEXT && !(f->flags & FIELD_BUFFER)) {
		free(*(char **)at);
		*(char **)at = NULL;
	} else if (f->kind == FIELD_RECORD) {
		record_free(f->of, at);
	} else if (f->kind == FIELD_LIST) {
		free_list(f, at);
	}
}

void record_free(const struct record *r, void *object)
{
	for (size_t i = 0; i < r->fields; i++)
		if (!(r->field[i].flags & FIELD_NOT_YET))
			record_free_value(&r->field[i], object);
}

/* ---- lists of texts ---- */

void record_texts_add(struct record_list *list, char *text)
{
	char **texts = xrealloc(list->data, (list->count + 1) * sizeof(*texts));

	texts[list->count++] = text;
	list->data = texts;
	list->size = sizeof(*texts);
}

void record_texts_free(struct record_list *list)
{
	char **text = list->data;

	for (size_t i = 0; i < list->count; i++)
		free(text[i]);
	free(text);
	*list = (struct record_list){0};
}

/* ---- paths ---- */

static bool ends_key(char c)
{
	return !c || c == '.' || c == '[';
}

/* Length of the field's key if the path starts with it; 0: it does not. */
static size_t matched(const struct field *f, const char *path)
{
	size_t length = strlen(f->key);

	return strncmp(path, f->key, length) == 0 && ends_key(path[length]) ? length : 0;
}

/* The field with the longest key that the path starts with. */
static struct record_hit longest(const struct record *r, void *object, const char *path,
				 size_t *length)
{
	struct record_hit best = {0};

	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		struct record_hit hit = {f, r, object};
		size_t got = 0;

		if (f->flags & FIELD_INLINE)
			hit = longest(f->of, record_at(f, object), path, &got);
		else
			got = matched(f, path);
		if (got > *length) {
			*length = got;
			best = hit;
		}
	}
	return best;
}

static void unknown_key(const struct record *r, const char *path, const char *const *extra,
			struct diag *d)
{
	const char **keys = record_keys_with(r, extra);
	char key[128];

	snprintf(key, sizeof(key), "%.*s", (int)strcspn(path, ".["), path);
	diag_unknown(d, "key", key, keys);
	free(keys);
}

/* Reads "[3]" at *path; the element, or NULL with d filled. */
static void *element_at(const struct field *f, void *object, const char **path, struct diag *d)
{
	const struct record_list *list = record_at(f, object);
	char *end;
	long index;

	if (f->kind != FIELD_LIST || !f->of) {
		diag_fail(d, "%s has no elements that can be set one by one", f->key);
		return NULL;
	}
	index = strtol(*path + 1, &end, 10);
	if (end == *path + 1 || *end != ']' || !ends_key(end[1])) {
		diag_fail(d, "an index is written [0], [1], ...");
		return NULL;
	}
	if (index < 0 || (size_t)index >= list->count) {
		diag_fail(d, "%s has %zu elements, there is no [%ld]", f->key, list->count, index);
		return NULL;
	}
	*path = end + 1;
	return (char *)list->data + (size_t)index * list->size;
}

static void extend(struct record_target *t, const char *key, const char *rest)
{
	char index[32] = "";

	snprintf(t->parent, sizeof(t->parent), "%s", t->path);
	record_path_join(t->path, sizeof(t->path), t->parent, key);
	if (*rest != '[')
		return;
	snprintf(index, sizeof(index), "%.*s", (int)strcspn(rest, "]") + 1, rest);
	strncat(t->path, index, sizeof(t->path) - strlen(t->path) - 1);
}

/* One key of the path (and its index); the rest of the path, NULL on an error. */
static const char *resolve_key(struct record_target *t, const struct record *r, void *object,
			       const char *path, struct diag *d)
{
	size_t length = 0;
	struct record_hit hit = longest(r, object, path, &length);

	if (!hit.field) {
		unknown_key(r, path, t->extra, d);
		return NULL;
	}
	if (hit.field->flags & FIELD_NOT_YET) {
		diag_fail(d, "%s is not in this version", hit.field->key);
		return NULL;
	}
	path += length;
	extend(t, hit.field->key, path);
	t->record = hit.record;
	t->object = hit.object;
	t->element = *path == '[' ? element_at(hit.field, hit.object, &path, d) : NULL;
	t->field = d->set ? NULL : hit.field;
	return t->field ? path : NULL;
}

struct record_target record_resolve(const struct record *r, void *object, const char *path,
				    const char *const *extra, struct diag *d)
{
	struct record_target t = {.scope = record_scope_top, .extra = extra};
	const char *rest = resolve_key(&t, r, object, path, d);

	t.extra = NULL;
	while (rest && *rest == '.') {
		const struct field *f = t.field;

		if (f->kind != FIELD_RECORD && !t.element) {
			diag_fail(d, "%s has no keys inside", f->key);
			t.field = NULL;
			break;
		}
		t.scope = record_scope_in(t.scope, f);
		rest = resolve_key(&t, f->of, t.element ? t.element : record_at(f, t.object),
				   rest + 1, d);
	}
	if (d->set)
		t.field = NULL;
	return t;
}

const struct field *record_find(const struct record *r, void **object, const char *path,
				struct diag *d)
{
	struct record_target t = record_resolve(r, *object, path, NULL, d);

	if (!t.field) {
		diag_path(d, path);
		return NULL;
	}
	*object = t.object;
	return t.field;
}

double record_number(const struct record *r, const void *object, const char *path)
{
	struct diag d;
	void *in = (void *)object;
	const struct field *f;

	diag_init(&d);
	f = record_find(r, &in, path, &d);
	if (!f || !in || (f->kind != FIELD_INT && f->kind != FIELD_REAL))
		BUG("no number %s in a %s: %s", path, r->name, d.message);
	const char *at = (const char *)in + f->offset;
	if (f->kind == FIELD_INT)
		return *(const int64_t *)at == RECORD_INT_UNSET ? (double)NAN
								: (double)*(const int64_t *)at;
	return *(const double *)at / (f->scale != 0 ? f->scale : 1);
}
