/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "scenario/engine_flags.h"

static const char *const piled_keys[] = {"model", "gpus", "pools", "engine", NULL};

/* One layer: its document and how its values count. */
struct layer {
	struct layers *all;
	const struct json_doc *doc;
	const cJSON *root; /* the scenario's object; NULL in a --set */
	bool is_set;
};

void layers_init(struct layers *l, struct scenario *s, struct diag *d)
{
	*l = (struct layers){.s = s, .d = d};
	pile_init(&l->model, CATALOG_MODEL);
	pile_init(&l->engine, CATALOG_ENGINE);
}

static void clear_gpus(struct layers *l)
{
	for (size_t i = 0; i < l->gpus; i++)
		pile_free(&l->gpu[i]);
	free(l->gpu);
	l->gpu = NULL;
	l->gpus = 0;
}

static void clear_pools(struct layers *l)
{
	for (size_t i = 0; i < l->pools; i++)
		pool_pile_free(&l->pool[i]);
	free(l->pool);
	l->pool = NULL;
	l->pools = 0;
}

void layers_free(struct layers *l)
{
	clear_pools(l);
	pile_free(&l->model);
	pile_free(&l->engine);
	clear_gpus(l);
	for (size_t i = 0; i < l->docs; i++)
		json_doc_del(l->doc[i]);
	free(l->doc);
}

static struct json_doc *keep(struct layers *l, struct json_doc *doc)
{
	l->doc = xrealloc(l->doc, (l->docs + 1) * sizeof(*l->doc));
	return l->doc[l->docs++] = doc;
}

static struct layer begin(struct layers *l, const struct json_doc *doc, bool is_set)
{
	record_places_layer(&l->s->places, json_doc_name(doc), "");
	return (struct layer){.all = l, .doc = doc, .is_set = is_set};
}

static struct record_reader reader(const struct layer *y)
{
	return (struct record_reader){.doc = y->doc,
				      .prefix = "",
				      .origin = ORIGIN_GIVEN,
				      .null_is_default = y->is_set,
				      .extra_keys = piled_keys,
				      .places = &y->all->s->places,
				      .d = y->all->d};
}

/* Adds place, path and what was found to a diag that was just filled; returns false. */
static bool fail_at(const struct layer *y, const cJSON *item, const char *path)
{
	return json_doc_blame(y->doc, item, path, y->all->d);
}

/* ---- GPUs ---- */

static bool add_gpu(const struct layer *y, const cJSON *item, bool numbered)
{
	struct layers *l = y->all;
	char prefix[32] = "gpus";

	if (numbered)
		snprintf(prefix, sizeof(prefix), "gpus[%zu]", l->gpus);
	l->gpu = xrealloc(l->gpu, (l->gpus + 1) * sizeof(*l->gpu));
	pile_init(&l->gpu[l->gpus], CATALOG_GPU);
	return pile_add(&l->gpu[l->gpus++], y->doc, item, prefix, false, l->d);
}

/* A list replaces all; a value that is no list is a list of one. */
static bool set_gpus(const struct layer *y, const cJSON *item)
{
	clear_gpus(y->all);
	if (cJSON_IsNull(item) && y->is_set)
		return true;
	if (!cJSON_IsArray(item))
		return add_gpu(y, item, false);
	for (const cJSON *one = item->child; one; one = one->next)
		if (!add_gpu(y, one, true))
			return false;
	if (item->child)
		return true;
	diag_fail(y->all->d, "names no GPU");
	return fail_at(y, item, "gpus");
}

/* ---- pools ---- */

static bool add_pool(const struct layer *y, const cJSON *item)
{
	struct layers *l = y->all;

	if (l->pools == DEPLOYMENT_POOLS_MAX) {
		diag_fail(l->d, "at most %d pools can stand behind a router", DEPLOYMENT_POOLS_MAX);
		return fail_at(y, item, "pools");
	}
	l->pool = xrealloc(l->pool, (l->pools + 1) * sizeof(*l->pool));
	pool_pile_init(&l->pool[l->pools], l->pools);
	return pool_pile_add(&l->pool[l->pools++], y->doc, item, y->is_set, l->d);
}

/* A list replaces all; a value that is no list is a list of one. */
static bool set_pools(const struct layer *y, const cJSON *item)
{
	clear_pools(y->all);
	if (cJSON_IsNull(item) && y->is_set)
		return true;
	if (!cJSON_IsArray(item))
		return add_pool(y, item);
	for (const cJSON *one = item->child; one; one = one->next)
		if (!add_pool(y, one))
			return false;
	if (item->child)
		return true;
	diag_fail(y->all->d, "names no pool");
	return fail_at(y, item, "pools");
}

/* ---- the engine and vLLM's flags ---- */

