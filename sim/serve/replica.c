/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/replica.h"

#include <string.h>

#include "base/bug.h"
#include "base/wide.h"
#include "serve/discipline.h"
#include "serve/scheduling.h"
#include "serve/tally.h"

/* ---- Arrival ---- */

bool replica_admissible(const struct replica *r, struct passage *p)
{
	const struct replica_setup *setup = r->setup;
	struct request *q = &p->request;
	if (q->input_tokens >= setup->max_model_len)
		return false;
	int64_t room = setup->max_model_len - q->input_tokens;
	if (q->output_tokens > room) {
		q->output_tokens = (int32_t)room;
		p->truncated = true;
	}
	int64_t longest = (int64_t)q->input_tokens + q->output_tokens - 1;
	int64_t prefill = r->reserves ? q->input_tokens : longest; /* at once, with a recompute */
	if (!setup->chunked_prefill && prefill > setup->max_num_batched_tokens)
		return false;
	return kv_pool_blocks(&r->kv, longest) <= r->kv.blocks;
}

/* Boundary of the current stretch at which a request visible at v can join, after round j. */
static int64_t joining_boundary(const struct replica *r, tick v, int64_t j)
{
	if (r->setup->schedule_ahead)
		return 1 + stretch_round_at(&r->stretch, v, j);
	return stretch_round_at(&r->stretch, v, j + 1);
}

static void leap_to(struct replica *r, int64_t boundary)
{
	r->leap_end = boundary;
	agenda_set(r->agenda, &r->station.actor, stretch_boundary(&r->stretch, boundary));
}

static void start_late(struct replica *r, tick due)
{
	r->state = REPLICA_STARTING;
	agenda_set_late(r->agenda, &r->station.actor, due);
}

tick replica_first_start(const struct replica *r)
{
	int64_t full = r->setup->max_num_seqs;
	tick start = queue_head_arrival(&r->queue) + r->setup->max_delay;
	if (r->queue.count >= full)
		start = min64(start, queue_arrival(&r->queue, full - 1));
	return start + r->frontend;
}

/* The queue's new and only head may end the leap earlier; nothing is settled for it. */
static void shorten_leap(struct replica *r, tick v)
{
	if (!r->discipline->joins || r->batch.waiting ||
	    r->batch.running >= r->setup->max_num_seqs || r->leap_end == r->stretch.j + 1)
		return;
	int64_t boundary = joining_boundary(r, v, r->stretch.j);
	if (boundary < r->leap_end)
		leap_to(r, boundary);
}

/* A batch that is to begin, and may do so earlier with one more. */
static bool waits_for_more(const struct replica *r)
{
	return r->state == REPLICA_STARTING && r->setup->max_delay && !r->batch.running;
}

static void arrive(struct station *station, const struct passage *arriving, tick now)
{
	struct replica *r = (struct replica *)station;
	struct passage p = *arriving;
	p.pool = (unsigned char)r->pool;
	if (!replica_admissible(r, &p)) {
		p.rejected = true;
		station_arrive(station->next, &p, now);
		return;
	}
	queue_push(&r->queue, &arriving->request);
	++*r->waiting;
	r->load++;
	if (r->state == REPLICA_IDLE || waits_for_more(r))
		start_late(r, max64(now, replica_first_start(r)));
	else if (r->state == REPLICA_RUNNING && r->queue.count == 1)
		shorten_leap(r, now + r->frontend);
}

static int64_t load(const struct station *station)
{
	return ((const struct replica *)station)->load;
}

/* ---- The end of a leap ---- */

/* Completes k rounds of the stretch in all counters. */
static void complete_rounds(struct replica *r, int64_t k)
{
	tally_rounds(r->tally, r->pool, &r->stretch, k);
	if (!r->resting) {
		kv_pool_advance(&r->kv, k);
		batch_advance(&r->batch, k);
	}
	stretch_advance(&r->stretch, k);
	tally_blocks(r->tally, r->pool, r->kv.blocks - r->kv.free, r->stretch.at);
}

/* Rounds that ended before now; one that ends now becomes the end of the leap. */
static void settle(struct station *station, tick now)
{
	struct replica *r = (struct replica *)station;
	if (r->state != REPLICA_RUNNING || r->leap_end == r->stretch.j + 1)
		return;
	int64_t boundary = stretch_round_at(&r->stretch, now, r->stretch.j + 1);
	if (boundary < r->leap_end && stretch_boundary(&r->stretch, boundary) == now)
		leap_to(r, boundary);
	boundary = min64(boundary, r->leap_end) - 1;
	if (boundary > r->stretch.j)
		complete_rounds(r, boundary - r->stretch.j);
}

