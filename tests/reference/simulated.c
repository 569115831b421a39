/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulated.h"

#include <math.h>
#include <string.h>

#include "base/bug.h"
#include "des/rng.h"
#include "roofline/llm_cost.h"
#include "serve/discipline.h"
#include "serve/router_kind.h"
#include "serve/scheduling.h"

static void fill_model(struct model *m, const struct reference_model *r)
{
	record_init(&model_record, m);
	m->num_hidden_layers = r->layers;
	m->hidden_size = r->hidden;
	m->num_attention_heads = r->heads;
	m->num_key_value_heads = r->kv_heads;
	m->head_dim = r->head_dim;
	m->intermediate_size = r->ffn;
	m->vocab_size = r->vocab;
	m->gated_mlp = r->gated;
	m->num_experts = r->experts;
	m->num_experts_per_tok = r->chosen;
	m->n_shared_experts = r->shared_experts;
	m->moe_intermediate_size = r->moe_ffn;
	m->first_k_dense_replace = r->first_dense;
}

/* Block linears stand under fp8, all else under bf16. */
static void fill_gpu(struct gpu *g, const struct reference_gpu *r)
{
	record_init(&gpu_record, g);
	g->bandwidth.value = r->bandwidth;
	g->peak.of[COMPUTE_FP8].value = r->linear_flops;
	g->mfu.of[COMPUTE_FP8].value = r->linear_mfu;
	g->peak.of[COMPUTE_BF16].value = r->flops16;
	g->mfu.of[COMPUTE_BF16].value = r->mfu16;
	g->mbu.value = r->mbu;
	g->amfu.value = r->amfu;
	g->ambu.value = r->ambu;
	g->p.value = r->p;
	g->expert_share.value = r->expert_share;
	/* tables are interpolated: no infinities there */
	g->link_busbw.at2.value = g->link_busbw.at4.value = fmin(r->busbw, 1e300);
	g->link_lat.at2.value = g->link_lat.at4.value = r->lat_s;
}

static void fill_engine(struct engine_cost *e, const struct reference_engine *r)
{
	record_init(&engine_cost_record, e);
	e->layer.value = r->layer_s;
	e->step.value = r->step_s;
	e->request.value = r->request_s;
	e->launch.value = r->launch_s;
	e->host_seq.value = r->host_seq_s;
	e->frontend.value = r->frontend_s;
	e->sample_bytes.value = r->sample_bytes;
	e->host_factor.value = 1;
}

static int scheduler_index(enum reference_scheduler scheduler)
{
	static const struct discipline *const discipline[] = {
		[REFERENCE_CONTINUOUS] = &discipline_continuous,
		[REFERENCE_PREFILL_FIRST] = &discipline_prefill_first,
		[REFERENCE_STATIC] = &discipline_static,
	};
	for (int i = 0; disciplines[i]; i++)
		if (disciplines[i] == discipline[scheduler])
			return i;
	BUG("scheduler %d is no discipline", scheduler);
}

static void fill_replica(struct replica_setup *to, const struct reference_engine *r)
{
	static const int admission[] = {
		[REFERENCE_FULL_SEQUENCE] = ADMIT_FULL_SEQUENCE,
		[REFERENCE_FIRST_CHUNK] = ADMIT_FIRST_CHUNK,
		[REFERENCE_WHOLE_REQUEST] = ADMIT_WHOLE_REQUEST,
	};
	to->max_num_seqs = r->max_num_seqs;
	to->max_num_batched_tokens = r->max_num_batched_tokens;
	to->max_model_len = r->max_model_len;
	to->block_size = r->block_size;
	to->pool_blocks = r->pool_blocks;
	to->schedule_ahead = r->schedule_ahead;
	to->admission = admission[r->admission];
	to->scheduler = scheduler_index(r->scheduler);
	to->max_delay = tick_from_s(r->max_delay_s);
	to->chunked_prefill = !r->whole_prompts && r->scheduler == REFERENCE_CONTINUOUS;
}

static int router_index(enum reference_router router)
{
	static const struct router_kind *const kind[] = {
		[REFERENCE_ROUND_ROBIN] = &router_round_robin,
		[REFERENCE_CHOSEN] = &router_random,
		[REFERENCE_LEAST_LOADED] = &router_least_loaded,
		[REFERENCE_POWER_OF_TWO] = &router_power_of_two,
		[REFERENCE_CAPACITY_WEIGHTED] = &router_capacity_weighted,
		[REFERENCE_LENGTH_AWARE] = &router_length_aware,
	};
	for (int i = 0; router_kinds[i]; i++)
		if (router_kinds[i] == kind[router])
			return i;
	BUG("router %d has no kind", router);
}

