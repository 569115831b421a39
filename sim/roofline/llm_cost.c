/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/llm_cost.h"

#include <math.h>
#include <string.h>

#include "roofline/llm_term.h"

/* Tables that serve most steps without a caller's wish: tests make thousands of step costs. */
enum { SMALL_TABLE = 256 };

struct llm {
	struct step_cost *cost;
	const struct model *m;
	const struct gpu *g;
	const struct precision_use *use;
	const struct engine_cost *e;
	double tp;
};

static void add_linear(const struct llm *s, const char *name, int64_t layers, double weights)
{
	struct term *t;

	if (layers <= 0)
		return;
	t = step_cost_add(s->cost, name, TERM_DEVICE, PER_TOKEN);
	t->flop = 2 * weights;
	t->byte0 = s->use->linear_bytes * weights;
	t->times = (double)layers;
	llm_term_linear(t, s->g, s->use->linear, s->tp);
}

static void add_experts(const struct llm *s)
{
	const struct model *m = s->m;
	double expert = model_expert_params(m), shared = (double)m->n_shared_experts;
	struct term *t = step_cost_add(s->cost, "experts", TERM_DEVICE, PER_TOKEN);

	t->flop = 2 * ((double)m->num_experts_per_tok + shared) * expert;
	t->byte0 = s->use->expert_bytes * shared * expert;
	t->experts = (double)m->num_experts;
	t->chosen = (double)m->num_experts_per_tok;
	t->expert_bytes = s->use->expert_bytes * expert;
	t->times = (double)model_expert_layers(m);
	llm_term_experts(t, s->g, s->use->expert, s->use->other, s->tp);
}

static void add_layers(const struct llm *s)
{
	const struct model *m = s->m;
	double attention = model_attention_params(m);

	add_linear(s, "dense layers", model_dense_layers(m), attention + model_mlp_params(m));
	add_linear(s, "attention projections", model_expert_layers(m), attention);
	if (model_expert_layers(m) > 0)
		add_experts(s);
}

static void add_head(const struct llm *s)
{
	double weights = model_embedding_params(s->m);
	struct term *t = step_cost_add(s->cost, "LM head", TERM_DEVICE, PER_ROW);

	t->flop = 2 * weights;
	t->byte0 = s->use->other_bytes * weights;
	llm_term_linear(t, s->g, s->use->other, s->tp);
}

/* KV heads that a decode reads; Volta's kernels read K and V once a query head. */
static double decode_heads(const struct llm *s)
{
	bool volta = s->g->architecture && !strcmp(s->g->architecture, "Volta");

	return (double)(volta ? s->m->num_attention_heads : s->m->num_key_value_heads);
}

static struct term *add_attention(const struct llm *s, const char *name, enum quantity of,
				  double kv_heads)
{
	const struct llm_attention a = {.type = s->use->other,
					.heads = (double)s->m->num_attention_heads,
					.kv_heads = kv_heads,
					.head_dim = (double)s->m->head_dim,
					.kv_bytes = s->use->kv_bytes};
	struct term *t = step_cost_add(s->cost, name, TERM_DEVICE, of);

	llm_term_attention(t, s->g, &a, s->tp);
	t->times = (double)s->m->num_hidden_layers;
	return t;
}

static double link_figure(const struct figure_tp *own, const struct figure_tp *gpu, int tp)
{
	double value = figure_by_tp(own, tp);

	return isnan(value) ? figure_by_tp(gpu, tp) : value;
}

/*
 * Of a GPU without a link table: the shares of one direction of PCIe that all-reduces of L40S
 * reached (20, 5.1 and 1.6 of 31.5 GB/s), its PCIe where that is unknown too, and the middle of
 * NCCL's 10-22 us; all assumed.
 */
static const struct figure_tp pcie_share = {
	.at2 = {.value = 0.63}, .at4 = {.value = 0.16}, .at8 = {.value = 0.05}};
static const double pcie_byte_per_s = 31.5e9, nccl_latency_s = 16e-6;

