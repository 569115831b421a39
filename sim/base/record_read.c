/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/json_write.h"
#include "base/record_field.h"
#include "base/xmalloc.h"

/* Where a layer's reading stands. */
struct walk {
	const struct record_reader *in;
	char path[256]; /* of the value being read, relative to the prefix */
};

static bool read_object(struct walk *w, const struct record *r, struct record_scope scope,
			void *object, const cJSON *item);
static bool read_value(struct walk *w, const struct field *f, struct record_scope outer,
		       void *object, const cJSON *item);

/* ---- paths and failures ---- */

/* Goes one key down; the length to which path_leave() returns. */
static size_t path_enter(struct walk *w, const char *key)
{
	size_t length = strlen(w->path);
	const char *dot = length && key[0] != '[' ? "." : "";

	snprintf(w->path + length, sizeof(w->path) - length, "%s%s", dot, key);
	return length;
}

static void path_leave(struct walk *w, size_t length)
{
	w->path[length] = '\0';
}

/* Adds place, path and what was found to a diag that was just filled; returns false. */
static bool fail_at(const struct walk *w, const cJSON *item)
{
	char path[256];

	record_path_join(path, sizeof(path), w->in->prefix, w->path);
	return json_doc_blame(w->in->doc, item, path, w->in->d);
}

static bool fail_type(const struct walk *w, const cJSON *item, const char *wanted)
{
	diag_fail(w->in->d, "must be %s", wanted);
	return fail_at(w, item);
}

static void note_place(const struct walk *w, const cJSON *item)
{
	int line, column;

	if (!w->in->places)
		return;
	json_doc_place(w->in->doc, item, &line, &column);
	record_places_set(w->in->places, w->path, line, column);
}

static void drop_places(const struct walk *w)
{
	if (w->in->places)
		record_places_drop(w->in->places, w->path);
}

/* ---- numbers, texts, choices ---- */

static bool is_inside(double value, struct record_scope s)
{
	return value <= s.max && (s.above_min ? value > s.min : value >= s.min);
}

static bool fail_range(const struct walk *w, const cJSON *item, struct record_scope s)
{
	char low[32], high[32], text[96];
	const char *from = s.above_min ? "above" : "at least";

	json_number(low, s.min);
	json_number(high, s.max);
	if (isinf(s.max))
		snprintf(text, sizeof(text), "%s %s", from, low);
	else if (isinf(s.min))
		snprintf(text, sizeof(text), "at most %s", high);
	else if (s.above_min)
		snprintf(text, sizeof(text), "above %s and at most %s", low, high);
	else
		snprintf(text, sizeof(text), "between %s and %s", low, high);
	diag_allowed(w->in->d, (const char *const[]){text, NULL});
	return fail_type(w, item, text);
}

static bool is_auto(const struct field *f, const cJSON *item)
{
	return f->flags & FIELD_AUTO && cJSON_IsString(item) &&
	       strcmp(item->valuestring, "auto") == 0;
}

static bool read_int(const struct walk *w, const struct field *f, struct record_scope s,
		     int64_t *to, const cJSON *item)
{
	double value = item->valuedouble;

	if (is_auto(f, item)) {
		*to = RECORD_INT_UNSET;
		return true;
	}
	if (!cJSON_IsNumber(item) || value != floor(value))
		return fail_type(w, item,
				 f->flags & FIELD_AUTO ? "a whole number or \"auto\""
						       : "a whole number");
	if (!is_inside(value, s))
		return fail_range(w, item, s);
	if (fabs(value) >= 0x1p53) /* beyond, a double no longer holds every whole number */
		return fail_type(w, item, "below 2^53 in size");
	*to = (int64_t)value;
	return true;
}

static bool read_real(const struct walk *w, const struct field *f, struct record_scope s,
		      double *to, const cJSON *item)
{
	if (is_auto(f, item)) {
		*to = NAN;
		return true;
	}
	if (!cJSON_IsNumber(item))
		return fail_type(w, item,
				 f->flags & FIELD_AUTO ? "a number or \"auto\"" : "a number");
	if (!is_inside(item->valuedouble, s))
		return fail_range(w, item, s);
	*to = item->valuedouble * s.scale;
	return true;
}

