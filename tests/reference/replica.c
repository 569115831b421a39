/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replica.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of request numbers ---- */

struct list {
	size_t *at, count;
};

static void *take_memory(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		abort();
	return p;
}

static void list_append(struct list *l, size_t i)
{
	l->at[l->count++] = i;
}

static void list_prepend(struct list *l, size_t i)
{
	memmove(l->at + 1, l->at, l->count++ * sizeof(*l->at));
	l->at[0] = i;
}

static size_t list_shift(struct list *l)
{
	size_t first = l->at[0];

	memmove(l->at, l->at + 1, --l->count * sizeof(*l->at));
	return first;
}

/* ---- requests in motion: section 5 ---- */

struct sequence {
	int64_t input, output, emitted, cached, blocks, taken; /* taken: tokens in this step */
	bool decoding, seen;
	double visible_s, waiting_s; /* arrival + front end; when it last joined the queue */
};

struct replica {
	const struct reference_setup *setup; /* of its kind */
	struct list coming, queue, running;  /* coming: routed, front end passed or not */
	int64_t free_blocks, load, budget;
	int64_t slots, padded, depth; /* static: of the batch; longest prompt, tokens since */
	bool busy;
	double start_s, end_s; /* of the step that runs, or ran last */
};

struct run {
	const struct reference_setup *setup;
	const struct reference_load *load;
	struct reference_result *out;
	struct sequence *sequence;
	struct replica *replica;
	size_t known, next; /* arrivals whose time is known, the next one to be routed */
	double now;
};

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t blocks_for(const struct replica *r, int64_t tokens)
{
	int64_t size = r->setup->engine.block_size;

	return (tokens + size - 1) / size;
}

static void note_margin(struct run *run, double a, double b)
{
	if (a != b && fabs(a - b) < run->out->margin_s)
		run->out->margin_s = fabs(a - b);
}

/* a request ends: in a closed loop its client thinks, then issues the next number */
static void request_ended(struct run *run)
{
	if (!run->load->arrival_s && run->known < run->load->requests)
		run->out->request[run->known++].arrival_s = run->now + run->load->think_s;
	run->out->end_s = run->now;
}

/* requests of a replica, or what capacity-weighted makes of them */
static double weighted_load(const struct replica *r, bool weighted)
{
	return weighted ? (double)(r->load + 1) / r->setup->weight : (double)r->load;
}

/* of replicas [from, to) */
static int least_loaded(const struct run *run, int from, int to, bool weighted)
{
	int best = from;

	for (int k = from + 1; k < to; k++)
		if (weighted_load(&run->replica[k], weighted) <
		    weighted_load(&run->replica[best], weighted))
			best = k;
	return best;
}

static int route(const struct run *run, size_t i)
{
	int n = run->setup->replicas, first = n - run->setup->others, best, other;

	switch (run->setup->router) {
	case REFERENCE_ROUND_ROBIN:
		return (int)(i % (size_t)n);
	case REFERENCE_CHOSEN:
		return run->load->choice[i][0];
	case REFERENCE_LEAST_LOADED:
		return least_loaded(run, 0, n, false);
	case REFERENCE_CAPACITY_WEIGHTED:
		return least_loaded(run, 0, n, true);
	case REFERENCE_LENGTH_AWARE:
		return run->load->choice[i][0] ? least_loaded(run, first, n, false)
					       : least_loaded(run, 0, first, false);
	case REFERENCE_POWER_OF_TWO:
		best = run->load->choice[i][0];
		other = run->load->choice[i][1];
		if (run->replica[other].load == run->replica[best].load)
			return best < other ? best : other;
		return run->replica[other].load < run->replica[best].load ? other : best;
	}
	abort();
}

static bool whole_prompts(const struct reference_engine *e)
{
	return e->whole_prompts || e->scheduler != REFERENCE_CONTINUOUS;
}

/* the most that one prefill of whole prompts may have to hold */
static int64_t one_step(const struct reference_engine *e, int64_t input, int64_t output)
{
	bool once = e->scheduler == REFERENCE_STATIC || e->admission == REFERENCE_WHOLE_REQUEST;

	return once ? input : input + output - 1;
}

