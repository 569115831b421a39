/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/pile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "roofline/model.h"

void pile_init(struct pile *p, enum catalog_kind kind)
{
	*p = (struct pile){.kind = kind};
}

static void clear(struct pile *p)
{
	for (size_t i = 0; i < p->layers; i++) {
		free(p->layer[i].path);
		free(p->layer[i].prefix);
	}
	p->layers = 0;
}

void pile_free(struct pile *p)
{
	clear(p);
	free(p->layer);
	pile_init(p, p->kind);
}

static void push(struct pile *p, struct pile_layer layer)
{
	p->layer = xrealloc(p->layer, (p->layers + 1) * sizeof(*p->layer));
	p->layer[p->layers++] = layer;
}

static bool fail_layer(const struct pile_layer *l, const char *key, struct diag *d)
{
	char path[256];

	record_path_join(path, sizeof(path), l->prefix, key);
	return json_doc_blame(l->doc, l->item, path, d);
}

bool pile_add(struct pile *p, const struct json_doc *doc, const cJSON *item, const char *prefix,
	      bool null_is_default, struct diag *d)
{
	struct pile_layer layer = {doc, item, NULL, NULL, null_is_default};

	if (!cJSON_IsObject(item))
		clear(p);
	if (cJSON_IsNull(item) && null_is_default)
		return true;
	layer.prefix = xstrdup(prefix);
	push(p, layer);
	if (cJSON_IsObject(item) || cJSON_IsString(item))
		return true;
	diag_fail(d, "must be the id of %s, or an object", catalog_kind_phrases[p->kind]);
	return fail_layer(&layer, "", d);
}

void pile_add_key(struct pile *p, const struct json_doc *doc, const cJSON *item, const char *prefix,
		  const char *path, bool null_is_default)
{
	push(p, (struct pile_layer){doc, item, xstrdup(path), xstrdup(prefix), null_is_default});
}

void pile_add_all(struct pile *p, const struct pile *above)
{
	for (size_t i = 0; i < above->layers; i++) {
		struct pile_layer layer = above->layer[i];

		layer.path = layer.path ? xstrdup(layer.path) : NULL;
		layer.prefix = xstrdup(layer.prefix);
		push(p, layer);
	}
}

/* What a layer says of a key: the key's value, or NULL. */
static const cJSON *said(const struct pile_layer *l, const char *key)
{
	if (l->path)
		return strcmp(l->path, key) == 0 ? l->item : NULL;
	return cJSON_GetObjectItemCaseSensitive(l->item, key);
}

/* The newest layer that names a base, and its text; NULL: none. */
static const struct pile_layer *base_layer(const struct pile *p, const cJSON **base)
{
	for (size_t i = p->layers; i-- > 0;) {
		const struct pile_layer *l = &p->layer[i];

		*base = !l->path && cJSON_IsString(l->item) ? l->item : said(l, "base");
		if (*base)
			return l;
	}
	return NULL;
}

/* A path in a file is relative to the file's folder. */
static char *resolve_path(const struct pile_layer *l, const char *name)
{
	const char *folder = json_doc_folder(l->doc);

	return folder && name[0] != '/' && strcmp(folder, ".") != 0
		       ? xasprintf("%s/%s", folder, name)
		       : xstrdup(name);
}

static const char *add_file(struct catalog *c, enum catalog_kind kind, const struct pile_layer *l,
			    const char *name, struct diag *d)
{
	char *path = resolve_path(l, name);
	const char *id = catalog_add_file(c, kind, path, d);

	free(path);
	return id;
}