static bool read_bool(const struct walk *w, bool *to, const cJSON *item)
{
	if (!cJSON_IsBool(item))
		return fail_type(w, item, "true or false");
	*to = cJSON_IsTrue(item);
	return true;
}

/* A relative path of a file's layer refers to that file's folder. */
static char *resolve_file(const struct walk *w, const char *file)
{
	const char *folder = json_doc_folder(w->in->doc);

	if (!folder || strcmp(folder, ".") == 0 || file[0] == '/' || strcmp(file, "-") == 0)
		return xstrdup(file);
	return xasprintf("%s%s%s", folder, strcmp(folder, "/") == 0 ? "" : "/", file);
}

static bool read_text(const struct walk *w, const struct field *f, char **to, const cJSON *item)
{
	if (!cJSON_IsString(item))
		return fail_type(w, item, "a text");
	if (f->flags & FIELD_PATH && !item->valuestring[0])
		return fail_type(w, item, "the name of a file");
	free(*to);
	*to = f->flags & FIELD_PATH ? resolve_file(w, item->valuestring)
				    : xstrdup(item->valuestring);
	return true;
}

/* Any JSON value, as its text. */
static bool read_open(char **to, const cJSON *item)
{
	struct json_write out;
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		BUG("no memory stream");
	json_write_init(&out, memory);
	json_write_tree(&out, item);
	fclose(memory);
	free(*to);
	*to = text;
	return true;
}

static bool fail_choice(const struct walk *w, const struct field *f, const char *text,
			const cJSON *item)
{
	const char *const *names = f->of;
	const char **built;
	size_t n = 0;

	while (names[n])
		n++;
	built = xcalloc(n + 1, sizeof(*built));
	n = 0;
	for (size_t i = 0; names[i]; i++)
		if (names[i][0] != '!')
			built[n++] = names[i];
	if (cJSON_IsNumber(item)) {
		diag_fail(w->in->d, "must be one of the names allowed");
		diag_suggest(w->in->d, text, built);
	} else {
		diag_unknown(w->in->d, f->key, text, built);
	}
	free(built);
	return fail_at(w, item);
}

static bool read_choice(const struct walk *w, const struct field *f, int *to, const cJSON *item)
{
	const char *const *names = f->of;
	char number[32];
	const char *text = item->valuestring;
	int choice;

	json_number(number, item->valuedouble);
	if (cJSON_IsNumber(item))
		text = number;
	else if (!cJSON_IsString(item))
		return fail_type(w, item, "a text");
	choice = record_choice(f, text);
	if (choice < 0)
		return fail_choice(w, f, text, item);
	if (names[choice][0] == '!' && !w->in->allow_unbuilt) {
		diag_fail(w->in->d, "%s \"%s\" is not in this version", f->key, text);
		return fail_at(w, item);
	}
	*to = choice;
	return true;
}

/* ---- lists ---- */

static bool read_pair(const struct walk *w, double *to, const cJSON *item)
{
	const cJSON *first = cJSON_GetArrayItem(item, 0), *second = cJSON_GetArrayItem(item, 1);

	if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2 || !cJSON_IsNumber(first) ||
	    !cJSON_IsNumber(second))
		return fail_type(w, item, "a pair of numbers, [q, x]");
	to[0] = first->valuedouble;
	to[1] = second->valuedouble;
	return true;
}

static bool read_element(struct walk *w, const struct field *f, struct record_scope s, void *to,
			 const cJSON *item)
{
	static const struct field plain = {.key = "element"};

	if (f->flags & FIELD_TEXTS)
		return read_text(w, &plain, to, item);
	if (f->flags & FIELD_REALS)
		return read_real(w, &plain, s, to, item);
	if (f->flags & FIELD_PAIRS)
		return read_pair(w, to, item);
	record_init_in(f->of, to, s);
	return read_object(w, f->of, s, to, item);
}

