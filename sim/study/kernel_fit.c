/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/kernel_fit.h"

#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/xmalloc.h"
#include "roofline/llm_term.h"
#include "stats/robust_fit.h"

/* Shapes of weights that a model has, and of heads: what a prediction of it leans on. */
static const double weights_of_model = 4, experts_of_model = 1, heads_of_model = 1,
		    links_of_model = 1;

/* What serving sustains of a kernel's rate is known so well, relative. */
static const double share_scatter = 0.05;

enum { PARAMETERS_MAX = 16 };

/*
 * What a kernel takes beside its roofline: serving has it in an engine's fixed times, or nowhere.
 * Seconds a kernel, or an element: of activations that are turned into 8 bits, of queries (a token
 * and head) that attention begins and ends with.
 */
enum extra {
	GEMM_LAUNCH,
	GEMM_8_LAUNCH,
	QUANTISE,
	EXPERTS_LAUNCH,
	PREFILL_LAUNCH,
	QUERY,
	DECODE_LAUNCH,
	EXTRAS
};

static const struct extra_kind {
	const char *name;
	double scale, start, most; /* SI = value * scale; start and most are SI */
} extra_kinds[EXTRAS] = {
	[GEMM_LAUNCH] = {"gemm_us", 1e-6, 2e-6, 1e-4},
	[GEMM_8_LAUNCH] = {"gemm_8bit_us", 1e-6, 2e-6, 1e-4},
	[QUANTISE] = {"quantise_ps", 1e-12, 1e-12, 1e-9},
	[EXPERTS_LAUNCH] = {"experts_us", 1e-6, 2e-5, 1e-3},
	[PREFILL_LAUNCH] = {"prefill_us", 1e-6, 5e-6, 1e-4},
	[QUERY] = {"query_ps", 1e-12, 1e-10, 1e-8},
	[DECODE_LAUNCH] = {"decode_us", 1e-6, 5e-6, 1e-4},
};

/* One least-squares problem: the rows of some kinds and the constants that they share. */
struct problem {
	struct gpu *g;
	const struct kernel_row **row;
	size_t rows;
	double extra_s[EXTRAS];
	struct robust_parameter parameter[PARAMETERS_MAX];
	double *place[PARAMETERS_MAX]; /* where predict() puts the values */
	double before[PARAMETERS_MAX];
	struct kernel_constant *constant[PARAMETERS_MAX];
	size_t parameters;
	struct kernel_fit *fit;
};

static double linear_seconds(struct term *t, const struct gpu *g, const struct kernel_row *r)
{
	enum compute_type type = (enum compute_type)r->dtype;

	t->flop = 2 * r->n * r->k;
	t->byte0 = kernel_element_bytes(type) * r->n * r->k;
	llm_term_linear(t, g, type, 1);
	return term_seconds(t, r->m, r->m);
}

/* 16 bits, in which attention computes and experts are counted. */
static enum compute_type wide(const struct gpu *g)
{
	return isnan(gpu_peak(g, COMPUTE_BF16)) ? COMPUTE_FP16 : COMPUTE_BF16;
}

static double expert_seconds(struct term *t, const struct gpu *g, const struct kernel_row *r)
{
	double weights = 3 * r->n * r->k;

	t->flop = 2 * r->chosen * weights;
	t->experts = r->experts;
	t->chosen = r->chosen;
	t->expert_bytes = kernel_element_bytes((enum compute_type)r->dtype) * weights;
	llm_term_experts(t, g, wide(g), wide(g), 1);
	return term_seconds(t, r->m, r->m);
}

static double attention_seconds(struct term *t, const struct gpu *g, const struct kernel_row *r)
{
	const struct llm_attention a = {.type = wide(g),
					.heads = r->heads,
					.kv_heads = r->kv_heads,
					.head_dim = r->head_dim,
					.kv_bytes =
						kernel_element_bytes((enum compute_type)r->dtype)};
	double context = r->batch * r->cached;

	llm_term_attention(t, g, &a, 1);
	if (r->kind == KERNEL_DECODE)
		return term_seconds(t, context, context);
	return term_seconds(t, r->tokens * context + r->batch * r->tokens * (r->tokens + 1) / 2,
			    context + r->batch * r->tokens);
}

static bool is_8_bits(const struct kernel_row *r)
{
	return kernel_element_bytes((enum compute_type)r->dtype) < 2;
}

static double extra_seconds(const double *extra_s, const struct kernel_row *r)
{
	switch (r->kind) {
	case KERNEL_GEMM:
		if (!is_8_bits(r))
			return extra_s[GEMM_LAUNCH];
		return extra_s[GEMM_8_LAUNCH] + extra_s[QUANTISE] * r->m * r->k;
	case KERNEL_EXPERTS:
		return extra_s[EXPERTS_LAUNCH];
	case KERNEL_PREFILL:
		return extra_s[PREFILL_LAUNCH] + extra_s[QUERY] * r->batch * r->tokens * r->heads;
	case KERNEL_DECODE:
		return extra_s[DECODE_LAUNCH];
	default:
		return 0;
	}
}

