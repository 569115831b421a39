/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/catalog.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/folder.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "roofline/gpu.h"
#include "roofline/model.h"
#include "scenario/hf_config.h"
#include "scenario/oneshot_models.h"
#include "scenario/scenario.h"
#include "scenario/short_form.h"

static const char *const kind_names[] = {"GPU", "model", "engine"};
const char *const catalog_kind_phrases[] = {"a GPU", "a model", "an engine"};

/* Below a folder of --catalog or of the data. */
static const char *const places[CATALOG_KINDS][3] = {{"gpus", NULL},
						     {"models", "workloads/models", NULL},
						     {"engines", "workloads/engines", NULL}};

struct entry {
	char *id;
	struct json_doc *doc;
	bool apart;		    /* named by its path, not of a folder */
	bool foreign;		    /* a Hugging Face config.json */
	struct record_list ignored; /* its keys that had no say */
};

struct shelf {
	struct entry *entry; /* sorted by id but for those apart */
	size_t count, listed;
};

struct catalog {
	struct shelf shelf[CATALOG_KINDS];
	char *price_book;
};

const struct record *catalog_record(enum catalog_kind kind)
{
	static const struct record *const records[] = {&gpu_record, &model_record, &engine_record};

	return records[kind];
}

char **catalog_object_id(enum catalog_kind kind, void *object)
{
	if (kind == CATALOG_GPU)
		return &((struct gpu *)object)->id;
	if (kind == CATALOG_MODEL)
		return &((struct model *)object)->id;
	return &((struct engine *)object)->id;
}

/* ---- entries ---- */

static const cJSON *member(const struct entry *e, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(json_doc_root(e->doc), key);
}

static const char *text_member(const struct entry *e, const char *key)
{
	const cJSON *item = member(e, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

static const struct entry *by_id(const struct shelf *s, const char *id)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->entry[i].id, id) == 0)
			return &s->entry[i];
	return NULL;
}

static struct entry *add_entry(struct shelf *s, const char *id, struct json_doc *doc)
{
	s->entry = xrealloc(s->entry, (s->count + 1) * sizeof(*s->entry));
	s->entry[s->count] = (struct entry){.id = xstrdup(id), .doc = doc};
	return &s->entry[s->count++];
}

/* The id inside a file must be its name: that is how messages and the price book name it. */
static bool check_id(const struct json_doc *doc, const char *id, struct diag *d)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json_doc_root(doc), "id");

	if (!item || (cJSON_IsString(item) && strcmp(item->valuestring, id) == 0))
		return true;
	diag_fail(d, "the id must be the file's name, \"%s\"", id);
	diag_allowed(d, (const char *const[]){id, NULL});
	diag_path(d, "id");
	json_doc_locate(doc, item, d);
	return false;
}

static bool add_file(struct shelf *s, const char *folder, const char *name, struct diag *d)
{
	char *path = xasprintf("%s/%s", folder, name);
	char *id = xasprintf("%.*s", (int)(strlen(name) - strlen(".json")), name);
	struct json_doc *doc = NULL;
	bool good = true;

	if (!by_id(s, id)) {
		doc = json_doc_read(path, d);
		good = doc && check_id(doc, id, d);
	}
	if (doc && good)
		add_entry(s, id, doc);
	else
		json_doc_del(doc);
	free(path);
	free(id);
	return good;
}

/* Adds what a folder holds of one kind; *found if it is there. */
static bool add_folder(struct shelf *s, const char *folder, bool *found, struct diag *d)
{
	char **names = folder_list(folder, ".json");
	bool good = true;

	if (!names)
		return true;
	*found = true;
	for (char **name = names; *name; name++) {
		good = good && add_file(s, folder, *name, d);
		free(*name);
	}
	free(names);
	return good;
}

static void note_price_book(struct catalog *c, const char *top)
{
	char *path = xasprintf("%s/gpus/prices/book.csv", top);

	if (!c->price_book && access(path, F_OK) == 0)
		c->price_book = path;
	else
		free(path);
}