/* Replaces the list; a value that is no list is a list of one. */
static bool read_list(struct walk *w, const struct field *f, struct record_scope s,
		      struct record_list *list, const cJSON *item)
{
	const cJSON *element = cJSON_IsArray(item) ? item->child : item;
	bool many = cJSON_IsArray(item);
	size_t count = many ? (size_t)cJSON_GetArraySize(item) : 1;

	list->data = xcalloc(count, list->size);
	for (size_t i = 0; i < count; i++, element = element->next) {
		char index[32];
		size_t length = strlen(w->path);
		bool good;

		snprintf(index, sizeof(index), "[%zu]", i);
		if (many)
			path_enter(w, index);
		note_place(w, element);
		list->count++; /* before reading: what a failed one owns is freed with the list */
		good = read_element(w, f, s, (char *)list->data + i * list->size, element);
		path_leave(w, length);
		if (!good)
			return false;
	}
	return true;
}

/* ---- records ---- */

static bool read_record(struct walk *w, const struct field *f, struct record_scope s, void *at,
			const cJSON *item)
{
	if (is_auto(f, item)) {
		record_free(f->of, at);
		record_init_in(f->of, at, s);
		return true;
	}
	return read_object(w, f->of, s, at, item);
}

static bool read_null(struct walk *w, const struct field *f, struct record_scope outer,
		      void *object, const cJSON *item)
{
	if (!w->in->null_is_default) {
		diag_fail(w->in->d, "null is not a value here: leave the key out");
		return fail_at(w, item);
	}
	record_free_value(f, object);
	record_default_value(f, object, outer);
	drop_places(w);
	return true;
}

static bool read_kind(struct walk *w, const struct field *f, struct record_scope s, void *at,
		      const cJSON *item)
{
	switch (f->kind) {
	case FIELD_BOOL:
		return read_bool(w, at, item);
	case FIELD_INT:
		return read_int(w, f, s, at, item);
	case FIELD_REAL:
		return read_real(w, f, s, at, item);
	case FIELD_TEXT:
		return f->flags & FIELD_OPEN ? read_open(at, item) : read_text(w, f, at, item);
	case FIELD_CHOICE:
		return read_choice(w, f, at, item);
	case FIELD_RECORD:
		return read_record(w, f, s, at, item);
	case FIELD_LIST:
		return read_list(w, f, s, at, item);
	case FIELD_VECTOR:
		break; /* of results, which are not read */
	}
	BUG("field kind %d", (int)f->kind);
}

/* The value of one field; the path is already its own. */
static bool read_value(struct walk *w, const struct field *f, struct record_scope outer,
		       void *object, const cJSON *item)
{
	if (f->flags & FIELD_NOT_YET) {
		diag_fail(w->in->d, "%s is not in this version", f->key);
		return fail_at(w, item);
	}
	if (cJSON_IsNull(item) && !(f->flags & FIELD_OPEN))
		return read_null(w, f, outer, object, item);
	if (f->kind == FIELD_LIST)
		record_free_value(f, object);
	if (f->kind == FIELD_LIST || !cJSON_IsObject(item))
		drop_places(w);
	note_place(w, item);
	return read_kind(w, f, record_scope_in(outer, f), record_at(f, object), item);
}

static bool read_key(struct walk *w, const struct field *f, struct record_scope outer, void *object,
		     const cJSON *item)
{
	size_t length = path_enter(w, f->key);
	bool good = read_value(w, f, outer, object, item);

	path_leave(w, length);
	return good;
}

static const struct field *tag_field(const struct record *r)
{
	return r->tag ? record_lookup(r, NULL, r->tag).field : NULL;
}

static const char *tag_name(const struct record *r, const void *object)
{
	const struct field *tag = tag_field(r);
	int choice = *(const int *)record_at_const(tag, object);

	return ((const char *const *)tag->of)[choice];
}

