/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/work_done.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "roofline/power.h"
#include "study/step_counts.h"

/* The counters of slices [first, TALLY_SLICES) of all replications, by T or by R. */
static int64_t *sum_counters(const struct load *l, size_t pool, int first, size_t member)
{
	int64_t n = l->tally[0].pool[pool].counters, *sum = xcalloc((size_t)n, sizeof *sum);

	for (int r = 0; r < l->replications; r++) {
		const struct tally_pool *t = &l->tally[r].pool[pool];
		const int64_t *from = *(int64_t *const *)(const void *)((const char *)t + member);

		for (int s = first; s < TALLY_SLICES; s++)
			for (int64_t i = 0; i < n; i++)
				sum[i] += from[tally_counter(t, s, i)];
	}
	return sum;
}

static void add_term(struct work_done *w, const struct step_counts *s, const struct term *t)
{
	struct term_done done = step_counts_term(s, t);

	w->flops += done.flops;
	w->bytes += done.bytes;
	w->compute_s += done.compute_s;
	w->memory_s += done.memory_s;
	w->link_s += done.link_s;
}

void work_done_sum(struct work_done *w, const struct load *l, size_t pool,
		   const struct step_cost *c)
{
	struct step_counts steps[STEP_KINDS];

	memset(w, 0, sizeof *w);
	step_counts_init(steps, l, pool);
	for (int kind = 0; kind < STEP_KINDS; kind++) {
		w->busy_s += tick_to_s(steps[kind].busy);
		for (int i = 0; i < c->terms; i++)
			add_term(w, &steps[kind], &c->term[i]);
	}
	step_counts_free(steps);
	w->overhead_s = fmax(0, w->busy_s - w->compute_s - w->memory_s - w->link_s);
}

void work_done_add(struct work_done *sum, const struct work_done *w)
{
	sum->busy_s += w->busy_s;
	sum->flops += w->flops;
	sum->bytes += w->bytes;
	sum->compute_s += w->compute_s;
	sum->memory_s += w->memory_s;
	sum->link_s += w->link_s;
	sum->overhead_s += w->overhead_s;
}

double work_done_joules(const struct load *l, size_t pool, const struct fleet_part *part,
			double run_s)
{
	const struct gpu *g = &part->candidate->gpu;
	int64_t *ticks = sum_counters(l, pool, 0, offsetof(struct tally_pool, ticks_by_tokens));
	double joules = 0, busy_s = 0;

	for (int64_t i = 0; i < l->tally[0].pool[pool].counters; i++)
		if (ticks[i] > 0) {
			joules += tick_to_s(ticks[i]) * power_busy_w(g, (double)i);
			busy_s += tick_to_s(ticks[i]);
		}
	free(ticks);
	double idle_s = fmax(0, run_s * (double)part->replicas - busy_s);
	return part->unit->cost.gpus * (joules + idle_s * power_idle_w(g));
}