/* A folder that holds nothing of the kind is a mistake; `advice` ends the message. */
static bool add_top(struct catalog *c, const char *top, const char *advice, struct diag *d)
{
	bool found = false, good = true;

	for (int kind = 0; kind < CATALOG_KINDS; kind++)
		for (const char *const *below = places[kind]; good && *below; below++) {
			char *folder = xasprintf("%s/%s", top, *below);

			good = add_folder(&c->shelf[kind], folder, &found, d);
			free(folder);
		}
	note_price_book(c, top);
	if (found || !good)
		return good;
	diag_fail(d, "no catalogue: it holds none of the folders gpus, models, engines%s", advice);
	diag_at(d, top, 0, 0);
	return false;
}

static int by_entry_id(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->id, ((const struct entry *)b)->id);
}

static void sort_shelf(struct shelf *s)
{
	if (s->count)
		qsort(s->entry, s->count, sizeof(*s->entry), by_entry_id);
	s->listed = s->count;
}

struct catalog *catalog_new(const char *const *folders, const char *data_dir, struct diag *d)
{
	struct catalog *c = xcalloc(1, sizeof(*c));
	bool good = true;

	for (; good && folders && *folders; folders++)
		good = add_top(c, *folders, "", d);
	if (good && data_dir)
		good = add_top(c, data_dir, "; INFERCAP_DATA names one that does", d);
	for (int kind = 0; kind < CATALOG_KINDS; kind++)
		sort_shelf(&c->shelf[kind]);
	if (!c->price_book)
		c->price_book = xasprintf("%s/gpus/prices/book.csv", data_dir ? data_dir : ".");
	if (good)
		return c;
	catalog_del(c);
	return NULL;
}

static void free_entry(struct entry *e)
{
	record_texts_free(&e->ignored);
	free(e->id);
	json_doc_del(e->doc);
}

void catalog_del(struct catalog *c)
{
	if (!c)
		return;
	for (int kind = 0; kind < CATALOG_KINDS; kind++) {
		struct shelf *s = &c->shelf[kind];

		for (size_t i = 0; i < s->count; i++)
			free_entry(&s->entry[i]);
		free(s->entry);
	}
	free(c->price_book);
	free(c);
}

size_t catalog_count(const struct catalog *c, enum catalog_kind kind)
{
	return c->shelf[kind].listed;
}

const char *catalog_id(const struct catalog *c, enum catalog_kind kind, size_t i)
{
	BUG_IF(i >= c->shelf[kind].listed);
	return c->shelf[kind].entry[i].id;
}

const char *catalog_price_book(const struct catalog *c)
{
	return c->price_book;
}

/* Reads a config.json once for the keys that it ignores. */
static bool try_foreign(struct entry *e, struct diag *d)
{
	struct model m;
	bool good;

	record_init(&model_record, &m);
	good = hf_config_read(&m, e->doc, &e->ignored, d);
	record_free(&model_record, &m);
	return good;
}

const struct record_list *catalog_ignored(const struct catalog *c, enum catalog_kind kind,
					  const char *id)
{
	const struct entry *e = by_id(&c->shelf[kind], id);

	BUG_IF(!e);
	return &e->ignored;
}

/* A whole question where a part of one is asked for: true with d filled. */
static bool is_scenario(const struct json_doc *doc, enum catalog_kind kind, struct diag *d)
{
	const cJSON *root = json_doc_root(doc);

	if (!cJSON_GetObjectItemCaseSensitive(root, "traffic") &&
	    !cJSON_GetObjectItemCaseSensitive(root, "gpus"))
		return false;
	json_doc_locate(doc, root, d);
	diag_found(d, "a scenario");
	diag_fail(d, "this is a scenario, not %s", catalog_kind_phrases[kind]);
	return true;
}

void catalog_blame(const struct catalog *c, enum catalog_kind kind, const char *id, const char *key,
		   struct diag *d)
{
	const struct entry *e = by_id(&c->shelf[kind], id);
	const cJSON *item;

	BUG_IF(!e);
	if (!e->apart)
		return;
	item = e->foreign ? hf_config_find(json_doc_root(e->doc), key) : member(e, key);
	if (!item)
		return;
	json_doc_locate(e->doc, item, d);
	diag_path(d, item->string);
}

const char *catalog_add_file(struct catalog *c, enum catalog_kind kind, const char *path,
			     struct diag *d)
{
	struct shelf *s = &c->shelf[kind];
	const struct entry *known = by_id(s, path);
	struct json_doc *doc = known ? NULL : json_doc_read(path, d);
	struct entry *e;