/* Earlier layers' keys that do not apply to the tag return to their defaults. */
static void drop_others(struct walk *w, const struct record *r, struct record_scope scope,
			void *object)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		size_t length;

		if (f->flags & FIELD_NOT_YET || record_applies(r, object, f))
			continue;
		record_free_value(f, object);
		record_default_value(f, object, scope);
		length = path_enter(w, f->key);
		drop_places(w);
		path_leave(w, length);
	}
}

static bool fail_other(struct diag *d, const struct record *r, const void *object,
		       const struct field *f)
{
	const char **keys = record_keys(r, object);

	diag_fail(d, "%s does not apply to %s \"%s\"", f->key, r->tag, tag_name(r, object));
	diag_allowed(d, keys);
	free(keys);
	return false;
}

/* The tags first, this record's and its inline ones', because they decide what earlier layers' keys
 * mean. */
static bool read_tags(struct walk *w, const struct record *r, struct record_scope scope,
		      void *object, const cJSON *item)
{
	const struct field *tag = tag_field(r);
	const cJSON *child = tag ? cJSON_GetObjectItemCaseSensitive(item, tag->key) : NULL;

	if (child) {
		if (!read_key(w, tag, scope, object, child))
			return false;
		drop_others(w, r, scope, object);
	}
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->flags & FIELD_INLINE &&
		    !read_tags(w, f->of, record_scope_in(scope, f), record_at(f, object), item))
			return false;
	}
	return true;
}

static bool is_extra(const struct walk *w, const char *key)
{
	const char *const *extra = w->path[0] ? NULL : w->in->extra_keys;

	for (; extra && *extra; extra++)
		if (strcmp(*extra, key) == 0)
			return true;
	return false;
}

static bool fail_unknown(struct walk *w, const struct record *r, const cJSON *child)
{
	const char **keys = record_keys_with(r, w->path[0] ? NULL : w->in->extra_keys);
	size_t length = path_enter(w, child->string);

	diag_unknown(w->in->d, "key", child->string, keys);
	free(keys);
	fail_at(w, child);
	path_leave(w, length);
	return false;
}

static bool read_child(struct walk *w, const struct record *r, struct record_scope scope,
		       void *object, const cJSON *item, const cJSON *child)
{
	struct record_hit hit = record_lookup(r, object, child->string);
	const struct field *tag;

	if (!hit.field)
		return fail_unknown(w, r, child);
	tag = tag_field(hit.record);
	if (hit.field == tag)
		return true;
	if (tag && cJSON_GetObjectItemCaseSensitive(item, tag->key) &&
	    !record_applies(hit.record, hit.object, hit.field)) {
		fail_other(w->in->d, hit.record, hit.object, hit.field);
		path_enter(w, child->string);
		return fail_at(w, child);
	}
	return read_key(w, hit.field, scope, hit.object, child);
}

/* A figure that this layer is the first to give a value has the layer's origin unless it says
 * another. */
static void set_origin(const struct walk *w, const struct record *r, void *object)
{
	if (r == &figure_record)
		((struct figure *)object)->origin = (int)w->in->origin;
}

static bool read_keys(struct walk *w, const struct record *r, struct record_scope scope,
		      void *object, const cJSON *item)
{
	note_place(w, item);
	if (r == &figure_record && isnan(((struct figure *)object)->value))
		set_origin(w, r, object);
	if (!read_tags(w, r, scope, object, item))
		return false;
	for (const cJSON *child = item->child; child; child = child->next)
		if (!is_extra(w, child->string) && !read_child(w, r, scope, object, item, child))
			return false;
	return true;
}

/* The first choice of the tag for which the short key applies. */
static void set_short_tag(const struct record *r, void *object, const struct field *f)
{
	const struct field *tag = tag_field(r);
	int choice = 0;

	if (!tag || !f->when)
		return;
	while (!(f->when & (1u << choice)))
		choice++;
	*(int *)record_at(tag, object) = choice;
}