static void look(const struct station *station, struct holding *h)
{
	const struct replica *r = (const struct replica *)station;

	h->waiting = r->queue.count + r->batch.waiting;
	h->running = r->batch.running;
	h->blocks = r->kv.blocks - r->kv.free;
	h->pool_blocks = r->kv.blocks;
}

static void leave(struct replica *r, int32_t slot, tick now)
{
	const struct sequence *s = batch_at(&r->batch, slot);
	const struct passage p = {
		.request = {s->number, s->arrival, s->input_tokens, s->output_tokens},
		.queue = s->queue,
		.first = s->first_token,
		.last = now,
		.truncated = s->truncated,
		.pool = (unsigned char)r->pool,
	};
	batch_leave(&r->batch, slot);
	batch_give(&r->batch, slot);
	r->load--;
	r->changed = true;
	station_arrive(r->station.next, &p, now);
}

static void finish_decoders(struct replica *r, tick now)
{
	for (int32_t slot; (slot = batch_finished(&r->batch)) != BATCH_NONE;) {
		const struct sequence *s = batch_at(&r->batch, slot);
		if (r->reserves)
			r->kv.free += s->blocks;
		else
			kv_pool_leave(&r->kv, s->class, batch_cached(&r->batch, s));
		leave(r, slot, now);
	}
}

/* A prefill's tokens are all cached: it emits. */
static void emit(struct replica *r, int32_t slot, tick now)
{
	struct sequence *s = batch_at(&r->batch, slot);
	if (s->emitted++ == 0)
		s->first_token = now;
	else
		tally_gaps(r->tally, now - s->last_token, 1, now);
	s->last_token = now;
	if (s->emitted == s->output_tokens) {
		r->kv.free += s->blocks;
		leave(r, slot, now);
	} else {
		if (!r->reserves)
			s->class = kv_pool_join(&r->kv, s->cached);
		batch_decode(&r->batch, slot);
		if (r->rested && r->first_rested == BATCH_NONE)
			r->first_rested = slot;
	}
}

static void finish_chunks(struct replica *r, tick now)
{
	for (int32_t slot = r->first_prefill, next; slot != BATCH_NONE; slot = next) {
		struct sequence *s = batch_at(&r->batch, slot);
		next = s->next;
		s->cached += s->chunk;
		if (s->cached == batch_known(s))
			emit(r, slot, now);
	}
}

/* The decoders' first step after others' prefills: the gaps since their last tokens. */
static void end_rest(struct replica *r, tick now)
{
	const struct batch *b = &r->batch;
	int64_t longest = b->decoders;
	for (int32_t slot = r->first_rested; slot != BATCH_NONE; slot = batch_at(b, slot)->next) {
		tally_gaps(r->tally, now - batch_at(b, slot)->last_token, 1, now);
		longest--;
	}
	if (longest)
		tally_gaps(r->tally, now - r->rested_since, longest, now);
	r->rested = false;
	r->changed = true;
}

static void end_leap(struct replica *r, tick now)
{
	r->step_start = stretch_boundary(&r->stretch, r->leap_end - 1);
	complete_rounds(r, r->leap_end - r->stretch.j);
	BUG_IF(r->stretch.at != now);
	if (r->rested && !r->resting)
		end_rest(r, now);
	finish_decoders(r, now);
	finish_chunks(r, now);
}

/* ---- The start of a step ---- */

/* Up to when a request must have become visible to join the step that starts now. */
static tick visible_until(const struct replica *r, tick now)
{
	return r->setup->schedule_ahead && r->batch.running ? r->step_start : now;
}

/* Decoders that stand still from now on had their last tokens now. */
static void begin_rest(struct replica *r, tick now)
{
	r->rested = true;
	r->rested_since = now;
	r->first_rested = BATCH_NONE;
}

static void compose(struct replica *r, tick now)
{
	r->changed |= r->first_prefill != BATCH_NONE;
	r->first_prefill = BATCH_NONE;
	r->preempted_now = false;
	r->stretch.blocked = false;
	r->discipline->compose(r, visible_until(r, now), now);
	if (r->resting && !r->rested)
		begin_rest(r, now);
}

