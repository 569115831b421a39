/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/constants.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/xmalloc.h"
#include "roofline/llm_cost.h"

struct uses {
	struct constant_use *use;
	size_t n;
};

static void add(struct uses *u, struct constant_use use)
{
	if (isnan(use.figure->value))
		return;
	BUG_IF(u->n == CONSTANT_USES_MAX);
	u->use[u->n++] = use;
}

#define SHARE	  0.01, 1.0
#define SHARPNESS 1.0, 20.0
#define TIME_S	  0.0, 10.0
#define NO_TIME	  (double)NAN, (double)NAN

static const char *mfu_type(const struct gpu *g, const struct figure *mfu)
{
	for (int i = 0; i < COMPUTE_TYPES; i++)
		if (mfu == &g->mfu.of[i])
			return compute_type_names[i];
	return "all";
}

/* That of each type once. */
static void add_mfu(struct uses *u, const struct gpu *g, const struct precision_use *p)
{
	const enum compute_type types[] = {p->linear, p->expert, p->other};

	for (size_t i = 0; i < COUNT(types); i++) {
		const struct figure *mfu = gpu_mfu(g, types[i]);
		bool seen = false;

		for (size_t j = 0; j < u->n; j++)
			seen |= u->use[j].figure == mfu;
		if (!seen)
			add(u, (struct constant_use){"mfu", mfu_type(g, mfu), mfu, CONSTANT_OF_GPU,
						     SHARE, false});
	}
}

static void add_gpu(struct uses *u, const struct gpu *g, const struct precision_use *p)
{
	const struct constant_use uses[] = {
		{"mbu", NULL, &g->mbu, CONSTANT_OF_GPU, SHARE, false},
		{"amfu", NULL, &g->amfu, CONSTANT_OF_GPU, SHARE, false},
		{"ambu", NULL, &g->ambu, CONSTANT_OF_GPU, SHARE, false},
		{"p", NULL, &g->p, CONSTANT_OF_GPU, SHARPNESS, false},
		{"bandwidth_gbs", NULL, &g->bandwidth, CONSTANT_OF_GPU, NO_TIME, false},
		{"memory_gb", NULL, &g->memory, CONSTANT_OF_GPU, NO_TIME, false},
		{"tdp_w", NULL, &g->tdp_w, CONSTANT_OF_GPU, NO_TIME, false},
		{"idle_w", NULL, &g->idle_w, CONSTANT_OF_GPU, NO_TIME, false},
	};

	if (p->experts)
		add(u, (struct constant_use){"expert_share", NULL, &g->expert_share,
					     CONSTANT_OF_GPU, SHARE, false});
	for (size_t i = 0; i < COUNT(uses); i++)
		add(u, uses[i]);
}

static void add_engine(struct uses *u, const struct engine_cost *e)
{
	const struct constant_use uses[] = {
		{"layer_us", NULL, &e->layer, CONSTANT_OF_ENGINE, TIME_S, false},
		{"step_us", NULL, &e->step, CONSTANT_OF_ENGINE, TIME_S, false},
		{"request_us", NULL, &e->request, CONSTANT_OF_ENGINE, TIME_S, false},
		{"frontend_ms", NULL, &e->frontend, CONSTANT_OF_ENGINE, TIME_S, false},
		{"launch_us", NULL, &e->launch, CONSTANT_OF_ENGINE, TIME_S, false},
		{"host_seq_us", NULL, &e->host_seq, CONSTANT_OF_ENGINE, TIME_S, false},
		{"host_factor", NULL, &e->host_factor, CONSTANT_OF_ENGINE, 0.1, 10, false},
		{"sample_bytes", NULL, &e->sample_bytes, CONSTANT_OF_ENGINE, 0, 1e3, false},
		{"gpu_memory_utilization", NULL, &e->gpu_memory_utilization, CONSTANT_OF_ENGINE,
		 NO_TIME, false},
		{"reserve_gb", NULL, &e->reserve, CONSTANT_OF_ENGINE, NO_TIME, false},
	};

	for (size_t i = 0; i < COUNT(uses); i++)
		add(u, uses[i]);
}

/* The entry of a table that says what holds for tp GPUs. */
static const struct figure *table_entry(const struct figure_tp *t, int tp, const char **sub)
{
	static const char *const subs[] = {"2", "4", "8"};
	const struct figure *entries[] = {&t->at2, &t->at4, &t->at8};
	size_t wanted = tp <= 2 ? 0 : tp <= 4 ? 1 : 2, i = wanted;

	while (i > 0 && isnan(entries[i]->value))
		i--;
	while (i < COUNT(entries) - 1 && isnan(entries[i]->value))
		i++;
	if (isnan(entries[i]->value))
		i = wanted;
	*sub = subs[i];
	return entries[i];
}

/* The engine's own link table where it has one, else the GPU's. */
static void add_link(struct uses *u, struct constant_use use, const struct figure_tp *own,
		     const struct figure_tp *gpu, const struct figure *usual, int tp)
{
	bool of_engine = !isnan(figure_by_tp(own, tp));

	use.of = of_engine ? CONSTANT_OF_ENGINE : CONSTANT_OF_GPU;
	use.figure = table_entry(of_engine ? own : gpu, tp, &use.sub);
	use.usual = isnan(use.figure->value);
	if (use.usual)
		use.figure = usual;
	add(u, use);
}