	if (known)
		return known->id;
	if (!doc)
		return NULL;
	e = add_entry(s, path, doc);
	e->apart = true;
	if (is_scenario(doc, kind, d))
		return NULL;
	e->foreign = kind == CATALOG_MODEL && hf_config_is(json_doc_root(doc));
	return !e->foreign || try_foreign(e, d) ? e->id : NULL;
}

/* ---- finding ---- */

typedef bool match(const struct entry *e, const char *name);

static bool is_id(const struct entry *e, const char *name)
{
	return short_form_is_id(name, e->id);
}

/* Whether one of the entry's aliases is the name, as `same` compares. */
static bool has_alias(const struct entry *e, const char *name,
		      bool (*same)(const char *name, const char *alias))
{
	const cJSON *aliases = member(e, "aliases");

	if (cJSON_IsString(aliases))
		return same(name, aliases->valuestring);
	for (const cJSON *alias = aliases ? aliases->child : NULL; alias; alias = alias->next)
		if (cJSON_IsString(alias) && same(name, alias->valuestring))
			return true;
	return false;
}

static bool is_alias(const struct entry *e, const char *name)
{
	return has_alias(e, name, short_form_is_id);
}

/* As the card's tools or the model's authors write it: "A100 SXM4 80GB". */
static bool is_name(const struct entry *e, const char *name)
{
	const char *own = text_member(e, "name");

	return own && short_form_is_id(name, own);
}

static bool is_full_hf(const struct entry *e, const char *name)
{
	const char *hf_id = text_member(e, "hf_id");

	return hf_id && strcasecmp(name, hf_id) == 0;
}

static bool is_hf(const struct entry *e, const char *name)
{
	const char *hf_id = text_member(e, "hf_id");

	return (hf_id && short_form_is_hf(name, hf_id)) || short_form_is_hf(name, e->id) ||
	       has_alias(e, name, short_form_is_hf);
}

static bool is_short(const struct entry *e, const char *name)
{
	return short_form_matches(name, e->id);
}

/* The ids that match, NULL-terminated; release with free(). */
static const char **matches(const struct shelf *s, match *matching, const char *name)
{
	const char **ids = xcalloc(s->count + 1, sizeof(*ids));
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (!s->entry[i].apart && matching(&s->entry[i], name))
			ids[n++] = s->entry[i].id;
	return ids;
}

static void fail_ambiguous(enum catalog_kind kind, const char *name, const char **ids,
			   struct diag *d)
{
	diag_found(d, name);
	diag_allowed(d, ids);
	diag_fail(d, "\"%s\" means more than one %s: %s", name, kind_names[kind], d->allowed);
}

/* The id cut to as many parts between dashes as the name has: "l5" is to be compared with "l4", not
 * "l4-24gb". */
static char *cut_like(const char *id, const char *name)
{
	const char *end = id;

	for (; *name; name++)
		if (*name == '-' && *end) {
			end += strcspn(end, "-");
			end += *end == '-';
		}
	end += strcspn(end, "-");
	return xasprintf("%.*s", (int)(end - id), id);
}

/* Index of the first id that the name resembles, or -1. */
static int resembling_id(const char *const *ids, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (short_form_resembles(name, ids[i]))
			return (int)i;
	return -1;
}

/* Index of the id whose leading parts are nearest to the name, or -1. */
static int nearest_id(const char *const *ids, size_t n, const char *name)
{
	const char *nearest;
	char **cut = xcalloc(n + 1, sizeof(*cut));
	int index = -1;

	for (size_t i = 0; i < n; i++)
		cut[i] = cut_like(ids[i], name);
	nearest = diag_nearest(name, (const char *const *)cut);
	for (size_t i = 0; i < n; i++) {
		if (nearest == cut[i])
			index = (int)i;
	}
	for (size_t i = 0; i < n; i++)
		free(cut[i]);
	free(cut);
	return index;
}

static void suggest(const char *const *ids, int index, struct diag *d)
{
	if (index >= 0 && !d->nearest[0])
		snprintf(d->nearest, sizeof(d->nearest), "%s", ids[index]);
}

