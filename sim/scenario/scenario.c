/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "scenario/engine_flags.h"
#include "scenario/layers.h"
#include "scenario/owned_machine.h"
#include "scenario/units_text.h"
#include "serve/router_kind.h"

/* No run may last longer in simulated time: a tick is good for 4 years. */
static const double span_max_s = 1e8;

#define PART(NAME, OF, HELP)                                                                       \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_RECORD, .offset = offsetof(struct scenario, NAME),     \
		.of = (OF), .help = (HELP)                                                         \
	}

/* `model`, `gpus`, `pools` and `engine` stand on the catalogue: layers.c reads them. */
static const struct field fields[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct scenario, name),
	 .help = "for people"},
	PART(precision, &precision_record, "what weights, activations and KV cache are stored in"),
	PART(deployment, &deployment_record, "how many units of how many GPUs, and their router"),
	PART(traffic, &traffic_record, "the offered load"),
	PART(slo, &slo_record, "limits that must hold"),
	PART(prices, &price_wish_record, "of whom the GPUs are rented"),
	{.key = "speculation", .kind = FIELD_LIST, .flags = FIELD_NOT_YET},
};

const struct record scenario_record = {
	.name = "scenario",
	.size = sizeof(struct scenario),
	.fields = COUNT(fields),
	.field = fields,
};

void scenario_locate(const struct scenario *s, struct diag *d)
{
	record_places_locate(&s->places, d->path, d);
}

static bool fail_at(const struct scenario *s, const char *path, struct diag *d)
{
	diag_path(d, path);
	record_places_locate(&s->places, path, d);
	return false;
}

/* ---- what stands on the catalogue ---- */

static bool require(const struct scenario *s, bool there, const char *key, struct diag *d)
{
	if (there)
		return true;
	diag_fail(d, "%s is required", key);
	return fail_at(s, key, d);
}

static bool read_candidate(struct scenario *s, const struct pile *pile, struct catalog *c,
			   struct diag *d)
{
	struct candidate *to = &s->candidate[s->candidates];
	const char *base;

	if (!pile_read(pile, c, &to->gpu, NULL, &base, d))
		return false;
	s->candidates++;
	to->price_override = (double)NAN;
	to->shown = to->gpu.id;
	to->gpu.id = xstrdup(base ? base : to->shown); /* what the price book calls it */
	return true;
}

static bool read_candidates(struct scenario *s, const struct layers *l, struct catalog *c,
			    struct diag *d)
{
	s->candidate = xcalloc(l->gpus, sizeof(*s->candidate));
	for (size_t i = 0; i < l->gpus; i++)
		if (!read_candidate(s, &l->gpu[i], c, d))
			return false;
	return true;
}

/* Two results must not bear one name. */
static bool check_candidates(const struct scenario *s, const struct layers *l, struct diag *d)
{
	for (size_t i = 1; i < s->candidates; i++)
		for (size_t j = 0; j < i; j++) {
			const struct pile *pile = &l->gpu[i];

			if (strcmp(s->candidate[i].shown, s->candidate[j].shown) != 0)
				continue;
			diag_found(d, s->candidate[i].shown);
			diag_fail(d, "%s stands twice in gpus; an override may have an id",
				  s->candidate[i].shown);
			json_doc_locate(pile->layer[0].doc, pile->layer[0].item, d);
			diag_path(d, pile->layer[0].prefix);
			return false;
		}
	return true;
}

/* "4 l4-24gb + 1 a100-sxm-80gb" */
static char *fleet_text(const struct scenario *s)
{
	char text[1024] = "";

	for (size_t i = 0; i < s->pools; i++)
		units_text_add(text, sizeof(text), s->pool[i].replicas, s->pool[i].tensor_parallel,
			       s->pool[i].candidate.shown);
	return xstrdup(text);
}

