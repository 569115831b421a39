/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/compose.h"
#include "serve/discipline.h"

static void fill(struct replica *r, tick threshold, tick now)
{
	compose_running(r, now);
	r->stretch.blocked = r->preempted_now;
	if (!r->preempted_now && (r->queue.count || r->batch.waiting))
		compose_heads(r, kv_pool_edge(&r->kv), threshold, now);
}

const struct discipline discipline_continuous = {
	"continuous",
	"those who run go on, heads of the queue join with what is left of the budget",
	false,
	true,
	fill,
};