/* Whether the same layer says the flag's key by its own name too, or by another flag. */
static bool is_said_twice(const struct layer *y, const struct engine_flag *f, const cJSON *engine)
{
	const char *dot = strchr(f->path, '.');
	char object[32];
	const cJSON *around;

	for (const struct engine_flag *other = engine_flags; other->flag; other++)
		if (other != f && strcmp(other->path, f->path) == 0 &&
		    cJSON_GetObjectItemCaseSensitive(engine, other->flag))
			return true;
	snprintf(object, sizeof(object), "%.*s", (int)(dot - f->path), f->path);
	around = strcmp(object, "engine") == 0 ? engine
					       : cJSON_GetObjectItemCaseSensitive(y->root, object);
	if (around && !cJSON_IsObject(around)) /* "precision": "w4a16" */
		return true;
	return cJSON_GetObjectItemCaseSensitive(around, dot + 1);
}

static bool add_flag(const struct layer *y, const struct engine_flag *f, const cJSON *item)
{
	const struct record_reader in = reader(y);
	const char *key = strncmp(f->path, "engine.", 7) == 0 ? f->path + 7 : NULL;
	char path[64];

	if (key) {
		pile_add_key(&y->all->engine, y->doc, item, "engine", key, y->is_set);
		return true;
	}
	if (record_set(&in, &scenario_record, y->all->s, f->path, item))
		return true;
	/* show the name that was typed */
	snprintf(path, sizeof(path), "engine.%s", f->flag);
	snprintf(y->all->d->path, sizeof(y->all->d->path), "%s", path);
	return false;
}

static bool add_flags(const struct layer *y, const cJSON *engine)
{
	for (const cJSON *item = engine->child; item; item = item->next) {
		const struct engine_flag *f = engine_flags_find(item->string);
		char path[64];

		if (!f)
			continue;
		snprintf(path, sizeof(path), "engine.%s", f->flag);
		if (is_said_twice(y, f, engine)) {
			diag_fail(y->all->d, "%s is another name of %s, which stands here too",
				  f->flag, f->path);
			return fail_at(y, item, path);
		}
		if (!add_flag(y, f, item))
			return false;
	}
	return true;
}

static bool add_engine(const struct layer *y, const cJSON *item)
{
	if (!pile_add(&y->all->engine, y->doc, item, "engine", y->is_set, y->all->d))
		return false;
	return !cJSON_IsObject(item) || add_flags(y, item);
}

/* ---- whole layers ---- */

bool layers_add_file(struct layers *l, const struct json_doc *doc)
{
	struct layer y = begin(l, doc, false);
	struct record_reader in;
	const cJSON *model, *gpus, *pools, *engine;

	l->file = doc;
	y.root = json_doc_root(doc);
	in = reader(&y);
	if (!record_read_layer(&in, &scenario_record, l->s, y.root))
		return false;
	model = cJSON_GetObjectItemCaseSensitive(y.root, "model");
	gpus = cJSON_GetObjectItemCaseSensitive(y.root, "gpus");
	pools = cJSON_GetObjectItemCaseSensitive(y.root, "pools");
	engine = cJSON_GetObjectItemCaseSensitive(y.root, "engine");
	return (!model || pile_add(&l->model, doc, model, "model", false, l->d)) &&
	       (!gpus || set_gpus(&y, gpus)) && (!pools || set_pools(&y, pools)) &&
	       (!engine || add_engine(&y, engine));
}

/* A document that holds one text. */
static struct json_doc *text_doc(const char *name, const char *text, struct diag *d)
{
	cJSON *item = cJSON_CreateString(text);
	char *json = cJSON_PrintUnformatted(item);
	struct json_doc *doc = json_doc_parse(name, json, d);

	cJSON_free(json);
	cJSON_Delete(item);
	return doc;
}

bool layers_add_gpus(struct layers *l, const char *const *gpus, const char *option)
{
	if (!gpus || !*gpus)
		return true;
	clear_gpus(l);
	for (; *gpus; gpus++) {
		char *name = xasprintf("%s %s", option ? option : "--gpu", *gpus);
		struct json_doc *doc = text_doc(name, *gpus, l->d);
		struct layer y;

		free(name);
		if (!doc)
			return false;
		y = begin(l, keep(l, doc), false);
		if (!add_gpu(&y, json_doc_root(doc), true))
			return false;
	}
	return true;
}

/* ---- --set ---- */

/* VALUE is JSON if it parses, else text; what starts as an object or a list must parse. */
static struct json_doc *value_doc(const char *name, const char *value, struct diag *d)
{
	struct diag as_json = {0};
	struct json_doc *doc = json_doc_parse(name, value, &as_json);

	if (doc)
		return doc;
	if (!strchr("{[", *value) || !*value)
		return text_doc(name, value, d);
	*d = as_json;
	return NULL;
}