/* Pools name their GPUs and how many there are. */
static bool check_pools_alone(const struct scenario *s, const struct layers *l, struct diag *d)
{
	static const char *const counts[] = {"deployment.replicas", "deployment.tensor_parallel",
					     "deployment.pipeline_parallel"};

	if (l->gpus) {
		const struct pile_layer *gpu = &l->gpu[0].layer[0];

		diag_fail(d, "the scenario's pools name their GPUs: set pools[0].gpu, or leave "
			     "pools out");
		return json_doc_blame(gpu->doc, gpu->item, gpu->prefix, d);
	}
	for (size_t i = 0; i < 3; i++)
		if (record_places_get(&s->places, counts[i])) {
			diag_fail(d, "each pool has its own: set pools[0].%s",
				  strchr(counts[i], '.') + 1);
			return fail_at(s, counts[i], d);
		}
	return true;
}

static bool read_pools(struct scenario *s, const struct layers *l, struct catalog *c,
		       struct diag *d)
{
	if (!check_pools_alone(s, l, d))
		return false;
	s->pool = xcalloc(l->pools, sizeof(*s->pool));
	while (s->pools < l->pools) {
		size_t i = s->pools++;

		if (!pool_pile_read(&l->pool[i], &l->engine, c, &s->pool[i], d))
			return false;
	}
	s->candidates = 1;
	s->candidate = xcalloc(1, sizeof(*s->candidate));
	record_init(&gpu_record, &s->candidate->gpu);
	s->candidate->price_override = (double)NAN;
	s->candidate->shown = fleet_text(s);
	return true;
}

struct candidate *scenario_gpu(const struct scenario *s, size_t i)
{
	if (s->pools)
		return i < s->pools ? &s->pool[i].candidate : NULL;
	return i < s->candidates ? &s->candidate[i] : NULL;
}

/* Takes a copy: the catalogue goes. */
static void keep_ignored(struct scenario *s, const struct record_list *keys)
{
	char *const *key = keys->data;

	for (size_t i = 0; i < keys->count; i++)
		record_texts_add(&s->ignored, xstrdup(key[i]));
}

/* Never simulated as something that it is not. */
static bool check_served(const struct scenario *s, const struct pile *pile, const struct catalog *c,
			 const char *base, struct diag *d)
{
	const char *why = model_refusal(&s->model);
	const struct pile_layer *newest = &pile->layer[pile->layers - 1];

	if (!why)
		return true;
	diag_fail(d, "%s is refused: %s", s->model.id, why);
	if (base)
		catalog_blame(c, CATALOG_MODEL, base, model_refusal_key(&s->model), d);
	json_doc_locate(newest->doc, newest->item, d);
	return fail_at(s, "model", d);
}

static bool read_model(struct scenario *s, struct layers *l, struct catalog *c, struct diag *d)
{
	const char *base;

	if (!pile_read(&l->model, c, &s->model, NULL, &base, d))
		return false;
	if (base)
		keep_ignored(s, catalog_ignored(c, CATALOG_MODEL, base));
	return check_served(s, &l->model, c, base, d);
}

static bool read_piles(struct scenario *s, struct layers *l, struct catalog *c, struct diag *d)
{
	const char *base;

	return read_model(s, l, c, d) &&
	       pile_read(&l->engine, c, &s->engine, engine_flag_names, &base, d) &&
	       (l->pools ? read_pools(s, l, c, d)
			 : read_candidates(s, l, c, d) && check_candidates(s, l, d));
}

/* ---- rules across keys ---- */

/* A trace gives arrivals and lengths: what the same or a later layer says of them would be lost. */
static bool check_trace(const struct scenario *s, struct diag *d)
{
	static const char *const others[] = {"traffic.arrivals", "traffic.input", "traffic.output"};
	const struct record_place *trace = record_places_newest(&s->places, "traffic.trace");

	for (size_t i = 0; s->traffic.trace && trace && i < 3; i++) {
		const struct record_place *other = record_places_newest(&s->places, others[i]);

		if (!other || other->layer < trace->layer)
			continue;
		diag_fail(d, "the trace gives arrivals and lengths: scale it by traffic.rate_scale "
			     "or traffic.rate, or leave it out");
		return fail_at(s, other->path, d);
	}
	return true;
}

static double requests_of(const struct scenario *s)
{
	int64_t n = s->traffic.requests;

	return (double)(n == RECORD_INT_UNSET ? slo_auto_requests(&s->slo) : n);
}

