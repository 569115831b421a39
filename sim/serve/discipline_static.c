/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch that nobody joins or leaves: prompts padded to the longest, slots kept to the longest
 * output. */
#include "serve/compose.h"
#include "serve/discipline.h"

/* n slots of these lengths, in one prefill, with blocks for all tokens to come. */
static bool fits(const struct replica *r, int64_t n, int64_t input, int64_t output)
{
	return n * input <= r->setup->max_num_batched_tokens &&
	       n * kv_pool_blocks(&r->kv, input + output - 1) <= r->kv.blocks;
}

/* Every request of the batch emits with the prefill: its chunk is its own prompt. */
static void join(struct replica *r, tick now)
{
	int32_t slot = compose_admit(r, now);
	struct sequence *s = batch_at(&r->batch, slot);
	s->chunk = s->input_tokens;
	if (r->first_prefill == BATCH_NONE)
		r->first_prefill = slot;
}

static void begin(struct replica *r, tick threshold, tick now)
{
	int64_t n = 0, input = 0, output = 0;
	while (n < r->setup->max_num_seqs && compose_sees_head(r, threshold)) {
		int64_t longest_input = max64(input, r->head.request.input_tokens);
		int64_t longest_output = max64(output, r->head.request.output_tokens);
		if (!fits(r, n + 1, longest_input, longest_output))
			break;
		input = longest_input;
		output = longest_output;
		join(r, now);
		n++;
	}
	r->kv.free -= n * kv_pool_blocks(&r->kv, input + output - 1);
	r->stretch.decoders = r->stretch.padding = 0;
	r->stretch.next = (struct work){{
		[PER_STEP] = 1,
		[PER_TOKEN] = n * input,
		[PER_ROW] = n,
		[PER_SEQUENCE] = n,
		[PER_PAIR] = n * (input * (input + 1) / 2),
		[PER_CHUNK_CONTEXT] = n * input,
	}};
	r->changed = true;
}

/* The step after the prefill is the first of the decodes, all alike but for who is still there. */
static void go_on(struct replica *r)
{
	struct stretch *s = &r->stretch;
	int64_t slots = s->next.of[PER_ROW];
	if (!s->decoders) {
		s->decoders = slots;
		s->next = (struct work){{
			[PER_STEP] = 1,
			[PER_TOKEN] = slots,
			[PER_ROW] = slots,
			[PER_SEQUENCE] = slots,
			[PER_CONTEXT] = s->next.of[PER_CHUNK_CONTEXT] + slots,
		}};
	}
	s->padding = slots - r->batch.running;
}

static void fill(struct replica *r, tick threshold, tick now)
{
	if (r->batch.running) {
		go_on(r);
		return;
	}
	r->kv.free = r->kv.blocks;
	if (r->queue.count && replica_first_start(r) <= now)
		begin(r, threshold, now);
}

const struct discipline discipline_static = {
	"static", "batches that nobody joins or leaves, padded to the longest prompt and output",
	true,	  false,
	fill,
};