/* false: never served */
static bool cut_to_size(struct run *run, size_t i)
{
	struct reference_request *r = &run->out->request[i];
	const struct replica *server = &run->replica[r->replica];
	const struct reference_engine *e = &server->setup->engine;
	int64_t input = run->load->input[i], room = e->max_model_len - input;

	r->output = run->load->output[i];
	if (room <= 0)
		return false;
	r->truncated = r->output > room;
	r->output = least(r->output, room);
	run->out->truncated += r->truncated;
	if (whole_prompts(e) && one_step(e, input, r->output) > e->max_num_batched_tokens)
		return false;
	return blocks_for(server, input + r->output - 1) <= e->pool_blocks;
}

static void arrive(struct run *run, size_t i)
{
	struct reference_request *r = &run->out->request[i];
	struct sequence *s = &run->sequence[i];
	struct replica *server;

	r->replica = route(run, i);
	server = &run->replica[r->replica];
	if (!cut_to_size(run, i)) {
		r->rejected = true;
		run->out->rejected++;
		request_ended(run);
		return;
	}
	s->input = run->load->input[i];
	s->output = r->output;
	s->visible_s = r->arrival_s + server->setup->engine.frontend_s;
	server->load++;
	list_append(&server->coming, i);
}

/* In a closed loop a step's start and a visibility may be sums of the very same times: equal here,
 * apart in another arithmetic. */
static void note_equal_sums(struct run *run, const struct replica *r)
{
	double delay_s = r->setup->engine.frontend_s + run->load->think_s;

	if (!run->load->arrival_s && (r->running.count || r->end_s == run->now) && delay_s > 0)
		run->out->margin_s = 0;
}

/* (1) visible requests join the queue */
static void join_queue(struct run *run, struct replica *r)
{
	bool ahead = r->setup->engine.schedule_ahead && r->running.count;
	double bound = ahead ? r->start_s : run->now;

	while (r->coming.count) {
		struct sequence *s = &run->sequence[r->coming.at[0]];

		note_margin(run, s->visible_s, bound);
		if (s->visible_s == bound)
			note_equal_sums(run, r);
		if (s->visible_s > bound)
			return;
		s->waiting_s = s->visible_s;
		list_append(&r->queue, list_shift(&r->coming));
	}
}

static void take_tokens(struct replica *r, struct sequence *s, int64_t tokens)
{
	int64_t blocks = blocks_for(r, s->cached + tokens);

	if (r->setup->engine.admission == REFERENCE_WHOLE_REQUEST)
		blocks = blocks_for(r, s->input + s->output - 1);
	r->free_blocks -= blocks - s->blocks;
	s->blocks = blocks;
	s->taken = tokens;
	r->budget -= tokens;
}

/* the sequence at the end of the running list loses all it has and heads the queue */
static size_t preempt_last(struct run *run, struct replica *r)
{
	size_t victim = r->running.at[--r->running.count];
	struct sequence *s = &run->sequence[victim];

	r->free_blocks += s->blocks;
	s->blocks = s->cached = 0;
	s->decoding = false;
	s->waiting_s = run->now;
	run->out->preemptions++;
	run->out->request[victim].preemptions++;
	list_prepend(&r->queue, victim);
	return victim;
}

/* (2) the running pass; true if something was preempted */
static bool run_running(struct run *run, struct replica *r)
{
	bool preempted = false;

	for (size_t k = 0; k < r->running.count && r->budget > 0; k++) {
		size_t i = r->running.at[k];
		struct sequence *s = &run->sequence[i];
		int64_t tokens = least(s->input + s->emitted - s->cached, r->budget);

		while (blocks_for(r, s->cached + tokens) > s->blocks + r->free_blocks) {
			preempted = true;
			if (preempt_last(run, r) == i)
				return true;
		}
		take_tokens(r, s, tokens);
	}
	return preempted;
}

/* blocks that heads must leave free */
static int64_t watermark(const struct replica *r)
{
	const struct reference_engine *e = &r->setup->engine;
	bool keeps = e->scheduler == REFERENCE_PREFILL_FIRST && r->running.count;

	return keeps && e->admission != REFERENCE_WHOLE_REQUEST ? e->pool_blocks / 100 : 0;
}