/* What was said last of an object: there the user has a hand on it. */
static const char *newest_path(const struct scenario *s, const char *path)
{
	const struct record_place *place = record_places_newest(&s->places, path);

	return place ? place->path : path;
}

static bool check_span(const struct scenario *s, struct diag *d)
{
	double rate = s->facts.rate_rps, n = requests_of(s);

	if (s->traffic.trace)
		n = (double)s->facts.requests;
	if (isnan(rate) || n <= span_max_s * rate)
		return true;
	diag_fail(d,
		  "%.10g requests at %g a second last %.3g s; at most 1e8 s (3 years) can be run",
		  n, rate, n / rate);
	return fail_at(s, newest_path(s, s->traffic.trace ? "traffic" : "traffic.arrivals"), d);
}

static bool check_warmup(const struct scenario *s, struct diag *d)
{
	const struct traffic *t = &s->traffic;

	if (t->requests == RECORD_INT_UNSET || t->warmup == RECORD_INT_UNSET ||
	    t->warmup < t->requests)
		return true;
	diag_fail(d, "a warm-up of %lld requests leaves none of %lld", (long long)t->warmup,
		  (long long)t->requests);
	return fail_at(s, "traffic.warmup", d);
}

static bool check_trace_file(const struct scenario *s, struct diag *d)
{
	if (!s->traffic.trace || access(s->traffic.trace, R_OK) == 0)
		return true;
	diag_found(d, s->traffic.trace);
	diag_fail(d, "the trace %s cannot be opened: %s", s->traffic.trace, strerror(errno));
	return fail_at(s, "traffic.trace", d);
}

/* ---- the table of the length-aware router ---- */

static bool fail_class(const struct scenario *s, size_t class, const char *key, struct diag *d)
{
	char path[64];

	snprintf(path, sizeof(path), "deployment.length_shares[%zu].%s", class, key);
	if (!record_places_get(&s->places, path))
		snprintf(path, sizeof(path), "deployment.length_shares[%zu]", class);
	return fail_at(s, path, d);
}

/* One share a pool, together 1. */
static bool check_shares(const struct scenario *s, size_t class, struct diag *d)
{
	const struct length_share *of = s->deployment.length_shares.data;
	const struct record_list *shares = &of[class].shares;
	double sum = 0;

	for (size_t i = 0; i < shares->count; i++)
		sum += ((const double *)shares->data)[i];
	if (shares->count != s->pools)
		diag_fail(d, "has %zu shares, there are %zu pools", shares->count, s->pools);
	else if (fabs(sum - 1) > 1e-6)
		diag_fail(d, "the shares of a class sum to 1, these to %g", sum);
	return !d->set || fail_class(s, class, "shares", d);
}

/* Classes rise, and the last one has no end. */
static bool check_class(const struct scenario *s, size_t class, struct diag *d)
{
	const struct length_share *of = s->deployment.length_shares.data;
	bool last = class + 1 == s->deployment.length_shares.count;
	int64_t max = of[class].input_max;

	if (last && max != RECORD_INT_UNSET)
		diag_fail(d, "the last class takes all longer prompts: it has no input_max");
	else if (!last && max == RECORD_INT_UNSET)
		diag_fail(d, "input_max is required in all but the last class");
	else if (!last && class && max <= of[class - 1].input_max)
		diag_fail(d, "input_max must be above that of the class before");
	if (d->set)
		return fail_class(s, class, "input_max", d);
	return check_shares(s, class, d);
}

static bool check_length_shares(const struct scenario *s, struct diag *d)
{
	const struct deployment *p = &s->deployment;

	if (!p->length_shares.count)
		return true;
	if (!s->pools)
		diag_fail(d, "length_shares divides prompts over pools: there are none");
	else if (router_kinds[p->router] != &router_length_aware)
		diag_fail(d, "length_shares is read by the router length-aware alone");
	if (d->set)
		return fail_at(s, "deployment.length_shares", d);
	for (size_t i = 0; i < p->length_shares.count; i++)
		if (!check_class(s, i, d))
			return false;
	return true;
}