/* A value in the short form replaces all that earlier layers said. */
static bool read_short(struct walk *w, const struct record *r, struct record_scope scope,
		       void *object, const cJSON *item)
{
	struct record_hit hit = record_lookup(r, object, r->short_key);

	BUG_IF(!hit.field);
	record_free(r, object);
	record_init_in(r, object, scope);
	drop_places(w);
	note_place(w, item);
	set_short_tag(r, object, hit.field);
	set_origin(w, r, object);
	return read_kind(w, hit.field, record_scope_in(scope, hit.field),
			 record_at(hit.field, hit.object), item);
}

/* {"value": ...} where a table of figures stands is the figure of its short key: "mfu": {"value":
 * 0.5}. */
static bool is_one_figure(const struct record *r, const cJSON *item)
{
	const struct field *f = record_lookup(r, NULL, r->short_key).field;

	return f && f->kind == FIELD_RECORD && f->of == &figure_record &&
	       cJSON_GetObjectItemCaseSensitive(item, "value");
}

static bool fail_no_object(const struct walk *w, const struct record *r, const cJSON *item)
{
	char wanted[96], value[32];

	if (!r->number_key || !cJSON_IsNumber(item))
		return fail_type(w, item, "an object");
	json_number(value, item->valuedouble);
	snprintf(wanted, sizeof(wanted), "an object, as in {\"%s\": %s}", r->number_key, value);
	return fail_type(w, item, wanted);
}

static bool read_object(struct walk *w, const struct record *r, struct record_scope scope,
			void *object, const cJSON *item)
{
	if (r->short_key && (!cJSON_IsObject(item) || is_one_figure(r, item)))
		return read_short(w, r, scope, object, item);
	if (!cJSON_IsObject(item))
		return fail_no_object(w, r, item);
	return read_keys(w, r, scope, object, item);
}

/* ---- the doors ---- */

bool record_read_layer(const struct record_reader *in, const struct record *r, void *object,
		       const cJSON *item)
{
	struct walk w = {.in = in};

	if (!cJSON_IsNull(item))
		return read_object(&w, r, record_scope_top, object, item);
	diag_fail(in->d, "null is not a value here: leave the key out");
	return fail_at(&w, item);
}

bool record_read(const struct record *r, void *object, const struct json_doc *doc,
		 const cJSON *item, const char *path, enum origin origin, struct diag *d)
{
	const struct record_reader in = {.doc = doc, .prefix = path, .origin = origin, .d = d};

	return record_read_layer(&in, r, object, item);
}

static bool read_target(struct walk *w, const struct record_target *t, const cJSON *item)
{
	const struct field *tag = tag_field(t->record);

	if (t->element && !cJSON_IsNull(item)) {
		note_place(w, item);
		return read_object(w, t->field->of, record_scope_in(t->scope, t->field), t->element,
				   item);
	}
	if (!read_value(w, t->field, t->scope, t->object, item))
		return false;
	if (t->field != tag)
		return true;
	snprintf(w->path, sizeof(w->path), "%s", t->parent);
	drop_others(w, t->record, t->scope, t->object);
	return true;
}

bool record_set(const struct record_reader *in, const struct record *r, void *object,
		const char *path, const cJSON *item)
{
	struct walk w = {.in = in};
	struct record_target t = record_resolve(r, object, path, in->extra_keys, in->d);

	if (!t.field) {
		snprintf(w.path, sizeof(w.path), "%s", path);
		return fail_at(&w, item);
	}
	snprintf(w.path, sizeof(w.path), "%s", t.path);
	return read_target(&w, &t, item);
}

void record_read_default(const struct field *f, void *object, struct record_scope outer)
{
	struct diag d = {0};
	struct json_doc *doc = json_doc_parse(f->key, f->def, &d);
	const struct record_reader in = {
		.doc = doc, .prefix = f->key, .origin = ORIGIN_ASSUMED, .d = &d};
	struct walk w = {.in = &in};

	if (!doc ||
	    !read_kind(&w, f, record_scope_in(outer, f), record_at(f, object), json_doc_root(doc)))
		BUG("the default of %s: %s", f->key, d.message);
	json_doc_del(doc);
}

/* ---- after the last layer ---- */

struct closing {
	const struct record_places *places; /* or NULL */
	const char *prefix;
	struct diag *d;
};