/* Seconds of a row's kernel: the terms that a step is made of. */
static double kernel_seconds(const struct gpu *g, const struct kernel_row *r, const double *extra_s)
{
	struct term t = {.latency_s = extra_seconds(extra_s, r), .times = 1};

	if (r->kind == KERNEL_GEMM)
		return linear_seconds(&t, g, r);
	if (r->kind == KERNEL_EXPERTS)
		return expert_seconds(&t, g, r);
	if (r->kind != KERNEL_ALL_REDUCE)
		return attention_seconds(&t, g, r);
	llm_term_all_reduce(&t, 1, r->gpus, figure_by_tp(&g->link_busbw, (int)r->gpus),
			    figure_by_tp(&g->link_lat, (int)r->gpus));
	return term_seconds(&t, r->bytes, r->bytes);
}

static void predict(const double *value, double *predicted, void *arg)
{
	struct problem *p = arg;

	for (size_t j = 0; j < p->parameters; j++)
		*p->place[j] = value[j];
	for (size_t i = 0; i < p->rows; i++)
		predicted[i] = kernel_seconds(p->g, p->row[i], p->extra_s);
}

/* A parameter between two bounds [SI], from a start that is moved within them. */
static void add_parameter(struct problem *p, const char *name, struct figure *figure, double *place,
			  double scale, double low, double high)
{
	struct kernel_constant *c = &p->fit->constant[p->fit->constants];

	BUG_IF(p->parameters == PARAMETERS_MAX || p->fit->constants == COUNT(p->fit->constant));
	*c = (struct kernel_constant){.figure = figure, .scale = scale};
	snprintf(c->name, sizeof c->name, "%s", name);
	p->before[p->parameters] = *place;
	*place = fmin(fmax(*place, low + 0.01 * (high - low)), low + 0.99 * (high - low));
	p->parameter[p->parameters] =
		(struct robust_parameter){.value = *place, .low = low, .high = high};
	p->place[p->parameters] = place;
	p->constant[p->parameters++] = c;
	p->fit->constants++;
}

static void add_share(struct problem *p, const char *name, struct figure *figure)
{
	add_parameter(p, name, figure, &figure->value, 1, 0.01, 1.2);
}

static bool has_kind(const struct problem *p, int kind)
{
	for (size_t i = 0; i < p->rows; i++)
		if (p->row[i]->kind == kind)
			return true;
	return false;
}

static void add_extra(struct problem *p, enum extra extra)
{
	const struct extra_kind *k = &extra_kinds[extra];

	p->extra_s[extra] = k->start;
	add_parameter(p, k->name, NULL, &p->extra_s[extra], k->scale, 0, k->most);
}

static bool has_type(const struct problem *p, enum compute_type type)
{
	for (size_t i = 0; i < p->rows; i++)
		if (p->row[i]->dtype == (int)type)
			return true;
	return false;
}

/* bf16 and fp16 run at one rate: both read `all`. */
static void add_mfu_16(struct problem *p)
{
	struct figure_by_type *mfu = &p->g->mfu;

	mfu->all.value = gpu_mfu(p->g, COMPUTE_BF16)->value;
	mfu->of[COMPUTE_BF16].value = mfu->of[COMPUTE_FP16].value = (double)NAN;
	add_share(p, "mfu.all", &mfu->all);
	add_extra(p, GEMM_LAUNCH);
}

/* A type of its own; of 8 bits with what turns activations into them. */
static void add_mfu_of(struct problem *p, enum compute_type type)
{
	struct figure *own = &p->g->mfu.of[type];
	char name[32];

	own->value = gpu_mfu(p->g, type)->value;
	snprintf(name, sizeof name, "mfu.%s", compute_type_names[type]);
	add_share(p, name, own);
}

static void add_mfu(struct problem *p)
{
	bool in_8_bits = has_type(p, COMPUTE_FP8) || has_type(p, COMPUTE_INT8);

	if (has_type(p, COMPUTE_BF16) || has_type(p, COMPUTE_FP16))
		add_mfu_16(p);
	for (int type = 0; type < COMPUTE_TYPES; type++)
		if (type != COMPUTE_BF16 && type != COMPUTE_FP16 &&
		    has_type(p, (enum compute_type)type))
			add_mfu_of(p, (enum compute_type)type);
	if (in_8_bits) {
		add_extra(p, GEMM_8_LAUNCH);
		add_extra(p, QUANTISE);
	}
}

