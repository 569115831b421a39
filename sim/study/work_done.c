/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/work_done.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "roofline/power.h"

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

static void add_time(struct work_done *w, const struct term *t, const struct work *x, double times)
{
	struct term_time time = term_time(t, x);
	double part_s = times * (time.total_s - time.fixed_s);

	if (t->kind == TERM_LINK) {
		w->link_s += times * time.total_s;
		return;
	}
	w->flops += times * time.flops;
	w->bytes += times * time.bytes;
	if (t->kind == TERM_DEVICE)
		*(time.compute_s > time.memory_s ? &w->compute_s : &w->memory_s) += part_s;
}

/* A term that may bend, at each count of tokens or rows that occurred. */
static void add_counted(struct work_done *w, const struct term *t, const int64_t *rounds, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		struct work x = {{0}};

		x.of[t->of] = i;
		if (rounds[i] > 0)
			add_time(w, t, &x, (double)rounds[i]);
	}
}

static void sum_slices(struct work *work, tick *busy, int64_t *rounds, const struct load *l,
		       size_t pool)
{
	for (int r = 0; r < l->replications; r++)
		for (int s = l->first_slice; s < TALLY_SLICES; s++) {
			const struct tally_steps *slice = &l->tally[r].pool[pool].slice[s];

			*busy += slice->busy;
			*rounds += slice->rounds;
			for (int q = 0; q < QUANTITIES; q++)
				work->of[q] += slice->work.of[q];
		}
}

void work_done_sum(struct work_done *w, const struct load *l, size_t pool,
		   const struct step_cost *c)
{
	int64_t *tokens = sum_counters(l, pool, l->first_slice,
				       offsetof(struct tally_pool, rounds_by_tokens));
	int64_t *rows = sum_counters(l, pool, l->first_slice,
				     offsetof(struct tally_pool, prefills_by_rows));
	int64_t *decodes =
		sum_counters(l, pool, l->first_slice, offsetof(struct tally_pool, decodes_by_rows));
	int64_t n = l->tally[0].pool[pool].counters, rounds = 0;
	struct work work = {{0}};
	tick busy = 0;

	memset(w, 0, sizeof *w);
	sum_slices(&work, &busy, &rounds, l, pool);
	for (int64_t i = 0; i < n; i++)
		rows[i] += decodes[i];
	for (int i = 0; i < c->terms; i++) {
		const struct term *t = &c->term[i];

		if (t->of == PER_TOKEN || t->of == PER_ROW)
			add_counted(w, t, t->of == PER_TOKEN ? tokens : rows, n);
		else
			add_time(w, t, &work, t->of == PER_STEP ? (double)rounds : 1);
	}
	free(tokens);
	free(rows);
	free(decodes);
	w->busy_s = tick_to_s(busy);
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