static void note_wait(struct run *run, size_t i)
{
	struct sequence *s = &run->sequence[i];

	run->out->queue_integral += run->now - s->waiting_s;
	if (!s->seen)
		run->out->request[i].queue_s = run->now - s->visible_s;
	s->seen = true;
}

/* (3) heads of the queue are admitted until the first that does not fit */
static void admit(struct run *run, struct replica *r)
{
	const struct reference_engine *e = &r->setup->engine;

	while (r->queue.count && r->budget > 0 && (int64_t)r->running.count < e->max_num_seqs) {
		size_t i = r->queue.at[0];
		struct sequence *s = &run->sequence[i];
		int64_t known = s->input + s->emitted, tokens = least(known, r->budget);
		int64_t wanted = e->admission == REFERENCE_FIRST_CHUNK ? tokens : known;

		if (e->admission == REFERENCE_WHOLE_REQUEST)
			wanted = s->input + s->output - 1;
		if (whole_prompts(e) && tokens < known)
			return;
		if (blocks_for(r, wanted) > r->free_blocks - watermark(r))
			return;
		list_append(&r->running, list_shift(&r->queue));
		take_tokens(r, s, tokens);
		note_wait(run, i);
	}
}

/* whether the head can join a static batch of n; if so, the longest lengths with it */
static bool joins_batch(const struct replica *r, const struct sequence *s, int64_t n,
			int64_t *input, int64_t *output)
{
	const struct reference_engine *e = &r->setup->engine;
	int64_t in = *input > s->input ? *input : s->input;
	int64_t out = *output > s->output ? *output : s->output;

	if (n == e->max_num_seqs || (n + 1) * in > e->max_num_batched_tokens ||
	    (n + 1) * blocks_for(r, in + out - 1) > e->pool_blocks)
		return false;
	*input = in;
	*output = out;
	return true;
}

/* when a static replica without a batch, with somebody in its queue, begins one */
static double batch_due(const struct run *run, const struct replica *r)
{
	const struct reference_engine *e = &r->setup->engine;

	if ((int64_t)r->queue.count >= e->max_num_seqs)
		return -HUGE_VAL;
	return run->sequence[r->queue.at[0]].visible_s + e->max_delay_s;
}

static void begin_batch(struct run *run, struct replica *r)
{
	int64_t output = 0;

	r->free_blocks = r->setup->engine.pool_blocks;
	r->slots = r->padded = r->depth = 0;
	if (!r->queue.count || batch_due(run, r) > run->now)
		return;
	while (r->queue.count &&
	       joins_batch(r, &run->sequence[r->queue.at[0]], r->slots, &r->padded, &output)) {
		size_t i = list_shift(&r->queue);

		list_append(&r->running, i);
		run->sequence[i].taken = run->sequence[i].input;
		note_wait(run, i);
		r->slots++;
	}
	r->free_blocks -= r->slots * blocks_for(r, r->padded + output - 1);
}

static struct reference_step describe_batch(const struct replica *r)
{
	double slots = (double)r->slots, padded = (double)r->padded;
	struct reference_step step = {.tokens = r->slots, .rows = r->slots, .sequences = r->slots};

	if (r->depth) {
		step.decode_context = slots * (padded + (double)r->depth);
	} else {
		step.tokens *= r->padded;
		step.pairs = slots * padded * (padded + 1) / 2;
		step.chunk_context = slots * padded;
	}
	return step;
}

/* a static replica: the batch goes on, or the next one begins */
static struct reference_step compose_static(struct run *run, struct replica *r)
{
	if (!r->running.count) {
		begin_batch(run, r);
		return describe_batch(r);
	}
	for (size_t k = 0; k < r->running.count; k++)
		run->sequence[r->running.at[k]].taken = 1;
	r->depth++;
	return describe_batch(r);
}

static struct reference_step describe(const struct run *run, const struct replica *r)
{
	struct reference_step step = {0};

	for (size_t k = 0; k < r->running.count; k++) {
		const struct sequence *s = &run->sequence[r->running.at[k]];
		double c = (double)s->taken, q = (double)s->cached;

		if (!s->taken)
			continue;
		step.tokens += s->taken;
		step.sequences++;
		step.rows += s->cached + s->taken == s->input + s->emitted;
		if (s->decoding) {
			step.decode_context += q + 1;
		} else {
			step.pairs += c * q + c * (c + 1) / 2;
			step.chunk_context += q + c;
		}
	}
	return step;
}

