/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct draws {
	uint64_t state;
};

static uint64_t draw(struct draws *d)
{
	uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* in (0, 1) */
static double uniform(struct draws *d)
{
	return ((double)(draw(d) >> 12) + 0.5) / 4503599627370496.0;
}

static double between(struct draws *d, double low, double high)
{
	return low + (high - low) * uniform(d);
}

static double log_between(struct draws *d, double low, double high)
{
	return low * pow(high / low, uniform(d));
}

static int64_t whole(struct draws *d, int64_t low, int64_t high)
{
	return low + (int64_t)(draw(d) % (uint64_t)(high - low + 1));
}

static bool one_in(struct draws *d, int64_t n)
{
	return whole(d, 1, n) == 1;
}

static double exponential(struct draws *d, double mean)
{
	return -mean * log(uniform(d));
}

/* a whole number of 2^-36 s */
static double on_clock(double time_s)
{
	return ldexp(nearbyint(ldexp(time_s, 36)), -36);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void *take_memory(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		abort();
	return p;
}

static void draw_model(struct draws *d, struct reference_model *m)
{
	const double linear_bytes[] = {2, 1, 0.53125};

	m->layers = whole(d, 2, 48);
	m->hidden = 64 * whole(d, 4, 64);
	m->kv_heads = INT64_C(1) << whole(d, 0, 3);
	m->heads = m->kv_heads * (INT64_C(4) << whole(d, 0, 1)); /* 4 divides it: any tp does */
	m->head_dim = one_in(d, 2) ? 64 : 128;
	m->ffn = m->hidden * whole(d, 2, 4);
	m->gated = one_in(d, 2);
	m->vocab = whole(d, 1000, 150000);
	m->linear_bytes = linear_bytes[whole(d, 0, 2)];
	m->wide_bytes = 2;
	m->kv_bytes = one_in(d, 3) ? 1 : 2;
	if (!one_in(d, 3))
		return;
	m->experts = whole(d, 2, 64);
	m->chosen = whole(d, 1, smaller(m->experts, 8));
	m->shared_experts = whole(d, 0, 2);
	m->moe_ffn = 64 * whole(d, 2, 32);
	m->first_dense = whole(d, 0, smaller(3, m->layers - 1));
}

static void draw_gpu(struct draws *d, struct reference_gpu *g)
{
	g->flops16 = log_between(d, 60e12, 1000e12);
	g->linear_flops = g->flops16 * (double)whole(d, 1, 2);
	g->linear_mfu = between(d, 0.45, 0.95);
	g->mfu16 = between(d, 0.45, 0.95);
	g->bandwidth = log_between(d, 300e9, 3300e9);
	g->mbu = between(d, 0.7, 0.95);
	g->amfu = between(d, 0.3, 0.6);
	g->ambu = between(d, 0.7, 0.9);
	g->p = between(d, 1.3, 4.5);
	g->expert_share = g->mfu16; /* no draw: seeds keep their scenarios */
	g->tp = INT64_C(1) << larger(0, whole(d, -1, 2));
	g->busbw = log_between(d, 5e9, 400e9);
	g->lat_s = between(d, 4e-6, 22e-6);
}

static void draw_engine(struct draws *d, struct reference_engine *e)
{
	e->layer_s = one_in(d, 4) ? 0 : between(d, 5e-6, 75e-6);
	e->step_s = between(d, 150e-6, 600e-6);
	e->request_s = one_in(d, 4) ? 0 : between(d, 1e-6, 56e-6);
	e->host_seq_s = one_in(d, 4) ? between(d, 5e-6, 35e-6) : 0;
	e->frontend_s = one_in(d, 3) ? 0 : on_clock(between(d, 1e-3, 14e-3));
	e->schedule_ahead = (int)whole(d, 0, 1);
	e->sample_bytes = one_in(d, 4) ? 40 : 0;
	e->max_num_seqs = one_in(d, 8) ? 1 : (int64_t)log_between(d, 2, 65);
	e->max_num_batched_tokens = e->max_num_seqs;
	if (!one_in(d, 5))
		e->max_num_batched_tokens += (int64_t)log_between(d, 1, 2048);
	e->block_size = one_in(d, 4) ? 1 : INT64_C(4) << whole(d, 0, 3);
	e->admission = one_in(d, 2) ? REFERENCE_FULL_SEQUENCE : REFERENCE_FIRST_CHUNK;
}

/* every other time is 0, so a step takes 2^-7 s whatever it does */
static void exact_steps(struct reference_setup *s)
{
	s->gpu.linear_flops = s->gpu.flops16 = s->gpu.bandwidth = s->gpu.busbw = HUGE_VAL;
	s->gpu.lat_s = 0;
	s->engine.step_s = 0.0078125;
	s->engine.layer_s = s->engine.request_s = s->engine.host_seq_s = s->engine.launch_s = 0;
	s->engine.frontend_s = 0;
	s->replicas = 3;
}

struct length_law {
	int kind; /* 0: always 1, 1: constant, 2: uniform up to twice the mean, else exponential */
	double mean;
	bool some_ones;
};

static int64_t draw_length(struct draws *d, const struct length_law *law)
{
	double x = law->mean;

	if (law->kind == 0 || (law->some_ones && one_in(d, 6)))
		return 1;
	if (law->kind == 2)
		x = between(d, 1, 2 * law->mean);
	if (law->kind > 2)
		x = fmin(exponential(d, law->mean), 8 * law->mean);
	return larger(1, (int64_t)nearbyint(x));
}

/* longest prompt + output */
static int64_t draw_lengths(struct draws *d, struct random_scenario *r)
{
	struct length_law in = {.kind = (int)whole(d, 0, 6), .some_ones = one_in(d, 3)};
	struct length_law out = {.kind = (int)whole(d, 0, 8), .some_ones = one_in(d, 3)};
	int64_t longest = 0;

	in.mean = log_between(d, 3, 700);
	out.mean = log_between(d, 2, 120);
	for (size_t i = 0; i < r->load.requests; i++) {
		r->input[i] = draw_length(d, &in);
		r->output[i] = draw_length(d, &out);
		longest = larger(longest, r->input[i] + r->output[i]);
	}
	return longest;
}

static void draw_memory(struct draws *d, struct reference_engine *e, int64_t longest)
{
	double sequences = fmin((double)e->max_num_seqs, 8) + 3;

	e->max_model_len = longest + whole(d, 0, 100);
	if (one_in(d, 5))
		e->max_model_len = larger(2, (int64_t)(between(d, 0.4, 0.9) * (double)longest));
	longest = smaller(longest, e->max_model_len);
	if (one_in(d, 2))
		sequences = between(d, 2, 3);
	else if (one_in(d, 6))
		sequences = between(d, 0.5, 0.95);
	e->pool_blocks = (int64_t)ceil(sequences * (double)longest / (double)e->block_size);
}

static double mean(const int64_t *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i];
	return sum / (double)n;
}

/* sequences that slots, pool and (closed loop) clients let run at once in a replica */
static int64_t typical_batch(const struct random_scenario *r)
{
	const struct reference_engine *e = &r->setup.engine;
	double tokens = (double)(e->pool_blocks * e->block_size);
	double held = mean(r->input, r->load.requests) + mean(r->output, r->load.requests);
	int64_t batch = smaller(e->max_num_seqs, (int64_t)(tokens / held));

	if (!r->load.arrival_s)
		batch = smaller(batch, r->load.concurrency / r->setup.replicas);
	return larger(batch, 1);
}

/* `batch` decoders, `share` of the way through their outputs */
static struct reference_step decode_step(const struct random_scenario *r, int64_t batch,
					 double share)
{
	size_t n = r->load.requests;
	double context = mean(r->input, n) + share * mean(r->output, n);

	return (struct reference_step){.tokens = batch,
				       .rows = batch,
				       .sequences = batch,
				       .decode_context = (double)batch * context};
}

/*
 * Host work that a decoding batch's device time overtakes as its contexts grow (half of the time),
 * or within 10 % of it. A batch that replicas reach often: full, or of any size up to that.
 */
static void draw_crossing(struct draws *d, struct random_scenario *r)
{
	int64_t most = typical_batch(r), batch = one_in(d, 2) ? most : whole(d, 1, most);
	struct reference_step step = decode_step(r, batch, uniform(d));
	double factor = one_in(d, 2) ? 1 : between(d, 0.9, 1.1);
	double host = factor * reference_device_s(&r->setup, &step);

	host -= (double)batch * r->setup.engine.host_seq_s;
	r->setup.engine.launch_s = fmax(0, host / (double)r->setup.model.layers);
}

/* requests a second that all replicas can about hold */
static double capacity_rps(const struct random_scenario *r)
{
	struct reference_step decode = decode_step(r, typical_batch(r), 0.5);
	double input = mean(r->input, r->load.requests);
	struct reference_step prefill = {.tokens = (int64_t)input + 1,
					 .rows = 1,
					 .sequences = 1,
					 .pairs = input * input / 2,
					 .chunk_context = input};
	double token_s = reference_step_s(&r->setup, &decode) / (double)decode.tokens;

	return r->setup.replicas / (reference_step_s(&r->setup, &prefill) +
				    mean(r->output, r->load.requests) * token_s);
}

static void draw_arrivals(struct draws *d, struct random_scenario *r)
{
	double rate = between(d, 0.15, 1.4) * capacity_rps(r), t = 0;
	bool bursts = one_in(d, 4), at_once = one_in(d, 12);

	for (size_t i = 0; i < r->load.requests; i++) {
		double gap = exponential(d, 1 / rate);

		if (bursts)
			gap *= one_in(d, 4) ? 3.4 : 0.2;
		t += at_once ? 0 : gap;
		r->arrival_s[i] = on_clock(t);
		if (r->ties)
			r->arrival_s[i] = ldexp(floor(ldexp(t, 5)), -5);
	}
}

static void draw_closed(struct draws *d, struct random_scenario *r)
{
	r->load.arrival_s = NULL;
	r->load.concurrency = whole(d, 1, 3 * r->setup.engine.max_num_seqs * r->setup.replicas);
	r->load.concurrency = smaller(r->load.concurrency, (int64_t)r->load.requests);
	if (!r->ties && one_in(d, 2))
		r->load.think_s = on_clock(log_between(d, 1e-3, 2));
}

static void draw_choices(struct draws *d, struct random_scenario *r)
{
	for (size_t i = 0; i < r->load.requests; i++) {
		int other = (int)whole(d, 0, larger(0, r->setup.replicas - 2));

		r->choice[i][0] = (int)whole(d, 0, r->setup.replicas - 1);
		other += other >= r->choice[i][0]; /* two distinct ones */
		r->choice[i][1] = r->setup.replicas == 1 ? 0 : other;
	}
}

static void take_arrays(struct random_scenario *r, size_t n)
{
	r->input = take_memory(n, sizeof(*r->input));
	r->output = take_memory(n, sizeof(*r->output));
	r->arrival_s = take_memory(n, sizeof(*r->arrival_s));
	r->choice = take_memory(n, sizeof(*r->choice));
	r->load.requests = n;
	r->load.input = r->input;
	r->load.output = r->output;
	r->load.arrival_s = r->arrival_s;
	r->load.choice = (const int(*)[2])r->choice;
}

/* Some replicas of another GPU and engine, and a router that may know it; the scenario without them
 * is drawn before. */
static void draw_others(struct draws *d, struct random_scenario *r, int64_t longest, bool exact)
{
	struct reference_setup *s = &r->setup, *other = &r->other;

	s->weight = between(d, 0.2, 5);
	if (s->replicas == 1 || !one_in(d, 3))
		return;
	*other = *s;
	other->weight = between(d, 0.2, 5);
	draw_gpu(d, &other->gpu);
	draw_engine(d, &other->engine);
	draw_memory(d, &other->engine, longest);
	if (exact) {
		exact_steps(other);
		other->engine.step_s *= 2;
	}
	s->other = other;
	s->others = (int)whole(d, 1, s->replicas - 1);
	s->router = (enum reference_router)whole(d, 0, 5);
	r->short_max = r->input[whole(d, 0, (int64_t)r->load.requests - 1)];
	r->short_share = one_in(d, 2) ? 1 : uniform(d);
	r->long_share = one_in(d, 2) ? 0 : uniform(d);
}

void random_scenario_init(struct random_scenario *r, uint64_t seed, bool ties)
{
	struct draws d = {.state = seed};
	bool closed, exact;
	int64_t longest;

	*r = (struct random_scenario){.seed = seed, .ties = ties};
	draw_model(&d, &r->setup.model);
	draw_gpu(&d, &r->setup.gpu);
	draw_engine(&d, &r->setup.engine);
	r->setup.replicas = (int)whole(&d, 1, 4);
	r->setup.router = (enum reference_router)whole(&d, 0, 3);
	take_arrays(r, (size_t)whole(&d, 200, 1000));
	longest = draw_lengths(&d, r);
	draw_memory(&d, &r->setup.engine, longest);
	closed = one_in(&d, ties ? 2 : 4);
	exact = ties && !one_in(&d, 4);
	if (closed)
		draw_closed(&d, r);
	if (one_in(&d, 3))
		draw_crossing(&d, r);
	if (exact)
		exact_steps(&r->setup);
	if (!closed)
		draw_arrivals(&d, r);
	draw_choices(&d, r);
	draw_others(&d, r, longest, exact);
}

static void fill_engine(struct draws *d, struct reference_engine *e,
			enum reference_scheduler scheduler, int64_t longest)
{
	e->scheduler = scheduler;
	e->whole_prompts = scheduler == REFERENCE_CONTINUOUS && !one_in(d, 3);
	if (one_in(d, 3) || (scheduler == REFERENCE_CONTINUOUS && !e->whole_prompts))
		e->admission = REFERENCE_WHOLE_REQUEST;
	if (!one_in(d, 5))
		e->max_num_batched_tokens = larger(e->max_num_batched_tokens,
						   longest + (int64_t)log_between(d, 1, 2048));
	if (scheduler != REFERENCE_STATIC)
		return;
	if (!one_in(d, 3))
		e->max_num_batched_tokens *= whole(d, 1, 8);
	e->max_delay_s = one_in(d, 2) ? 0 : on_clock(log_between(d, 1e-3, 1));
}

void random_scenario_fill(struct random_scenario *r, enum reference_scheduler scheduler)
{
	struct draws d = {.state = ~r->seed};
	int64_t longest = 0;

	for (size_t i = 0; i < r->load.requests; i++)
		longest = larger(longest, r->input[i] + r->output[i]);
	fill_engine(&d, &r->setup.engine, scheduler, longest);
	if (r->setup.others && one_in(&d, 2))
		fill_engine(&d, &r->other.engine, scheduler, longest);
}

void random_scenario_free(struct random_scenario *r)
{
	free(r->input);
	free(r->output);
	free(r->arrival_s);
	free(r->choice);
	*r = (struct random_scenario){0};
}

void random_scenario_print(const struct random_scenario *r)
{
	static const char *const scheduler[] = {"continuous", "prefill-first", "static"};
	static const char *const router[] = {"round-robin",	  "chosen",
					     "least-loaded",	  "power-of-two",
					     "capacity-weighted", "length-aware"};
	const struct reference_engine *e = &r->setup.engine;

	printf("random scenario seed %llu ties %d: %zu requests, %s, %d replicas (%d others) %s, "
	       "tp %lld, "
	       "layers %lld experts %lld, seqs %lld budget %lld len %lld block %lld pool %lld, "
	       "ahead %d, %s, delay %g s, whole %d, admission %d, front end %g s, launch %g s, "
	       "clients %lld "
	       "think %g s\n",
	       (unsigned long long)r->seed, r->ties, r->load.requests,
	       r->load.arrival_s ? "open" : "closed", r->setup.replicas, r->setup.others,
	       router[r->setup.router], (long long)r->setup.gpu.tp,
	       (long long)r->setup.model.layers, (long long)r->setup.model.experts,
	       (long long)e->max_num_seqs, (long long)e->max_num_batched_tokens,
	       (long long)e->max_model_len, (long long)e->block_size, (long long)e->pool_blocks,
	       e->schedule_ahead, scheduler[e->scheduler], e->max_delay_s, e->whole_prompts,
	       (int)e->admission, e->frontend_s, e->launch_s, (long long)r->load.concurrency,
	       r->load.think_s);
}