static bool fail_closing(const struct closing *c, const char *path)
{
	char shown[256];

	if (c->places)
		record_places_locate(c->places, path, c->d);
	record_path_join(shown, sizeof(shown), c->prefix, path);
	diag_path(c->d, shown);
	return false;
}

/* Whether some layer gave the field a value. */
static bool was_set(const struct closing *c, const struct field *f, const void *object,
		    const char *path)
{
	if (c->places)
		return record_places_get(c->places, path);
	return !f->def && record_is_set(f, object);
}

static bool close_record(const struct closing *c, const struct record *r, void *object,
			 const char *path);

static bool close_list(const struct closing *c, const struct field *f,
		       const struct record_list *list, const char *path)
{
	char inner[300];

	for (size_t i = 0; f->of && i < list->count; i++) {
		snprintf(inner, sizeof(inner), "%s[%zu]", path, i);
		if (!close_record(c, f->of, (char *)list->data + i * list->size, inner))
			return false;
	}
	return true;
}

static bool close_field(const struct closing *c, const struct record *r, void *object,
			const struct field *f, const char *outer)
{
	char path[256];
	void *at = record_at(f, object);

	if (f->flags & FIELD_INLINE)
		return close_record(c, f->of, at, outer);
	record_path_join(path, sizeof(path), outer, f->key);
	if (!record_applies(r, object, f)) {
		if (!was_set(c, f, object, path))
			return true;
		fail_other(c->d, r, object, f);
		return fail_closing(c, path);
	}
	if (f->flags & FIELD_REQUIRED && !record_is_set(f, object)) {
		diag_fail(c->d, "%s is required", f->key);
		return fail_closing(c, path);
	}
	if (f->kind == FIELD_RECORD)
		return close_record(c, f->of, at, path);
	return f->kind != FIELD_LIST || close_list(c, f, at, path);
}

static bool close_record(const struct closing *c, const struct record *r, void *object,
			 const char *path)
{
	char inner[256], full[256];

	for (size_t i = 0; i < r->fields; i++)
		if (!(r->field[i].flags & FIELD_NOT_YET) &&
		    !close_field(c, r, object, &r->field[i], path))
			return false;
	if (r->settle)
		r->settle(object);
	if (!r->check || r->check(object, c->d))
		return true;
	snprintf(inner, sizeof(inner), "%s", c->d->path);
	c->d->path[0] = '\0';
	record_path_join(full, sizeof(full), path, inner);
	return fail_closing(c, full);
}

static bool check_choice(const struct closing *c, const struct field *f, int choice,
			 const char *path)
{
	const char *name = choice < 0 ? "" : ((const char *const *)f->of)[choice];

	if (name[0] != '!')
		return true;
	diag_fail(c->d, "%s \"%s\" is not in this version", f->key, name + 1);
	diag_found(c->d, name + 1);
	return fail_closing(c, path);
}

static bool check_built(const struct closing *c, const struct record *r, const void *object,
			const char *outer)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		const void *at = record_at_const(f, object);
		char path[256];

		record_path_join(path, sizeof(path), outer, f->key);
		if (f->flags & FIELD_NOT_YET)
			continue;
		if (f->kind == FIELD_CHOICE && !check_choice(c, f, *(const int *)at, path))
			return false;
		if (f->kind == FIELD_RECORD &&
		    !check_built(c, f->of, at, f->flags & FIELD_INLINE ? outer : path))
			return false;
	}
	return true;
}

bool record_check_built(const struct record *r, const void *object,
			const struct record_places *places, const char *prefix, struct diag *d)
{
	const struct closing c = {places, prefix, d};

	return check_built(&c, r, object, "");
}

bool record_finish_layers(const struct record *r, void *object, const struct record_places *places,
			  const char *prefix, struct diag *d)
{
	const struct closing c = {places, prefix, d};

	return close_record(&c, r, object, "");
}

bool record_finish(const struct record *r, void *object, const char *path, struct diag *d)
{
	return record_finish_layers(r, object, NULL, path, d);
}
