/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replica.h"

#include <math.h>

/* One step's price: the performance model's section 2, formula by formula. */

static double pnorm(double a, double b, double p)
{
	double most = fmax(a, b), least = fmin(a, b);

	return most == 0 ? 0 : most * pow(1 + pow(least / most, p), 1 / p);
}

static double attention_weights(const struct reference_model *m)
{
	double d = (double)m->hidden, hdh = (double)(m->heads * m->head_dim);
	double gdh = (double)(m->kv_heads * m->head_dim);

	return d * (hdh + 2 * gdh) + hdh * d;
}

static double mlp_weights(const struct reference_model *m, int64_t width)
{
	return (m->gated ? 3.0 : 2.0) * (double)m->hidden * (double)width;
}

static double experts_read(const struct reference_model *m, int64_t tokens)
{
	double all = (double)m->experts, chosen = (double)m->chosen;

	return all * (1 - pow(1 - chosen / all, (double)tokens)) + (double)m->shared_experts;
}

static double dense_layers(const struct reference_model *m)
{
	return (double)(m->experts ? m->first_dense : m->layers);
}

/* a group of block linears: FLOPs of `active` weights a token, bytes of `read` weights */
static double linear_s(const struct reference_setup *s, int64_t tokens, double active, double read)
{
	const struct reference_gpu *g = &s->gpu;
	double tp = (double)g->tp;

	return pnorm(2 * (double)tokens * active / (tp * g->linear_flops * g->linear_mfu),
		     s->model.linear_bytes * read / (tp * g->bandwidth * g->mbu), g->p);
}

/* grouped GEMMs: FLOPs at a share of the 16-bit rate, then bytes */
static double experts_s(const struct reference_setup *s, int64_t tokens, double active, double read)
{
	const struct reference_gpu *g = &s->gpu;
	double tp = (double)g->tp;

	return 2 * (double)tokens * active / (tp * g->flops16 * g->mfu16 * g->expert_share) +
	       s->model.linear_bytes * read / (tp * g->bandwidth * g->mbu);
}

static double all_linears_s(const struct reference_setup *s, const struct reference_step *step)
{
	const struct reference_model *m = &s->model;
	int64_t tokens = step->tokens;
	double attention = attention_weights(m), dense = attention + mlp_weights(m, m->ffn);
	double t = dense_layers(m) * linear_s(s, tokens, dense, dense);

	if (m->experts) {
		double expert = mlp_weights(m, m->moe_ffn);
		double active = expert * (double)(m->chosen + m->shared_experts);

		t += ((double)m->layers - dense_layers(m)) *
		     (linear_s(s, tokens, attention, attention) +
		      experts_s(s, tokens, active, expert * experts_read(m, tokens)));
	}
	return t;
}

static double head_s(const struct reference_setup *s, int64_t rows)
{
	const struct reference_gpu *g = &s->gpu;
	double tp = (double)g->tp, weights = (double)s->model.hidden * (double)s->model.vocab;

	return pnorm(2 * (double)rows * weights / (tp * g->flops16 * g->mfu16),
		     s->model.wide_bytes * weights / (tp * g->bandwidth * g->mbu), g->p);
}

static double attention_flops(const struct reference_model *m, double pairs)
{
	return 4 * (double)(m->heads * m->head_dim) * pairs;
}

static double attention_bytes(const struct reference_model *m, double context)
{
	return 2 * (double)(m->kv_heads * m->head_dim) * m->kv_bytes * context;
}

static double kv_split(const struct reference_setup *s)
{
	return (double)(s->gpu.tp < s->model.kv_heads ? s->gpu.tp : s->model.kv_heads);
}

static double attention_s(const struct reference_setup *s, double pairs, double context)
{
	const struct reference_gpu *g = &s->gpu;

	return fmax(attention_flops(&s->model, pairs) / ((double)g->tp * g->flops16 * g->amfu),
		    attention_bytes(&s->model, context) / (kv_split(s) * g->bandwidth * g->ambu));
}

static double collectives_s(const struct reference_setup *s, const struct reference_step *step)
{
	double tp = (double)s->gpu.tp, busbw = s->gpu.busbw;
	double message = (double)step->tokens * (double)s->model.hidden * 2;
	double logits = (double)step->rows * (double)s->model.vocab * 2;

	if (s->gpu.tp == 1)
		return 0;
	return (2 * (double)s->model.layers + 1) *
		       (s->gpu.lat_s + 2 * (tp - 1) / tp * message / busbw) +
	       s->gpu.lat_s + logits * (tp - 1) / tp / busbw;
}

double reference_device_s(const struct reference_setup *s, const struct reference_step *step)
{
	double layers = (double)s->model.layers;
	double attention = attention_s(s, step->pairs, step->chunk_context) +
			   attention_s(s, step->decode_context, step->decode_context);
	double sampling = s->engine.sample_bytes * (double)s->model.vocab * (double)step->rows /
			  s->gpu.bandwidth;

	return all_linears_s(s, step) + layers * attention + collectives_s(s, step) +
	       head_s(s, step->rows) + sampling + layers * s->engine.layer_s;
}

double reference_step_s(const struct reference_setup *s, const struct reference_step *step)
{
	const struct reference_engine *e = &s->engine;
	double n = (double)step->sequences;
	double host = (double)s->model.layers * e->launch_s + n * e->host_seq_s;

	return fmax(reference_device_s(s, step), host) + e->step_s + n * e->request_s;
}

void reference_work(const struct reference_setup *s, const struct reference_step *step,
		    double *flops, double *bytes)
{
	const struct reference_model *m = &s->model;
	double tp = (double)s->gpu.tp, dense = dense_layers(m), moe = (double)m->layers - dense;
	double active = (double)m->layers * attention_weights(m) + dense * mlp_weights(m, m->ffn);
	double read = active, head = (double)m->hidden * (double)m->vocab;

	if (m->experts) {
		double expert = moe * mlp_weights(m, m->moe_ffn);

		active += expert * (double)(m->chosen + m->shared_experts);
		read += expert * experts_read(m, step->tokens);
	}
	*flops = 2 * (double)step->tokens * active + 2 * (double)step->rows * head;
	*flops += (double)m->layers * attention_flops(m, step->pairs + step->decode_context);
	*flops /= tp;
	*bytes = (m->linear_bytes * read + m->wide_bytes * head) / tp;
	*bytes += (double)m->layers *
		  attention_bytes(m, step->chunk_context + step->decode_context) / kv_split(s);
}