static void count_step(struct run *run, const struct replica *r, const struct reference_step *step)
{
	struct reference_result *out = run->out;
	double length = r->end_s - r->start_s, cached = 0, flops, bytes;
	int64_t used = r->setup->engine.pool_blocks - r->free_blocks;

	for (size_t k = 0; k < r->running.count; k++) {
		const struct sequence *s = &run->sequence[r->running.at[k]];

		cached += (double)(s->cached + s->taken);
	}
	if (r->setup->engine.scheduler == REFERENCE_STATIC)
		cached = step->chunk_context + step->decode_context;
	out->steps++;
	out->tokens += step->tokens;
	out->rows += step->rows;
	out->sequences += step->sequences;
	out->pairs += step->pairs;
	out->chunk_context += step->chunk_context;
	out->decode_context += step->decode_context;
	out->busy_s += length;
	out->batch_integral += (double)step->sequences * length;
	out->kv_integral += cached * length;
	out->blocks_max = used > out->blocks_max ? used : out->blocks_max;
	reference_work(r->setup, step, &flops, &bytes);
	out->flops += flops;
	out->bytes += bytes;
}

/* who is in the step, and with how many tokens */
static void compose(struct run *run, struct replica *r)
{
	size_t before = r->running.count;

	r->budget = r->setup->engine.max_num_batched_tokens;
	for (size_t k = 0; k < r->running.count; k++)
		run->sequence[r->running.at[k]].taken = 0;
	if (r->setup->engine.scheduler == REFERENCE_CONTINUOUS) {
		if (!run_running(run, r))
			admit(run, r);
		return;
	}
	admit(run, r);
	if (r->running.count == before)
		run_running(run, r);
}

/* (4) an idle replica starts a step if it has anything to do */
static void start_step(struct run *run, struct replica *r)
{
	struct reference_step step;

	join_queue(run, r);
	if (!r->running.count && !r->queue.count)
		return;
	if (r->setup->engine.scheduler == REFERENCE_STATIC) {
		step = compose_static(run, r);
		if (!step.tokens)
			return;
	} else {
		compose(run, r);
		step = describe(run, r);
	}
	if (!step.tokens)
		abort();
	r->busy = true;
	r->start_s = run->now;
	r->end_s = run->now + reference_step_s(r->setup, &step);
	count_step(run, r, &step);
}

static void keep_gap(struct reference_result *out, double gap_s)
{
	if (out->gaps == out->gaps_room) {
		out->gaps_room = out->gaps_room ? 2 * out->gaps_room : 1024;
		out->gap_s = realloc(out->gap_s, out->gaps_room * sizeof(*out->gap_s));
		if (!out->gap_s)
			abort();
	}
	out->gap_s[out->gaps++] = gap_s;
}

/* one token; true if it was the last */
static bool emit(struct run *run, size_t i)
{
	struct sequence *s = &run->sequence[i];
	struct reference_request *r = &run->out->request[i];

	run->out->emitted++;
	if (s->emitted++)
		keep_gap(run->out, run->now - r->last_s);
	else
		r->first_s = run->now;
	r->last_s = run->now;
	s->decoding = true;
	return s->emitted == r->output;
}

static void leave(struct run *run, struct replica *r, size_t i)
{
	struct reference_request *request = &run->out->request[i];

	r->free_blocks += run->sequence[i].blocks;
	r->load--;
	request->ttft_s = request->first_s - request->arrival_s;
	request->e2e_s = request->last_s - request->arrival_s;
	run->out->completed++;
	request_ended(run);
}

/* (5) the step ends: tokens are emitted, the finished leave */
static void end_step(struct run *run, struct replica *r)
{
	size_t kept = 0;

	r->busy = false;
	for (size_t k = 0; k < r->running.count; k++) {
		size_t i = r->running.at[k];
		struct sequence *s = &run->sequence[i];

		s->cached += s->taken;
		if (s->taken && s->cached == s->input + s->emitted && emit(run, i))
			leave(run, r, i);
		else
			r->running.at[kept++] = i;
	}
	r->running.count = kept;
}