/* The rows of two kinds (or one twice), at `gpus` GPUs where that is above 0. */
static void take_rows(struct problem *p, const struct kernel_table *t, int kind, int other,
		      double gpus)
{
	p->rows = 0;
	p->parameters = 0;
	for (size_t i = 0; i < t->rows; i++)
		if ((t->row[i].kind == kind || t->row[i].kind == other) &&
		    (gpus <= 0 || t->row[i].gpus == gpus))
			p->row[p->rows++] = &t->row[i];
}

static double median_error(const struct problem *p, const double *residual, int kind)
{
	double *error = xcalloc(p->rows + 1, sizeof *error);
	size_t n = 0;

	for (size_t i = 0; i < p->rows; i++)
		if (p->row[i]->kind == kind)
			error[n++] = fabs(expm1(residual[i]));
	double median = gsl_stats_median(error, 1, n);
	free(error);
	return median;
}

/* Adds the problem's rows, errors and outliers by kind. */
static void judge(const struct problem *p, const struct robust_fit *f)
{
	for (size_t i = 0; i < p->rows; i++) {
		p->fit->rows[p->row[i]->kind]++;
		p->fit->outliers[p->row[i]->kind] += f->weight[i] == 0;
	}
	for (int kind = 0; kind < KERNEL_KINDS; kind++)
		if (has_kind(p, kind))
			p->fit->median_error[kind] = median_error(p, f->residual, kind);
	p->fit->converged &= f->converged;
}

/* Four digits: more would say more than the rows do. */
static double rounded(double value, double scale)
{
	char text[32];

	snprintf(text, sizeof text, "%.4g", fabs(value / scale) < 1e-6 ? 0 : value / scale);
	return strtod(text, NULL);
}

/* What was found, in the file's unit, and where it belongs. */
static void settle(struct kernel_constant *c, const struct robust_parameter *p, double *place,
		   double before)
{
	c->value = rounded(p->held ? before : p->value, c->scale);
	c->sigma = p->held ? p->sigma : rounded(p->sigma, c->scale);
	*place = p->held ? before : c->value * c->scale;
	c->rows = p->rows;
	c->held = p->held;
	if (!c->figure || c->held)
		return;
	c->figure->sigma = c->sigma * c->scale;
	c->figure->origin = ORIGIN_FITTED;
}

static void solve(struct problem *p, double clusters)
{
	struct robust_fit f = {.rows = p->rows,
			       .parameters = p->parameters,
			       .parameter = p->parameter,
			       .predict = predict,
			       .arg = p,
			       .clusters = clusters};
	double *measured = xcalloc(p->rows + 1, sizeof *measured);
	uint64_t *cluster = xcalloc(p->rows + 1, sizeof *cluster);

	f.weight = xcalloc(p->rows + 1, sizeof *f.weight);
	f.residual = xcalloc(p->rows + 1, sizeof *f.residual);
	for (size_t i = 0; i < p->rows; i++) {
		measured[i] = p->row[i]->seconds;
		cluster[i] = p->row[i]->shape;
	}
	f.measured = measured;
	f.cluster = cluster;
	robust_fit_run(&f);
	for (size_t j = 0; j < p->parameters; j++)
		settle(p->constant[j], &p->parameter[j], p->place[j], p->before[j]);
	judge(p, &f);
	free(measured);
	free(cluster);
	free(f.weight);
	free(f.residual);
}

static void fit_linear(struct problem *p, const struct kernel_table *t)
{
	take_rows(p, t, KERNEL_GEMM, KERNEL_GEMM, 0);
	if (!p->rows)
		return;
	add_mfu(p);
	add_share(p, "mbu", &p->g->mbu);
	add_parameter(p, "p", &p->g->p, &p->g->p.value, 1, 1, 20);
	solve(p, weights_of_model);
}

/* After the linear layers, on whose rates experts' lean. */
static void fit_experts(struct problem *p, const struct kernel_table *t)
{
	take_rows(p, t, KERNEL_EXPERTS, KERNEL_EXPERTS, 0);
	if (!p->rows)
		return;
	add_share(p, "expert_share", &p->g->expert_share);
	add_extra(p, EXPERTS_LAUNCH);
	solve(p, experts_of_model);
}

static void fit_attention(struct problem *p, const struct kernel_table *t)
{
	take_rows(p, t, KERNEL_PREFILL, KERNEL_DECODE, 0);
	if (!p->rows)
		return;
	add_share(p, "amfu", &p->g->amfu);
	add_share(p, "ambu", &p->g->ambu);
	if (has_kind(p, KERNEL_PREFILL)) {
		add_extra(p, PREFILL_LAUNCH);
		add_extra(p, QUERY);
	}
	if (has_kind(p, KERNEL_DECODE))
		add_extra(p, DECODE_LAUNCH);
	solve(p, heads_of_model);
}

static void fit_link(struct problem *p, const struct kernel_table *t, int gpus,
		     struct figure *busbw, struct figure *latency)
{
	char name[32];