static const struct figure usual_busbw = {.value = 1,
					  .origin = ORIGIN_ASSUMED,
					  .source = "a share of PCIe, as an L40S"},
			   usual_latency = {.value = 1,
					    .origin = ORIGIN_ASSUMED,
					    .source = "the middle of NCCL's"};

static void add_links(struct uses *u, const struct engine_cost *e, const struct gpu *g, int tp)
{
	if (tp < 2)
		return;
	add_link(u, (struct constant_use){.key = "link_busbw_gbs", .low = 1e8, .high = 2e12},
		 &e->link_busbw, &g->link_busbw, &usual_busbw, tp);
	add_link(u, (struct constant_use){.key = "link_lat_us", .low = 0, .high = 1e-3},
		 &e->link_lat, &g->link_lat, &usual_latency, tp);
}

size_t constants_used(struct constant_use use[CONSTANT_USES_MAX], const struct engine_cost *e,
		      const struct gpu *g, const struct precision_use *p, int tp)
{
	struct uses u = {.use = use};

	add_mfu(&u, g, p);
	add_gpu(&u, g, p);
	add_engine(&u, e);
	add_links(&u, e, g, tp);
	return u.n;
}

/* What a default of the program becomes once it is written down. */
static struct figure *write_usual(struct candidate *c, const struct engine_cost *e,
				  const struct constant_use *use, int tp)
{
	struct gpu *g = &c->gpu;
	bool busbw = strcmp(use->key, "link_busbw_gbs") == 0;
	struct figure_tp *table = busbw ? &g->link_busbw : &g->link_lat;
	const char *sub;
	struct figure *to = (struct figure *)table_entry(table, tp, &sub);
	struct figure written = *use->figure;

	written.source = NULL; /* not owned */
	written.value = busbw ? llm_link_byte_per_s(e, g, tp) : llm_link_latency_s(e, g, tp);
	*to = written;
	return to;
}

static void keep(struct constants *c, struct constant new)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->constant[i].figure == new.figure) {
			free(new.path);
			return;
		}
	c->constant = xrealloc(c->constant, (c->n + 1) * sizeof *c->constant);
	c->constant[c->n++] = new;
}

/* "gpus[0]", "pools[1].gpu"; of an engine "engine", or the pool that holds its keys. */
static char *owner_path(const struct scenario *s, size_t index, const struct constant_use *use)
{
	bool own = s->pools && s->pool[index].candidate.engine;

	if (use->of == CONSTANT_OF_ENGINE)
		return own ? xasprintf("pools[%zu]", index) : xstrdup("engine");
	return s->pools ? xasprintf("pools[%zu].gpu", index) : xasprintf("gpus[%zu]", index);
}

static char *full_path(const struct scenario *s, size_t index, const struct constant_use *use)
{
	char *owner = owner_path(s, index, use);
	char *path = use->sub ? xasprintf("%s.%s.%s", owner, use->key, use->sub)
			      : xasprintf("%s.%s", owner, use->key);

	free(owner);
	return path;
}

static bool decides_times(const struct constant_use *use)
{
	return !isnan(use->low) &&
	       (use->figure->value > 0 || use->figure->origin == ORIGIN_ASSUMED);
}

static void list_one(struct constants *c, struct scenario *s, size_t index, int tp)
{
	struct candidate *card = scenario_gpu(s, index);
	const struct engine *e = scenario_engine(s, card);
	struct precision_use p;
	struct constant_use use[CONSTANT_USES_MAX];
	char why[256];

	if (!precision_settle(&s->precision, &s->model, &card->gpu, &p, why))
		return;
	size_t n = constants_used(use, &e->cost, &card->gpu, &p, tp);
	for (size_t i = 0; i < n; i++)
		if (decides_times(&use[i]))
			keep(c,
			     (struct constant){
				     .path = full_path(s, index, &use[i]),
				     .key = use[i].key,
				     .owner = use[i].of == CONSTANT_OF_GPU ? card->gpu.id : e->id,
				     .of = use[i].of,
				     .figure = use[i].usual
						       ? write_usual(card, &e->cost, &use[i], tp)
						       : (struct figure *)use[i].figure,
				     .low = use[i].low,
				     .high = use[i].high});
}

void constants_list(struct constants *c, struct scenario *s, size_t index)
{
	*c = (struct constants){0};
	for (size_t i = 0; i < s->pools; i++)
		list_one(c, s, i, (int)s->pool[i].tensor_parallel);
	if (!s->pools)
		list_one(c, s, index, (int)s->deployment.tensor_parallel);
}

void constants_free(struct constants *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->constant[i].path);
	free(c->constant);
	*c = (struct constants){0};
}

static void *copy_of(const void *items, size_t n, size_t size)
{
	void *copy = xcalloc(n ? n : 1, size);

	if (n)
		memcpy(copy, items, n * size);
	return copy;
}

struct scenario *constants_scenario(const struct scenario *s)
{
	struct scenario *copy = copy_of(s, 1, sizeof *s);

	copy->candidate = copy_of(s->candidate, s->candidates, sizeof *s->candidate);
	copy->pool = copy_of(s->pool, s->pools, sizeof *s->pool);
	for (size_t i = 0; i < s->pools; i++)
		if (s->pool[i].candidate.engine)
			copy->pool[i].candidate.engine = &copy->pool[i].engine;
	return copy;
}

void constants_scenario_del(struct scenario *copy)
{
	if (!copy)
		return;
	free(copy->candidate);
	free(copy->pool);
	free(copy);
}