static void fail_unknown(const struct shelf *s, enum catalog_kind kind, const char *name,
			 struct diag *d)
{
	const char **ids = xcalloc(s->listed + 1, sizeof(*ids)), *slash = strrchr(name, '/');
	const char *core = slash ? slash + 1 : short_form_without_vendor(name);

	for (size_t i = 0; i < s->listed; i++)
		ids[i] = s->entry[i].id;
	suggest(ids, resembling_id(ids, s->listed, core), d);
	diag_unknown(d, kind_names[kind], name, ids);
	suggest(ids, nearest_id(ids, s->listed, core), d);
	free(ids);
}

/* The one id that a way of matching finds; NULL: none, or several with d filled. */
static const char *match_one(const struct shelf *s, enum catalog_kind kind, match *matching,
			     const char *name, struct diag *d)
{
	const char **ids = matches(s, matching, name);
	const char *id = ids[0];

	if (id && ids[1]) {
		fail_ambiguous(kind, name, ids, d);
		id = NULL;
	}
	free(ids);
	return id;
}

/* Engines that have a name but no figures yet; "tensorrt" must not be read as tensorrt-llm. */
static bool is_later_engine(const char *name)
{
	static const char *const later[] = {"triton", "tensorrt"};

	for (size_t i = 0; i < COUNT(later); i++)
		if (short_form_is_id(name, later[i]))
			return true;
	return false;
}

/* A name that is known and has no entry yet: true with d filled. */
static bool is_later(enum catalog_kind kind, const char *name, struct diag *d)
{
	const char *model = kind == CATALOG_MODEL ? oneshot_models_find(name) : NULL;

	if (model)
		diag_fail(d, "%s is a one-shot model, not in this version", model);
	else if (kind == CATALOG_ENGINE && is_later_engine(name))
		diag_fail(d, "the engine %s is not in this version", name);
	else
		return false;
	diag_found(d, name);
	return true;
}

const char *catalog_find(const struct catalog *c, enum catalog_kind kind, const char *name,
			 struct diag *d)
{
	static match *const ways[] = {is_id, is_alias, is_full_hf, is_name, is_hf, is_short};
	const struct shelf *s = &c->shelf[kind];
	const char *core = kind == CATALOG_GPU ? short_form_without_vendor(name) : name;
	const char *id = NULL;

	for (size_t i = 0; i < COUNT(ways) && !id && !d->set; i++)
		if (ways[i] != is_short || kind != CATALOG_ENGINE || !is_later_engine(core))
			id = match_one(s, kind, ways[i], core, d);
	if (id || d->set)
		return id;
	if (kind == CATALOG_GPU && short_form_has_count(core))
		diag_fail(
			d,
			"\"%s\" is not the name of a GPU; a count goes with replace --from N:GPU, "
			"elsewhere deployment.replicas and deployment.tensor_parallel say it",
			name);
	else if (!is_later(kind, core, d))
		fail_unknown(s, kind, name, d);
	return NULL;
}

/* ---- reading ---- */

/* The entries being read, from a base to what stands on it: a circle shows here. */
struct chain {
	const struct entry *entry;
	const struct chain *above;
};

static bool fail_circle(const struct chain *chain, const cJSON *base, struct diag *d)
{
	const struct entry *e = chain->entry;
	char path[512];

	snprintf(path, sizeof(path), "%s", base->valuestring);
	for (; chain; chain = chain->above)
		text_add(path, sizeof(path), " <- %s", chain->entry->id);
	diag_fail(d, "the bases go in a circle: %s", path);
	diag_path(d, "base");
	json_doc_locate(e->doc, base, d);
	return false;
}

static bool read_chain(const struct catalog *c, enum catalog_kind kind, const struct chain *chain,
		       void *object, struct record_places *p, struct diag *d);

/* The id that an entry stands on: its `base`; an engine without one stands on vllm. NULL: none, or
 * d filled. */
static const char *base_of(const struct catalog *c, enum catalog_kind kind, const struct entry *e,
			   struct diag *d)
{
	const cJSON *base = member(e, "base");
	const char *id;

