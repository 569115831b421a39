/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/compose.h"

#include "base/bug.h"
#include "serve/scheduling.h"

/* Of the running list's last, a decoder. */
static tick last_token(struct replica *r, tick now)
{
	const struct batch *b = &r->batch;
	if (!r->rested)
		return now;
	if (r->first_rested == BATCH_NONE)
		return r->rested_since;
	if (r->first_rested == b->last)
		r->first_rested = BATCH_NONE;
	return batch_at(b, b->last)->last_token;
}

/* The running list's last becomes the queue's head; its blocks are free. */
static void preempt_last(struct replica *r, tick now)
{
	struct sequence *s = batch_at(&r->batch, r->batch.last);
	if (s->decoding) {
		kv_pool_leave(&r->kv, s->class, batch_cached(&r->batch, s));
		s->last_token = last_token(r, now);
	} else {
		r->kv.free += s->blocks;
	}
	s->preempted = now;
	batch_preempt(&r->batch);
	tally_preempt(r->tally, now);
	r->preempted_now = r->changed = true;
}

/* That a prefill holds with so many tokens cached. */
static int64_t blocks_with(const struct replica *r, const struct sequence *s, int64_t cached)
{
	if (r->reserves)
		cached = (int64_t)s->input_tokens + s->output_tokens - 1;
	return kv_pool_blocks(&r->kv, cached);
}

/* Adds `tokens` of a prefill to the step, whose blocks there are. */
static void add_chunk(struct replica *r, int32_t slot, int64_t tokens)
{
	struct sequence *s = batch_at(&r->batch, slot);
	struct work *w = &r->stretch.next;
	int64_t blocks = blocks_with(r, s, s->cached + tokens);
	r->kv.free -= blocks - s->blocks;
	s->blocks = (int32_t)blocks;
	s->chunk = (int32_t)tokens;
	w->of[PER_TOKEN] += tokens;
	w->of[PER_SEQUENCE]++;
	w->of[PER_ROW] += s->cached + tokens == batch_known(s);
	w->of[PER_PAIR] += tokens * s->cached + tokens * (tokens + 1) / 2;
	w->of[PER_CHUNK_CONTEXT] += s->cached + tokens;
	if (r->first_prefill == BATCH_NONE)
		r->first_prefill = slot;
	r->changed = true;
}

/*
 * Takings of the running list. Going through it in order and preempting its end whenever blocks are
 * short leaves the longest beginning of the list whose needs are met by what is free after the rest
 * has gone: found from the end, without a loop over the batch. Only the last can be a prefill.
 */
void compose_running(struct replica *r, tick now)
{
	struct batch *b = &r->batch;
	int64_t chunk = 0, need = 0;
	if (b->running > b->decoders) {
		const struct sequence *s = batch_at(b, b->last);
		chunk = min64(batch_known(s) - s->cached,
			      r->setup->max_num_batched_tokens - b->decoders);
		need = blocks_with(r, s, s->cached + chunk) - s->blocks;
	}
	while (b->running && kv_pool_edge(&r->kv) + need > r->kv.free) {
		preempt_last(r, now);
		chunk = need = 0;
	}
	r->resting = false;
	r->stretch.resting = 0;
	r->stretch.decoders = r->rested ? 0 : b->decoders;
	r->stretch.next = (struct work){{
		[PER_STEP] = 1,
		[PER_TOKEN] = b->decoders,
		[PER_ROW] = b->decoders,
		[PER_SEQUENCE] = b->decoders,
		[PER_CONTEXT] = b->context,
	}};
	if (chunk)
		add_chunk(r, b->last, chunk);
}

void compose_resting(struct replica *r)
{
	const struct batch *b = &r->batch;
	r->resting = true;
	r->stretch.resting = b->context - b->decoders;
	r->stretch.decoders = 0;
	r->stretch.next = (struct work){{[PER_STEP] = 1}};
}

bool compose_sees_head(struct replica *r, tick threshold)
{
	if (!r->queue.count || queue_head_arrival(&r->queue) + r->frontend > threshold)
		return false;
	if (!r->head_known) {
		r->head = (struct passage){0};
		queue_head(&r->queue, &r->head.request);
		if (r->feed->lengths)
			r->feed->lengths(r->feed->from, r->head.request.number, &r->head.request);
		BUG_IF(!replica_admissible(r, &r->head));
		r->head_known = true;
	}
	return true;
}

int32_t compose_admit(struct replica *r, tick now)
{
	int32_t slot = batch_take(&r->batch);
	struct sequence *s = batch_at(&r->batch, slot);
	const struct request *q = &r->head.request;
	s->number = q->number;
	s->arrival = q->arrival;
	s->input_tokens = q->input_tokens;
	s->output_tokens = q->output_tokens;
	s->truncated = r->head.truncated;
	s->emitted = 0;
	s->queue = now - q->arrival - r->frontend;
	batch_admit(&r->batch, slot);
	queue_drop(&r->queue);
	r->head_known = false;
	--*r->waiting;
	tally_wait(r->tally, s->queue, now);
	return slot;
}

static int32_t readmit(struct replica *r, tick now)
{
	int32_t slot = batch_readmit(&r->batch);
	tally_wait(r->tally, now - batch_at(&r->batch, slot)->preempted, now);
	return slot;
}

/* Tokens that the head would take in this step, 0: none; blocked is set if blocks are what it
 * lacks. */
static int64_t head_chunk(struct replica *r, int64_t known, int64_t kept)
{
	int64_t chunk =
		min64(known, r->setup->max_num_batched_tokens - r->stretch.next.of[PER_TOKEN]);
	if (chunk < known && !r->setup->chunked_prefill)
		return 0;
	int64_t want = r->setup->admission == ADMIT_FIRST_CHUNK ? chunk : known;
	if (r->reserves)
		want += r->head.request.output_tokens - 1;
	int64_t blocks = kv_pool_blocks(&r->kv, want);
	r->stretch.blocked = blocks > r->kv.free - (r->batch.running ? kept : 0);
	return r->stretch.blocked ? 0 : chunk;
}

void compose_heads(struct replica *r, int64_t kept, tick threshold, tick now)
{
	struct batch *b = &r->batch;
	while (b->running < r->setup->max_num_seqs &&
	       (b->waiting || compose_sees_head(r, threshold))) {
		int64_t known = b->waiting ? batch_known(batch_at(b, b->preempted))
					   : r->head.request.input_tokens;
		int64_t chunk = head_chunk(r, known, kept);
		if (chunk <= 0)
			break;
		add_chunk(r, b->waiting ? readmit(r, now) : compose_admit(r, now), chunk);
	}
}
