/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vLLM before its version 1 (core/scheduler.py, _schedule_default) and TGI: heads of the queue
 * first, in steps of their own. */
#include "serve/compose.h"
#include "serve/discipline.h"

#define WATERMARK 100 /* heads leave one block in so many free */

/* For those who run, as they grow; where they reserve, they do not. */
static int64_t watermark(const struct replica *r)
{
	return r->reserves ? 0 : r->kv.blocks / WATERMARK;
}

static void fill(struct replica *r, tick threshold, tick now)
{
	compose_resting(r);
	compose_heads(r, watermark(r), threshold, now);
	bool blocked = r->stretch.blocked;
	if (r->first_prefill == BATCH_NONE)
		compose_running(r, now);
	r->stretch.blocked = blocked || r->preempted_now;
}

const struct discipline discipline_prefill_first = {
	"prefill-first",
	"whole prompts of the queue's heads alone, else those who run",
	true,
	true,
	fill,
};