static bool check_all(struct scenario *s, struct diag *d)
{
	if (!check_trace(s, d) || !check_trace_file(s, d) ||
	    !record_finish_layers(&scenario_record, s, &s->places, "", d) || !check_warmup(s, d) ||
	    !check_length_shares(s, d))
		return false;
	return traffic_facts(&s->traffic, &s->facts, d) && check_span(s, d);
}

/* ---- --price ---- */

static bool fail_price(const char *text, const char *message, struct diag *d)
{
	char *name = xasprintf("--price %s", text);

	diag_fail(d, "%s", message);
	diag_at(d, name, 1, 1);
	free(name);
	return false;
}

/* None of the candidates has the name. */
static bool fail_priced(const struct scenario *s, const char *text, const char *name,
			struct diag *d)
{
	const char **shown = xcalloc(s->candidates + s->pools + 1, sizeof(*shown));
	const struct candidate *c;

	for (size_t i = 0; (c = scenario_gpu(s, i)) != NULL; i++)
		shown[i] = c->shown;
	diag_found(d, name);
	diag_allowed(d, shown);
	free(shown);
	return fail_price(text, "no such GPU among those asked for", d);
}

static bool set_price(struct scenario *s, const struct catalog *c, const char *text, struct diag *d)
{
	const char *equals = strrchr(text, '='), *id;
	struct diag ignored = {0};
	double usd;
	char *end, *name;
	bool found = false;

	if (!equals || equals == text)
		return fail_price(text, "takes GPU=USD, as in l4=0.80", d);
	usd = strtod(equals + 1, &end);
	if (end == equals + 1 || *end || !(usd > 0) || !isfinite(usd))
		return fail_price(text, "the price must be a number of dollars an hour above 0", d);
	name = xasprintf("%.*s", (int)(equals - text), text);
	id = catalog_find(c, CATALOG_GPU, name, &ignored);
	struct candidate *to;

	for (size_t i = 0; (to = scenario_gpu(s, i)) != NULL; i++) {
		if (strcasecmp(to->shown, name) != 0 && (!id || strcmp(to->gpu.id, id) != 0))
			continue;
		to->price_override = usd;
		found = true;
	}
	if (!found)
		fail_priced(s, text, name, d);
	free(name);
	return found;
}

static bool set_prices(struct scenario *s, const struct catalog *c, const char *const *prices,
		       struct diag *d)
{
	for (; prices && *prices; prices++)
		if (!set_price(s, c, *prices, d))
			return false;
	return true;
}

/* ---- prices.owned ---- */

static void replace_text(char **text, const char *by)
{
	char *copy = xstrdup(by);

	free(*text);
	*text = copy;
}

/* Whether the file's own `gpus` has an override of that id, which --gpu replaced. */
static bool is_left_out(const struct layers *l, const char *name)
{
	const cJSON *gpus = cJSON_GetObjectItemCaseSensitive(json_doc_root(l->file), "gpus");
	const cJSON *gpu;

	cJSON_ArrayForEach(gpu, gpus)
	{
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(gpu, "id"));

		if (id && strcasecmp(id, name) == 0)
			return true;
	}
	return false;
}

/* The machine's GPU by the name that its candidates are priced by. One that is named as `gpus`
 * shows it is priced apart from the others of its base: bought against rented. */
static bool name_owned(struct scenario *s, const struct layers *l, const struct catalog *c,
		       struct owned_machine *m, struct diag *d)
{
	struct candidate *to;

	for (size_t i = 0; (to = scenario_gpu(s, i)) != NULL; i++) {
		if (strcasecmp(to->shown, m->gpu) != 0)
			continue;
		replace_text(&to->gpu.id, to->shown);
		replace_text(&m->gpu, to->shown);
		return true;
	}
	if (is_left_out(l, m->gpu))
		return true;
	const char *id = catalog_find(c, CATALOG_GPU, m->gpu, d);
	if (id)
		replace_text(&m->gpu, id);
	return id;
}

static bool name_all_owned(struct scenario *s, const struct layers *l, const struct catalog *c,
			   struct diag *d)
{
	struct owned_machine *m = s->prices.owned.data;
	char path[64];

	for (size_t i = 0; i < s->prices.owned.count; i++) {
		if (name_owned(s, l, c, &m[i], d))
			continue;
		snprintf(path, sizeof(path), "prices.owned[%zu].gpu", i);
		return fail_at(s, path, d);
	}
	return true;
}