	if (!base)
		return kind == CATALOG_ENGINE && strcmp(e->id, "vllm") != 0 &&
				       by_id(&c->shelf[kind], "vllm")
			       ? "vllm"
			       : NULL;
	if (cJSON_IsString(base)) {
		id = catalog_find(c, kind, base->valuestring, d);
		if (id)
			return id;
	}
	diag_fail(d, "must be the id of %s", catalog_kind_phrases[kind]);
	diag_path(d, "base");
	json_doc_locate(e->doc, base, d);
	return NULL;
}

static bool read_base(const struct catalog *c, enum catalog_kind kind, const struct chain *chain,
		      void *object, struct record_places *p, struct diag *d)
{
	const char *base = base_of(c, kind, chain->entry, d);
	struct chain below = {base ? by_id(&c->shelf[kind], base) : NULL, chain};

	if (!base)
		return !d->set;
	BUG_IF(!below.entry);
	for (const struct chain *link = chain; link; link = link->above)
		if (link->entry == below.entry)
			return fail_circle(chain, member(chain->entry, "base"), d);
	return read_chain(c, kind, &below, object, p, d);
}

/* The name of a file apart: without its ending; of a config.json its folder's, which is the
 * model's. */
static char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *end = path + strlen(path) - strlen(".json");

	if (slash && slash > path && strcmp(name, "config.json") == 0) {
		end = slash;
		for (name = slash; name > path && name[-1] != '/'; name--)
			;
	}
	return xasprintf("%.*s", (int)(end - name), name);
}

/* Whatever a base said: the entry's own id, or the name of a file apart. */
static void set_id(const struct entry *e, enum catalog_kind kind, void *object)
{
	const char *id = text_member(e, "id");
	char **to = catalog_object_id(kind, object);

	free(*to);
	if (id || !e->apart)
		*to = xstrdup(id ? id : e->id);
	else
		*to = name_of_file(e->id);
}

/* What it lacks is missed at its beginning. */
static bool read_foreign(const struct entry *e, void *object, struct record_places *p,
			 struct diag *d)
{
	int line, column;

	json_doc_place(e->doc, json_doc_root(e->doc), &line, &column);
	record_places_set(p, "", line, column);
	return hf_config_read(object, e->doc, NULL, d);
}

static bool read_chain(const struct catalog *c, enum catalog_kind kind, const struct chain *chain,
		       void *object, struct record_places *p, struct diag *d)
{
	static const char *const extra[] = {"base", NULL};
	const struct entry *e = chain->entry;
	const struct record_reader in = {.doc = e->doc,
					 .prefix = "",
					 .origin = kind == CATALOG_GPU ? ORIGIN_DATASHEET
								       : ORIGIN_GIVEN,
					 .allow_unbuilt = true,
					 .extra_keys = extra,
					 .places = p,
					 .d = d};

	if (!cJSON_IsObject(json_doc_root(e->doc))) {
		json_doc_locate(e->doc, json_doc_root(e->doc), d);
		return diag_fail(d, "%s is described by an object", catalog_kind_phrases[kind]);
	}
	if (!e->foreign && !read_base(c, kind, chain, object, p, d))
		return false;
	record_places_layer(p, json_doc_name(e->doc), "");
	if (!(e->foreign ? read_foreign(e, object, p, d)
			 : record_read_layer(&in, catalog_record(kind), object,
					     json_doc_root(e->doc))))
		return false;
	set_id(e, kind, object);
	return true;
}

bool catalog_read_over(const struct catalog *c, enum catalog_kind kind, const char *id,
		       void *object, struct record_places *p, struct diag *d)
{
	struct chain chain = {by_id(&c->shelf[kind], id), NULL};

	BUG_IF(!chain.entry);
	return read_chain(c, kind, &chain, object, p, d);
}

bool catalog_read(const struct catalog *c, enum catalog_kind kind, const char *id, void *object,
		  struct diag *d)
{
	const struct record *r = catalog_record(kind);
	struct record_places p;
	bool good;

	record_places_init(&p);
	record_init(r, object);
	good = catalog_read_over(c, kind, id, object, &p, d) &&
	       record_finish_layers(r, object, &p, "", d);
	if (good && kind == CATALOG_MODEL)
		model_settle(object);
	if (!good)
		record_free(r, object);
	record_places_free(&p);
	return good;
}