double llm_link_byte_per_s(const struct engine_cost *e, const struct gpu *g, int tp)
{
	double busbw = link_figure(&e->link_busbw, &g->link_busbw, tp);
	double pcie = isnan(g->pcie.value) ? pcie_byte_per_s : g->pcie.value;

	return isnan(busbw) ? pcie * figure_by_tp(&pcie_share, tp) : busbw;
}

double llm_link_latency_s(const struct engine_cost *e, const struct gpu *g, int tp)
{
	double latency_s = link_figure(&e->link_lat, &g->link_lat, tp);

	return isnan(latency_s) ? nccl_latency_s : latency_s;
}

static void add_collectives(const struct llm *s)
{
	double share = (s->tp - 1) / s->tp;
	double byte_per_s = llm_link_byte_per_s(s->e, s->g, (int)s->tp);
	double latency_s = llm_link_latency_s(s->e, s->g, (int)s->tp);
	struct term *t;

	if (s->tp < 2)
		return;
	t = step_cost_add(s->cost, "all-reduce", TERM_LINK, PER_TOKEN);
	llm_term_all_reduce(t, (double)s->m->hidden_size * 2, s->tp, byte_per_s, latency_s);
	t->times = 2 * (double)s->m->num_hidden_layers + 1;
	t = step_cost_add(s->cost, "logit gather", TERM_LINK, PER_ROW);
	t->byte = (double)s->m->vocab_size * 2 * share;
	t->byte_per_s = byte_per_s;
	t->latency_s = latency_s;
}

static void add_sampling(const struct llm *s)
{
	struct term *t;

	if (!(s->e->sample_bytes.value > 0))
		return;
	t = step_cost_add(s->cost, "sampling", TERM_DEVICE, PER_ROW);
	t->byte = s->e->sample_bytes.value * (double)s->m->vocab_size;
	t->byte_per_s = s->g->bandwidth.value;
}

static void add_time(const struct llm *s, const char *name, enum term_class kind, enum quantity of,
		     double seconds, double times)
{
	struct term *t;

	if (!(seconds > 0))
		return;
	t = step_cost_add(s->cost, name, kind, of);
	t->second = seconds;
	t->times = times;
}

static void add_engine(const struct llm *s)
{
	const struct engine_cost *e = s->e;
	double layers = (double)s->m->num_hidden_layers, factor = e->host_factor.value;

	add_time(s, "layer overhead", TERM_DEVICE, PER_STEP, e->layer.value * factor, layers);
	add_time(s, "host launch", TERM_HOST, PER_STEP, e->launch.value, layers);
	add_time(s, "host sequences", TERM_HOST, PER_SEQUENCE, e->host_seq.value, 1);
	add_time(s, "step overhead", TERM_FIXED, PER_STEP, e->step.value * factor, 1);
	add_time(s, "request overhead", TERM_FIXED, PER_SEQUENCE, e->request.value * sqrt(factor),
		 1);
	s->cost->frontend_s = e->frontend.value * factor;
}

void llm_step_cost(struct step_cost *c, const struct model *m, const struct gpu *g,
		   const struct precision_use *use, const struct engine_cost *e, int tp)
{
	struct llm s = {c, m, g, use, e, (double)tp};
	struct term *chunks;

	step_cost_init(c);
	add_layers(&s);
	add_head(&s);
	chunks = add_attention(&s, "prefill attention", PER_PAIR, (double)m->num_key_value_heads);
	chunks->bytes_of = PER_CHUNK_CONTEXT;
	add_attention(&s, "decode attention", PER_CONTEXT, decode_heads(&s));
	add_collectives(&s);
	add_sampling(&s);
	add_engine(&s);
	c->gpus = tp;
	c->peak_byte_per_s = s.tp * g->bandwidth.value;
	c->peak_flop_per_s = s.tp * gpu_peak(g, m->num_experts > 0 ? use->expert : use->linear);
	step_cost_tabulate(c, SMALL_TABLE, SMALL_TABLE);
}