/* ---- The leap ---- */

static void price(struct replica *r, tick now)
{
	const struct stretch *s = &r->stretch;
	struct work growth = {0};
	if (r->first_prefill == BATCH_NONE)
		growth.of[PER_CONTEXT] = s->decoders;
	struct price p = step_cost_price(r->setup->cost, &s->next, &growth);
	stretch_begin(&r->stretch, now, &p);
	r->changed = false;
}

/* Rounds after which the queue's head can join: if nothing waits before it and a slot is free. */
static int64_t rounds_to_arrival(const struct replica *r)
{
	if (!r->queue.count || r->head_known || !r->discipline->joins || r->batch.waiting ||
	    r->batch.running >= r->setup->max_num_seqs)
		return INT64_MAX;
	tick v = queue_head_arrival(&r->queue) + r->frontend;
	return joining_boundary(r, v, r->stretch.j) - r->stretch.j;
}

/* For how many rounds nothing happens but decoding. */
static int64_t horizon(const struct replica *r)
{
	if (r->preempted_now || r->first_prefill != BATCH_NONE || r->rested)
		return 1;
	int64_t k = min64(r->setup->stride, LEAP_MAX);
	k = min64(k, r->stretch.rounds - r->stretch.j);
	k = min64(k, batch_rounds_to_finish(&r->batch));
	k = min64(k, kv_pool_rounds_left(&r->kv, k));
	return k > 1 ? min64(k, rounds_to_arrival(r)) : k;
}

static void fall_idle(struct replica *r)
{
	BUG_IF(r->batch.waiting);
	r->state = REPLICA_IDLE;
	r->changed = true;
	if (r->queue.count)
		start_late(r, replica_first_start(r));
}

static void start_step(struct replica *r, tick now)
{
	compose(r, now);
	if (!r->batch.running) {
		fall_idle(r);
		return;
	}
	if (r->changed || r->stretch.j == r->stretch.rounds)
		price(r, now);
	r->state = REPLICA_RUNNING;
	leap_to(r, r->stretch.j + horizon(r));
}

static void wake(struct actor *actor, tick now)
{
	struct replica *r = (struct replica *)actor;
	if (r->state == REPLICA_RUNNING) {
		end_leap(r, now);
		if (agenda_others_at(r->agenda, now)) {
			start_late(r, now);
			return;
		}
	}
	start_step(r, now);
}

static const struct station_kind replica_kind = {
	.name = "replica",
	.arrive = arrive,
	.load = load,
	.settle = settle,
	.look = look,
};

void replica_init(struct replica *r, const struct cluster_setup *cluster, int pool,
		  const struct feed *feed, struct agenda *agenda, struct tally *tally,
		  int64_t *waiting)
{
	const struct replica_setup *setup = &cluster->pool[pool].replica;
	BUG_IF(setup->max_num_seqs < 1 || setup->max_num_batched_tokens < setup->max_num_seqs);
	BUG_IF(setup->chunked_prefill && disciplines[setup->scheduler]->whole_prompts);
	BUG_IF(setup->max_delay && disciplines[setup->scheduler]->joins);
	memset(r, 0, sizeof(*r));
	r->station.kind = &replica_kind;
	r->station.actor = (struct actor){.wake = wake, .name = "replica"};
	agenda_add(agenda, &r->station.actor);
	r->setup = setup;
	r->discipline = disciplines[setup->scheduler];
	r->pool = pool;
	r->feed = feed;
	r->agenda = agenda;
	r->tally = tally;
	r->waiting = waiting;
	r->reserves = setup->admission == ADMIT_WHOLE_REQUEST || !r->discipline->joins;
	r->frontend = tick_from_s(setup->cost->frontend_s);
	r->first_prefill = BATCH_NONE;
	r->changed = true;
	queue_init(&r->queue, !feed->lengths);
	batch_init(&r->batch);
	kv_pool_init(&r->kv, setup->pool_blocks, setup->block_size);
}

void replica_free(struct replica *r)
{
	queue_free(&r->queue);
	batch_free(&r->batch);
	kv_pool_free(&r->kv);
}

void replica_check_empty(const struct replica *r)
{
	BUG_IF(r->load || r->queue.count || r->batch.running || r->batch.waiting);
	BUG_IF(r->kv.free != r->kv.blocks || r->batch.context || r->batch.decoders);
}