static void draw_choices(struct random_scenario *r)
{
	uint64_t key = rng_key(r->seed, "router", 0);
	int n = r->setup.replicas;
	for (size_t i = 0; i < r->load.requests; i++) {
		double share = r->input[i] <= r->short_max ? r->short_share : r->long_share;
		if (r->setup.router == REFERENCE_LENGTH_AWARE) {
			r->choice[i][0] = rng_uniform_at(key, i) >= share;
			continue;
		}
		int x = (int)router_draw(key, (int64_t)i, 0, n);
		int y = n == 1 ? 0 : (int)router_draw(key, (int64_t)i, 1, n - 1);
		r->choice[i][0] = x;
		r->choice[i][1] = n > 1 && y >= x ? y + 1 : y;
	}
}

static void lengths(void *from, int64_t number, struct request *r)
{
	const struct simulated *s = from;
	r->input_tokens = (int32_t)s->scenario->load.input[number];
	r->output_tokens = (int32_t)s->scenario->load.output[number];
}

static bool next(void *from, struct request *r)
{
	struct simulated *s = from;
	if ((size_t)s->fed == s->scenario->load.requests)
		return false;
	r->number = s->fed++;
	r->arrival = tick_from_s(s->scenario->load.arrival_s[r->number]);
	lengths(s, r->number, r);
	return true;
}

static void fill_feed(struct simulated *s)
{
	const struct reference_load *load = &s->scenario->load;
	s->feed = (struct feed){.from = s, .next = next, .lengths = lengths};
	if (load->arrival_s)
		return;
	s->feed.concurrency = load->concurrency;
	s->feed.think = tick_from_s(load->think_s);
	s->feed.requests = (int64_t)load->requests;
}

/* A kind of replicas: its cost and its pool. */
static void fill_kind(struct simulated *s, size_t kind, const struct reference_setup *r,
		      int64_t replicas)
{
	const struct precision_use use = {
		.linear_bytes = r->model.linear_bytes,
		.expert_bytes = r->model.linear_bytes,
		.other_bytes = r->model.wide_bytes,
		.kv_bytes = r->model.kv_bytes,
		.linear = COMPUTE_FP8,
		.expert = COMPUTE_FP8,
		.other = COMPUTE_BF16,
	};
	struct cluster_pool *pool = &s->setup.pool[kind];
	fill_gpu(&s->gpu[kind], &r->gpu);
	fill_engine(&s->engine[kind], &r->engine);
	llm_step_cost(&s->cost[kind], &s->model, &s->gpu[kind], &use, &s->engine[kind],
		      (int)r->gpu.tp);
	fill_replica(&pool->replica, &r->engine);
	pool->replica.cost = &s->cost[kind];
	pool->replicas = replicas;
	pool->weight = r->weight;
	s->setup.pools = kind + 1;
}

/* The scenario's shares, of two kinds. */
static void fill_routes(struct simulated *s)
{
	const struct random_scenario *r = s->scenario;
	s->route[0] = (struct length_route){r->short_max, {r->short_share, 1 - r->short_share}};
	s->route[1] = (struct length_route){INT64_MAX, {r->long_share, 1 - r->long_share}};
	s->setup.route = s->route;
	s->setup.routes = 2;
}

void simulated_init(struct simulated *s, struct random_scenario *scenario)
{
	const struct reference_setup *r = &scenario->setup;
	memset(s, 0, sizeof(*s));
	s->scenario = scenario;
	fill_model(&s->model, &r->model);
	fill_kind(s, 0, r, r->replicas - r->others);
	if (r->others)
		fill_kind(s, 1, r->other, r->others);
	fill_routes(s);
	s->setup.router = router_index(r->router);
	s->setup.source.seed = scenario->seed;
	s->setup.tally = (struct tally_setup){.requests = (int64_t)scenario->load.requests,
					      .keep_samples = true,
					      .keep_series = true,
					      .ttft_limit = tick_from_s(1),
					      .tpot_limit = tick_from_s(0.05),
					      .e2e_limit = tick_from_s(10)};
	draw_choices(scenario);
	fill_feed(s);
}

void simulated_free(struct simulated *s)
{
	for (size_t kind = 0; kind < s->setup.pools; kind++) {
		step_cost_free(&s->cost[kind]);
		record_free(&gpu_record, &s->gpu[kind]);
		record_free(&engine_cost_record, &s->engine[kind]);
	}
	record_free(&model_record, &s->model);
}

void simulated_run(struct simulated *s, int64_t stride, struct tally *tally)
{
	struct diag d;
	diag_init(&d);
	s->fed = 0;
	for (size_t kind = 0; kind < s->setup.pools; kind++)
		s->setup.pool[kind].replica.stride = stride;
	if (!cluster_run_feed(&s->setup, &s->feed, tally, &d))
		BUG("%s", d.message);
}