static void settle_providers(struct price_wish *wish)
{
	char **name = wish->providers.data;

	for (size_t i = 0; i < wish->providers.count; i++)
		wish->all_providers = wish->all_providers || strcasecmp(name[i], "all") == 0;
}

/* ---- the scenario of a result ---- */

/* Texts about the data, which belong to the catalogue's own commands. */
static const char *const left_out[] = {"given",	  "notes",	"sources",	    "unsure",
				       "aliases", "confidence", "params_published", NULL};

static void prune(cJSON *object)
{
	cJSON *next;

	for (cJSON *item = object->child; item; item = next) {
		next = item->next;
		prune(item);
		if (cJSON_IsNull(item))
			cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
	}
}

static cJSON *catalog_json(const struct record *r, const void *object)
{
	cJSON *json = record_to_json(r, object);

	for (const char *const *key = left_out; *key; key++)
		cJSON_DeleteItemFromObjectCaseSensitive(json, *key);
	return json;
}

static cJSON *gpu_json(const struct candidate *c)
{
	cJSON *gpu = catalog_json(&gpu_record, &c->gpu);

	cJSON_ReplaceItemInObjectCaseSensitive(gpu, "id", cJSON_CreateString(c->shown));
	return gpu;
}

static cJSON *gpus_json(const struct scenario *s)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < s->candidates; i++)
		cJSON_AddItemToArray(list, gpu_json(&s->candidate[i]));
	return list;
}

/* Keys of an engine stand in the pool itself, as they are written. */
static void add_engine_keys(cJSON *pool, const struct engine *e)
{
	cJSON *keys = catalog_json(&engine_record, e);

	cJSON_DeleteItemFromObjectCaseSensitive(keys, "id");
	cJSON_DeleteItemFromObjectCaseSensitive(keys, "name");
	while (keys->child) {
		cJSON *key = cJSON_DetachItemViaPointer(keys, keys->child);

		cJSON_AddItemToObject(pool, key->string, key);
	}
	cJSON_Delete(keys);
}

static cJSON *pools_json(const struct scenario *s)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < s->pools; i++) {
		const struct pool *p = &s->pool[i];
		cJSON *pool = record_to_json(&pool_record, p);

		cJSON_AddItemToObject(pool, "gpu", gpu_json(&p->candidate));
		if (p->candidate.engine)
			add_engine_keys(pool, p->candidate.engine);
		cJSON_AddItemToArray(list, pool);
	}
	return list;
}

/* Pools have their own counts; a table that there is none of is no question. */
static void prune_deployment(const struct scenario *s, cJSON *json)
{
	static const char *const counts[] = {"replicas", "tensor_parallel", "pipeline_parallel"};

	for (size_t i = 0; s->pools && i < 3; i++)
		cJSON_DeleteItemFromObjectCaseSensitive(json, counts[i]);
	if (!s->deployment.length_shares.count)
		cJSON_DeleteItemFromObjectCaseSensitive(json, "length_shares");
}

/* What the trace or, without one, the laws say; the other keys are not part of the question. */
static void prune_traffic(const struct traffic *t, cJSON *json)
{
	static const char *const of_laws[] = {"arrivals", "input", "output", NULL};
	static const char *const of_trace[] = {"trace", "rate_scale", "rate", NULL};

	for (const char *const *key = t->trace ? of_laws : of_trace; *key; key++)
		cJSON_DeleteItemFromObjectCaseSensitive(json, *key);
}

static void move(cJSON *to, cJSON *from, const char *key)
{
	cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(from, key);

	if (item)
		cJSON_AddItemToObject(to, key, item);
}