/* The config.json of a model's folder, as it was downloaded; NULL: there is none. */
static char *config_in(const struct pile_layer *l, const char *name)
{
	char *folder = resolve_path(l, name);
	const char *slash = text_ends(folder, "/") ? "" : "/";
	char *path = xasprintf("%s%sconfig.json", folder, slash);

	free(folder);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* A name with a slash is a folder before it is an id, a name without one after. */
static const char *find_model(struct catalog *c, const struct pile_layer *l, const char *name,
			      struct diag *d)
{
	char *config = config_in(l, name);
	struct diag unknown;
	const char *id = NULL;

	diag_init(&unknown);
	if (!config || !strchr(name, '/'))
		id = catalog_find(c, CATALOG_MODEL, name, &unknown);
	if (!id && config)
		id = catalog_add_file(c, CATALOG_MODEL, config, d);
	else if (!id)
		*d = unknown;
	free(config);
	return id;
}

/* By what a text of a layer says: a file, a folder, an id. */
static const char *find_named(const struct pile *p, struct catalog *c, const struct pile_layer *l,
			      const char *name, struct diag *d)
{
	if (text_ends(name, ".json"))
		return add_file(c, p->kind, l, name, d);
	return p->kind == CATALOG_MODEL ? find_model(c, l, name, d)
					: catalog_find(c, p->kind, name, d);
}

/* The entry's id in the catalogue; NULL: stands alone, or d filled. */
static const char *find_base(const struct pile *p, struct catalog *c, struct diag *d)
{
	const cJSON *base;
	const struct pile_layer *l = base_layer(p, &base);
	const char *id;

	if (!l)
		return p->kind == CATALOG_ENGINE ? catalog_find(c, p->kind, "vllm", d) : NULL;
	if (!cJSON_IsString(base)) {
		diag_fail(d, "must be the id of %s", catalog_kind_phrases[p->kind]);
		fail_layer(l, "base", d);
		return NULL;
	}
	id = find_named(p, c, l, base->valuestring, d);
	if (!id)
		fail_layer(l, base == l->item ? "" : "base", d);
	return id;
}

/* The caller's keys and our own one, NULL-terminated; release with free(). */
static const char **with_base(const char *const *extra)
{
	const char **keys;
	size_t n = 0;

	while (extra && extra[n])
		n++;
	keys = xcalloc(n + 2, sizeof(*keys));
	if (n)
		memcpy(keys, extra, n * sizeof(*keys));
	keys[n] = "base";
	return keys;
}

static bool read_layer(const struct pile *p, const struct pile_layer *l, void *object,
		       const char *const *extra, struct record_places *places, struct diag *d)
{
	const struct record *r = catalog_record(p->kind);
	const struct record_reader in = {.doc = l->doc,
					 .prefix = l->prefix,
					 .origin = ORIGIN_GIVEN,
					 .null_is_default = l->null_is_default,
					 .extra_keys = extra,
					 .places = places,
					 .d = d};

	record_places_layer(places, json_doc_name(l->doc), l->prefix);
	if (!l->path)
		return cJSON_IsString(l->item) || record_read_layer(&in, r, object, l->item);
	return strcmp(l->path, "base") == 0 || record_set(&in, r, object, l->path, l->item);
}

/* Whether layers say anything beyond the name of the base, and whether they give an id. */
static void look(const struct pile *p, bool *changed, bool *named)
{
	*changed = *named = false;
	for (size_t i = 0; i < p->layers; i++) {
		const struct pile_layer *l = &p->layer[i];
		const cJSON *first = l->path ? NULL : l->item->child;

		*named = *named || said(l, "id");
		if (l->path)
			*changed = *changed || strcmp(l->path, "base") != 0;
		else
			*changed = *changed ||
				   (first && (first->next || strcmp(first->string, "base") != 0));
	}
}

/* The id that results show. */
static void set_id(const struct pile *p, const char *base, void *object)
{
	char **id = catalog_object_id(p->kind, object), *shown;
	bool changed, named;

	look(p, &changed, &named);
	if (named)
		return;
	if (*id && changed && base)
		shown = xasprintf("%s+", *id);
	else
		shown = xstrdup(*id ? *id : "own");
	free(*id);
	*id = shown;
}

/* Whether all that was chosen is built. What the catalogue chose is the fault of who named the
 * entry. */
static bool check_built(const struct pile *p, void *object, const char *base,
			const struct record_places *places, size_t entry_layers, struct diag *d)
{
	const struct record *r = catalog_record(p->kind);
	const char *prefix = p->layers ? p->layer[p->layers - 1].prefix : "";
	const struct record_place *place;
	const struct pile_layer *l;
	const cJSON *named;
	struct diag at_entry;

	diag_init(&at_entry);
	if (record_check_built(r, object, NULL, "", &at_entry))
		return true;
	place = record_places_get(places, at_entry.path);
	l = base_layer(p, &named);
	if (!l || !place || place->layer >= entry_layers)
		return record_check_built(r, object, places, prefix, d);
	diag_fail(d, "the %s %s needs the %s \"%s\", which is not in this version", r->name, base,
		  at_entry.path, at_entry.found);
	diag_found(d, at_entry.found);
	return fail_layer(l, named == l->item ? "" : "base", d);
}

static bool read_all(const struct pile *p, struct catalog *c, void *object,
		     const char *const *extra, const char *base, struct record_places *places,
		     struct diag *d)
{
	const struct record *r = catalog_record(p->kind);
	const char *prefix = p->layers ? p->layer[p->layers - 1].prefix : "";
	size_t entry_layers;

	if (base && !catalog_read_over(c, p->kind, base, object, places, d))
		return false;
	entry_layers = places->layers;
	for (size_t i = 0; i < p->layers; i++)
		if (!read_layer(p, &p->layer[i], object, extra, places, d))
			return false;
	return record_finish_layers(r, object, places, prefix, d) &&
	       check_built(p, object, base, places, entry_layers, d);
}

bool pile_read(const struct pile *p, struct catalog *c, void *object, const char *const *extra,
	       const char **base, struct diag *d)
{
	const struct record *r = catalog_record(p->kind);
	const char **keys = with_base(extra);
	struct record_places places;
	bool good;

	record_places_init(&places);
	record_init(r, object);
	*base = find_base(p, c, d);
	good = !d->set && read_all(p, c, object, keys, *base, &places, d);
	if (good && p->kind == CATALOG_MODEL)
		model_settle(object);
	if (good)
		set_id(p, *base, object);
	else
		record_free(r, object);
	record_places_free(&places);
	free(keys);
	return good;
}