static bool fail_set(const struct layer *y, const char *path, const char *message)
{
	diag_fail(y->all->d, "%s", message);
	return fail_at(y, json_doc_root(y->doc), path);
}

/* Reads "[1]" or "[1].mbu" of a list of `count`: the index, and in *key what follows, "" if nothing
 * does. `how`: the message where there is no index. */
static bool read_index(const struct layer *y, const char *path, const char *rest, size_t count,
		       const char *how, long *index, const char **key)
{
	char *end;

	if (*rest != '[')
		return fail_set(y, path, how);
	*index = strtol(rest + 1, &end, 10);
	if (end == rest + 1 || *end != ']' || (end[1] && end[1] != '.'))
		return fail_set(y, path, "an index is written [0], [1], ...");
	if (*index < 0 || (size_t)*index >= count)
		return fail_set(y, path, "there is no such element in the list, it starts at [0]");
	*key = end[1] ? end + 2 : end + 1;
	return true;
}

/* "gpus", "gpus[1]", "gpus[1].mbu"; rest is what follows "gpus". */
static bool set_gpu_path(const struct layer *y, const char *path, const char *rest)
{
	struct layers *l = y->all;
	const cJSON *item = json_doc_root(y->doc);
	const char *key = "";
	char prefix[32];
	long index = 0;

	if (!*rest)
		return set_gpus(y, item);
	if (!read_index(y, path, rest, l->gpus, "gpus is a list: write gpus[0].mbu", &index, &key))
		return false;
	snprintf(prefix, sizeof(prefix), "gpus[%ld]", index);
	if (!*key)
		return pile_add(&l->gpu[index], y->doc, item, prefix, true, l->d);
	pile_add_key(&l->gpu[index], y->doc, item, prefix, key, true);
	return true;
}

/* The same of "pools". */
static bool set_pool_path(const struct layer *y, const char *path, const char *rest)
{
	struct layers *l = y->all;
	const cJSON *item = json_doc_root(y->doc);
	const char *key = "";
	long index = 0;

	if (!*rest)
		return set_pools(y, item);
	if (!read_index(y, path, rest, l->pools, "pools is a list: write pools[0].replicas", &index,
			&key))
		return false;
	if (!*key)
		return pool_pile_add(&l->pool[index], y->doc, item, true, l->d);
	return pool_pile_set(&l->pool[index], y->doc, item, key, l->d);
}

static bool set_engine_path(const struct layer *y, const char *rest)
{
	const cJSON *item = json_doc_root(y->doc);
	const struct engine_flag *f = *rest ? engine_flags_find(rest + 1) : NULL;

	if (!*rest)
		return add_engine(y, item);
	if (f)
		return add_flag(y, f, item);
	pile_add_key(&y->all->engine, y->doc, item, "engine", rest + 1, true);
	return true;
}

static bool set_model_path(const struct layer *y, const char *rest)
{
	struct layers *l = y->all;
	const cJSON *item = json_doc_root(y->doc);

	if (!*rest)
		return pile_add(&l->model, y->doc, item, "model", true, l->d);
	pile_add_key(&l->model, y->doc, item, "model", rest + 1, true);
	return true;
}

static bool set_path(const struct layer *y, const char *path)
{
	const struct record_reader in = reader(y);
	size_t length = strcspn(path, ".[");
	const char *rest = path + length;
	char key[64];
	bool inside;

	snprintf(key, sizeof(key), "%.*s", (int)length, path);
	if (strcmp(key, "gpus") == 0)
		return set_gpu_path(y, path, rest);
	if (strcmp(key, "pools") == 0)
		return set_pool_path(y, path, rest);
	inside = *rest != '[';
	if (strcmp(key, "engine") == 0 && inside)
		return set_engine_path(y, rest);
	if (strcmp(key, "model") == 0 && inside)
		return set_model_path(y, rest);
	return record_set(&in, &scenario_record, y->all->s, path, json_doc_root(y->doc));
}

bool layers_add_set(struct layers *l, const char *option, const char *text)
{
	const char *equals = strchr(text, '=');
	char *name = xasprintf("%s %s", option, text), *path;
	struct json_doc *doc;
	struct layer y;
	bool good;

	if (!equals || equals == text) {
		diag_fail(l->d, "%s takes PATH=VALUE, as in traffic.arrivals.rate=8", option);
		diag_at(l->d, name, 1, 1);
		free(name);
		return false;
	}
	doc = value_doc(name, equals + 1, l->d);
	free(name);
	if (!doc)
		return false;
	if (l->values_folder)
		json_doc_set_folder(doc, l->values_folder);
	y = begin(l, keep(l, doc), true);
	path = xasprintf("%.*s", (int)(equals - text), text);
	good = set_path(&y, path);
	free(path);
	return good;
}