static cJSON *resolve(const struct scenario *s)
{
	cJSON *plain = record_to_json(&scenario_record, s), *json = cJSON_CreateObject();

	prune_traffic(&s->traffic, cJSON_GetObjectItemCaseSensitive(plain, "traffic"));
	move(json, plain, "name");
	cJSON_AddItemToObject(json, "model", catalog_json(&model_record, &s->model));
	move(json, plain, "precision");
	prune_deployment(s, cJSON_GetObjectItemCaseSensitive(plain, "deployment"));
	if (s->pools)
		cJSON_AddItemToObject(json, "pools", pools_json(s));
	else
		cJSON_AddItemToObject(json, "gpus", gpus_json(s));
	move(json, plain, "deployment");
	cJSON_AddItemToObject(json, "engine", catalog_json(&engine_record, &s->engine));
	move(json, plain, "traffic");
	move(json, plain, "slo");
	move(json, plain, "prices");
	cJSON_Delete(plain);
	prune(json);
	return json;
}

/* ---- reading ---- */

static bool add_sets(struct layers *l, const char *option, const char *const *sets)
{
	for (; sets && *sets; sets++)
		if (!layers_add_set(l, option, *sets))
			return false;
	return true;
}

static bool add_layers(struct layers *l, const struct json_doc *doc,
		       const struct scenario_options *o, struct diag *d)
{
	if (!layers_add_file(l, doc) || !layers_add_gpus(l, o->gpus, o->gpus_option) ||
	    !add_sets(l, "--set", o->sets))
		return false;
	if (o->seed != RECORD_INT_UNSET)
		l->s->traffic.seed = o->seed;
	l->values_folder = o->points_folder;
	return add_sets(l, "--over", o->points) && require(l->s, l->model.layers, "model", d) &&
	       require(l->s, l->gpus || l->pools, "gpus", d) &&
	       require(l->s, record_places_newest(&l->s->places, "traffic"), "traffic", d);
}

static bool read_all(struct scenario *s, const struct scenario_source *from,
		     const struct scenario_options *o, struct diag *d)
{
	struct catalog *c = from->catalog;
	struct layers l;
	bool good;

	layers_init(&l, s, d);
	good = add_layers(&l, from->doc, o, d) && read_piles(s, &l, c, d) && check_all(s, d) &&
	       set_prices(s, c, o->prices, d) && name_all_owned(s, &l, c, d);
	layers_free(&l);
	if (!good)
		return false;
	settle_providers(&s->prices);
	s->resolved = resolve(s);
	return true;
}

bool scenario_source_open(struct scenario_source *from, const struct scenario_options *o,
			  struct diag *d)
{
	*from = (struct scenario_source){.catalog = catalog_new(o->catalog, o->data_dir, d)};
	if (!from->catalog)
		return false;
	from->doc = o->text ? json_doc_parse(o->file, o->text, d) : json_doc_read(o->file, d);
	if (from->doc)
		return true;
	scenario_source_close(from);
	return false;
}

void scenario_source_close(struct scenario_source *from)
{
	catalog_del(from->catalog);
	json_doc_del(from->doc);
	*from = (struct scenario_source){NULL};
}

struct scenario *scenario_read_from(const struct scenario_source *from,
				    const struct scenario_options *o, struct diag *d)
{
	struct scenario *s = xcalloc(1, sizeof(*s));

	s->file = xstrdup(o->file);
	record_places_init(&s->places);
	record_init(&scenario_record, s);
	if (read_all(s, from, o, d))
		return s;
	scenario_del(s);
	return NULL;
}

struct scenario *scenario_read(const struct scenario_options *o, struct diag *d)
{
	struct scenario_source from;
	struct scenario *s;

	if (!scenario_source_open(&from, o, d))
		return NULL;
	s = scenario_read_from(&from, o, d);
	scenario_source_close(&from);
	return s;
}

void scenario_del(struct scenario *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->candidates; i++) {
		record_free(&gpu_record, &s->candidate[i].gpu);
		free(s->candidate[i].shown);
	}
	free(s->candidate);
	for (size_t i = 0; i < s->pools; i++) {
		record_free(&gpu_record, &s->pool[i].candidate.gpu);
		free(s->pool[i].candidate.shown);
		record_free(&engine_record, &s->pool[i].engine);
		record_free(&pool_record, &s->pool[i]);
	}
	free(s->pool);
	record_free(&model_record, &s->model);
	record_free(&engine_record, &s->engine);
	record_free(&scenario_record, s);
	record_places_free(&s->places);
	cJSON_Delete(s->resolved);
	record_texts_free(&s->ignored);
	free(s->file);
	free(s);
}
