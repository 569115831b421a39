/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/pool_pile.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "scenario/engine_flags.h"

void pool_pile_init(struct pool_pile *p, size_t index)
{
	memset(p, 0, sizeof *p);
	record_init(&pool_record, &p->pool);
	pile_init(&p->gpu, CATALOG_GPU);
	pile_init(&p->engine, CATALOG_ENGINE);
	record_places_init(&p->places);
	snprintf(p->prefix, sizeof p->prefix, "pools[%zu]", index);
}

void pool_pile_free(struct pool_pile *p)
{
	record_free(&pool_record, &p->pool);
	pile_free(&p->gpu);
	pile_free(&p->engine);
	record_places_free(&p->places);
}

/* ---- the keys of a pool that are not its own ---- */

/* The keys of an engine that can be a pool's: not those that describe its file. NULL-terminated;
 * release with free(). */
static const char **foreign_keys(void)
{
	const struct record *part[] = {&engine_cost_record, &scheduling_record};
	const char **key = xcalloc(part[0]->fields + part[1]->fields + 2, sizeof *key);
	size_t n = 0;

	key[n++] = "gpu";
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < part[i]->fields; k++)
			key[n++] = part[i]->field[k].key;
	return key;
}

/* Whether the path is that key or below it. */
static bool starts(const char *path, const char *key)
{
	size_t length = strlen(key);

	return strncmp(path, key, length) == 0 && strchr(".[", path[length]) != NULL;
}

static bool is_foreign(const char *path)
{
	const char **key = foreign_keys();
	bool found = false;

	for (size_t i = 0; key[i] && !found; i++)
		found = starts(path, key[i]);
	free(key);
	return found;
}

static bool add_foreign(struct pool_pile *p, const struct json_doc *doc, const cJSON *item,
			const char *path, bool null_is_default, struct diag *d)
{
	char prefix[48];

	snprintf(prefix, sizeof prefix, "%s.gpu", p->prefix);
	if (strcmp(path, "gpu") == 0)
		return pile_add(&p->gpu, doc, item, prefix, null_is_default, d);
	if (starts(path, "gpu"))
		pile_add_key(&p->gpu, doc, item, prefix, path + strlen("gpu."), null_is_default);
	else
		pile_add_key(&p->engine, doc, item, p->prefix, path, null_is_default);
	return true;
}

/* ---- layers ---- */

static struct record_reader reader(struct pool_pile *p, const struct json_doc *doc,
				   const char *const *extra, struct diag *d)
{
	record_places_layer(&p->places, json_doc_name(doc), p->prefix);
	return (struct record_reader){.doc = doc,
				      .prefix = p->prefix,
				      .origin = ORIGIN_GIVEN,
				      .extra_keys = extra,
				      .places = &p->places,
				      .d = d};
}

bool pool_pile_add(struct pool_pile *p, const struct json_doc *doc, const cJSON *item,
		   bool null_is_default, struct diag *d)
{
	const char **extra = foreign_keys();
	struct record_reader in = reader(p, doc, extra, d);

	in.null_is_default = null_is_default;
	p->doc = doc;
	p->item = item;
	bool good = record_read_layer(&in, &pool_record, &p->pool, item);
	for (const cJSON *one = item->child; good && one; one = one->next)
		if (is_foreign(one->string))
			good = add_foreign(p, doc, one, one->string, null_is_default, d);
	free(extra);
	return good;
}

bool pool_pile_set(struct pool_pile *p, const struct json_doc *doc, const cJSON *item,
		   const char *path, struct diag *d)
{
	const char **extra = foreign_keys();
	struct record_reader in = reader(p, doc, extra, d);

	in.null_is_default = true;
	bool good = is_foreign(path) ? add_foreign(p, doc, item, path, true, d)
				     : record_set(&in, &pool_record, &p->pool, path, item);
	free(extra);
	return good;
}

/* ---- reading ---- */

static bool read_gpu(struct pool_pile *p, struct catalog *c, struct pool *pool, struct diag *d)
{
	struct candidate *to = &pool->candidate;
	const char *base;

	if (!p->gpu.layers) {
		diag_fail(d, "gpu is required");
		return json_doc_blame(p->doc, p->item, p->prefix, d);
	}
	if (!pile_read(&p->gpu, c, &to->gpu, NULL, &base, d))
		return false;
	to->price_override = (double)NAN;
	to->shown = to->gpu.id;
	to->gpu.id = xstrdup(base ? base : to->shown); /* what the price book calls it */
	return true;
}

static bool read_engine(const struct pool_pile *p, const struct pile *engine, struct catalog *c,
			struct pool *pool, struct diag *d)
{
	struct pile both;
	const char *base;

	if (!p->engine.layers)
		return true;
	pile_init(&both, CATALOG_ENGINE);
	pile_add_all(&both, engine);
	pile_add_all(&both, &p->engine);
	bool good = pile_read(&both, c, &pool->engine, engine_flag_names, &base, d);
	pile_free(&both);
	if (good)
		pool->candidate.engine = &pool->engine;
	return good;
}

bool pool_pile_read(struct pool_pile *p, const struct pile *engine, struct catalog *c,
		    struct pool *pool, struct diag *d)
{
	if (!record_finish_layers(&pool_record, &p->pool, &p->places, p->prefix, d))
		return false;
	*pool = p->pool;
	p->pool.name = NULL; /* the pool's now */
	return read_gpu(p, c, pool, d) && read_engine(p, engine, c, pool, d);
}