/* when this replica acts next by itself; infinity: never */
static double replica_next(const struct run *run, const struct replica *r)
{
	double due = HUGE_VAL;

	if (r->busy)
		return r->end_s;
	if (r->queue.count) /* static, waiting for more */
		due = batch_due(run, r);
	return r->coming.count ? fmin(due, run->sequence[r->coming.at[0]].visible_s) : due;
}

static double arrival_next(const struct run *run)
{
	return run->next < run->known ? run->out->request[run->next].arrival_s : HUGE_VAL;
}

/* the order of an arrival and a step's end, or of two ends in a closed loop, decides loads */
static void note_order(struct run *run, double t)
{
	enum reference_router router = run->setup->router;
	bool by_load = router != REFERENCE_ROUND_ROBIN && router != REFERENCE_CHOSEN;
	bool closed = !run->load->arrival_s;

	if (run->setup->replicas == 1 || !(by_load || closed))
		return;
	for (int k = 0; k < run->setup->replicas; k++) {
		const struct replica *r = &run->replica[k];

		if (r->busy)
			note_margin(run, arrival_next(run), r->end_s);
		if (r->busy && closed)
			note_margin(run, t, r->end_s);
	}
}

static double next_time(struct run *run)
{
	double t = arrival_next(run);

	for (int k = 0; k < run->setup->replicas; k++)
		t = fmin(t, replica_next(run, &run->replica[k]));
	note_order(run, t);
	return t;
}

/* one arrival or the end of one step that is due now; false: there is none */
static bool one_event(struct run *run)
{
	if (arrival_next(run) <= run->now) {
		arrive(run, run->next++);
		return true;
	}
	for (int k = 0; k < run->setup->replicas; k++) {
		struct replica *r = &run->replica[k];

		if (r->busy && r->end_s <= run->now) {
			end_step(run, r);
			return true;
		}
	}
	return false;
}

static void replica_init(struct replica *r, const struct run *run, bool other)
{
	size_t n = run->load->requests;

	r->setup = other ? run->setup->other : run->setup;
	r->coming.at = take_memory(n, sizeof(*r->coming.at));
	r->queue.at = take_memory(n, sizeof(*r->queue.at));
	r->running.at = take_memory(n, sizeof(*r->running.at));
	r->free_blocks = r->setup->engine.pool_blocks;
}

static void run_init(struct run *run)
{
	const struct reference_load *load = run->load;
	struct reference_result *out = run->out;

	*out = (struct reference_result){.requests = load->requests, .margin_s = HUGE_VAL};
	out->request = take_memory(load->requests, sizeof(*out->request));
	run->sequence = take_memory(load->requests, sizeof(*run->sequence));
	run->replica = take_memory((size_t)run->setup->replicas, sizeof(*run->replica));
	for (int k = 0; k < run->setup->replicas; k++)
		replica_init(&run->replica[k], run, k >= run->setup->replicas - run->setup->others);
	run->known = load->requests;
	if (!load->arrival_s)
		run->known = (size_t)least((int64_t)load->requests, load->concurrency);
	for (size_t i = 0; load->arrival_s && i < load->requests; i++)
		out->request[i].arrival_s = load->arrival_s[i];
}

static void run_free(struct run *run)
{
	for (int k = 0; k < run->setup->replicas; k++) {
		free(run->replica[k].coming.at);
		free(run->replica[k].queue.at);
		free(run->replica[k].running.at);
	}
	free(run->replica);
	free(run->sequence);
}

void reference_run(const struct reference_setup *setup, const struct reference_load *load,
		   struct reference_result *out)
{
	struct run run = {.setup = setup, .load = load, .out = out};

	run_init(&run);
	while ((run.now = next_time(&run)) < HUGE_VAL) {
		while (one_event(&run))
			;
		for (int k = 0; k < setup->replicas; k++)
			if (!run.replica[k].busy)
				start_step(&run, &run.replica[k]);
	}
	run_free(&run);
}

void reference_result_free(struct reference_result *out)
{
	free(out->request);
	free(out->gap_s);
	*out = (struct reference_result){0};
}