	take_rows(p, t, KERNEL_ALL_REDUCE, KERNEL_ALL_REDUCE, gpus);
	if (!p->rows)
		return;
	if (isnan(busbw->value))
		busbw->value = 1e10;
	if (isnan(latency->value))
		latency->value = 1e-5;
	snprintf(name, sizeof name, "link_busbw_gbs.%d", gpus);
	add_parameter(p, name, busbw, &busbw->value, 1e9, 1e8, 2e12);
	snprintf(name, sizeof name, "link_lat_us.%d", gpus);
	add_parameter(p, name, latency, &latency->value, 1e-6, 0, 1e-3);
	solve(p, links_of_model);
}

static bool check_row(const struct gpu *g, const struct kernel_row *r, struct diag *d)
{
	if (r->kind == KERNEL_GEMM && isnan(gpu_peak(g, (enum compute_type)r->dtype)))
		return diag_fail(d, "%s has no peak_tflops of %s", g->id,
				 compute_type_names[r->dtype]);
	if (r->kind == KERNEL_ALL_REDUCE && r->gpus != 2 && r->gpus != 4 && r->gpus != 8)
		return diag_fail(d, "link tables are of 2, 4 and 8 GPUs, not %g", r->gpus);
	return true;
}

static bool check(const struct gpu *g, const struct kernel_table *t, struct diag *d)
{
	for (size_t i = 0; i < t->rows; i++) {
		if (check_row(g, &t->row[i], d))
			continue;
		if (t->file)
			diag_at(d, t->file, t->row[i].line, 0);
		return false;
	}
	return true;
}

/* What serving sustains of a kernel's rate, by the catalogue: it is kept. */
static double sustained_share(const struct gpu *g)
{
	double share = gpu_mfu(g, COMPUTE_BF16)->value / g->mfu_kernel.value;

	return share > 0 ? share : 1;
}

static bool is_mfu(const struct gpu *g, const struct kernel_constant *c)
{
	const struct figure_by_type *mfu = &g->mfu;

	if (c->figure == &mfu->all)
		return true;
	for (int type = 0; type < COMPUTE_TYPES; type++)
		if (c->figure == &mfu->of[type])
			return true;
	return false;
}

/* mfu as fitted is that of kernels: in 16 bits it goes where it belongs, and serving sustains a
 * share of it. */
static void sustain(struct gpu *g, const struct kernel_constant *c, double share)
{
	if (c->held || !is_mfu(g, c))
		return;
	if (c->figure == &g->mfu.all) {
		free(g->mfu_kernel.source);
		g->mfu_kernel = g->mfu.all;
		g->mfu_kernel.source = xstrdup(g->mfu.all.source);
	}
	char *source = xasprintf("%s; serving sustains %.3g of it", c->figure->source, share);
	free(c->figure->source);
	c->figure->source = source;
	c->figure->value = rounded(c->figure->value * share, 1);
	c->figure->sigma =
		rounded(hypot(c->figure->sigma * share, share_scatter * c->figure->value), 1);
}

static char *join(const struct record_list *texts)
{
	char *const *text = texts->data;
	char *all = xstrdup(texts->count ? text[0] : "no source given");

	for (size_t i = 1; i < texts->count; i++) {
		char *longer = xasprintf("%s, %s", all, text[i]);

		free(all);
		all = longer;
	}
	return all;
}

static void name_source(const struct kernel_constant *c, const struct kernel_table *t)
{
	char *sources;

	if (!c->figure || c->held)
		return;
	sources = join(&t->sources);
	free(c->figure->source);
	c->figure->source =
		xasprintf("fit to kernels, %zu of which lean on it: %s", c->rows, sources);
	free(sources);
}

bool kernel_fit_run(struct kernel_fit *fit, struct gpu *g, const struct kernel_table *t,
		    struct diag *d)
{
	*fit = (struct kernel_fit){.converged = true};
	if (!check(g, t, d))
		return false;
	struct problem p = {
		.g = g, .fit = fit, .row = xcalloc(t->rows, sizeof(const struct kernel_row *))};
	double share = sustained_share(g);
	for (int kind = 0; kind < KERNEL_KINDS; kind++)
		fit->median_error[kind] = (double)NAN;
	fit_linear(&p, t);
	fit_experts(&p, t);
	fit_attention(&p, t);
	fit_link(&p, t, 2, &g->link_busbw.at2, &g->link_lat.at2);
	fit_link(&p, t, 4, &g->link_busbw.at4, &g->link_lat.at4);
	fit_link(&p, t, 8, &g->link_busbw.at8, &g->link_lat.at8);
	free(p.row);
	for (size_t i = 0; i < fit->constants; i++) {
		name_source(&fit->constant[i], t);
		sustain(g, &fit->constant[i], share);
	}
	return true;
}
