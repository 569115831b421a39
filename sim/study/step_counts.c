/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/step_counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

const char *const step_kind_names[] = {"prefill", "decode", NULL};

static void add_counters(int64_t *sum, const struct tally_pool *p, int slice, const int64_t *from)
{
	for (int64_t i = 0; i < p->counters; i++)
		sum[i] += from[tally_counter(p, slice, i)];
}

/* Tokens and quantities of all steps go to the prefills, until the decodes are taken off. */
static void add_slice(struct step_counts *prefill, struct step_counts *decode,
		      const struct tally_pool *p, int slice)
{
	const struct tally_steps *from = &p->slice[slice];

	add_counters(prefill->by_tokens, p, slice, p->rounds_by_tokens);
	add_counters(prefill->by_rows, p, slice, p->prefills_by_rows);
	add_counters(decode->by_rows, p, slice, p->decodes_by_rows);
	for (int q = 0; q < PER_CONTEXT; q++)
		prefill->work.of[q] += from->work.of[q];
	prefill->work.of[PER_CONTEXT] += from->prefill_context;
	decode->work.of[PER_CONTEXT] += from->work.of[PER_CONTEXT] - from->prefill_context;
	prefill->busy += from->prefill_busy;
	decode->busy += from->busy - from->prefill_busy;
}

/* T = R = n in the steps that only decode. */
static void take_decodes_off(struct step_counts *prefill, struct step_counts *decode)
{
	int64_t *of = decode->work.of;

	for (int64_t n = 0; n < decode->counters; n++) {
		decode->by_tokens[n] = decode->by_rows[n];
		prefill->by_tokens[n] -= decode->by_rows[n];
		of[PER_STEP] += decode->by_rows[n];
		of[PER_ROW] += n * decode->by_rows[n];
	}
	of[PER_TOKEN] = of[PER_SEQUENCE] = of[PER_ROW];
	for (int q = 0; q < PER_CONTEXT; q++)
		prefill->work.of[q] -= of[q];
}

void step_counts_init(struct step_counts s[STEP_KINDS], const struct load *l, size_t pool)
{
	for (int kind = 0; kind < STEP_KINDS; kind++) {
		memset(&s[kind], 0, sizeof s[kind]);
		s[kind].counters = l->tally[0].pool[pool].counters;
		s[kind].by_tokens = xcalloc((size_t)s[kind].counters, sizeof *s[kind].by_tokens);
		s[kind].by_rows = xcalloc((size_t)s[kind].counters, sizeof *s[kind].by_rows);
	}
	for (int r = 0; r < l->replications; r++)
		for (int slice = l->first_slice; slice < TALLY_SLICES; slice++)
			add_slice(&s[STEPS_PREFILL], &s[STEPS_DECODE], &l->tally[r].pool[pool],
				  slice);
	take_decodes_off(&s[STEPS_PREFILL], &s[STEPS_DECODE]);
}

void step_counts_free(struct step_counts s[STEP_KINDS])
{
	for (int kind = 0; kind < STEP_KINDS; kind++) {
		free(s[kind].by_tokens);
		free(s[kind].by_rows);
	}
}

static void add_time(struct term_done *d, const struct term *t, const struct work *x, double times)
{
	struct term_time time = term_time(t, x);
	double part_s = times * (time.total_s - time.fixed_s);

	if (t->kind == TERM_LINK) {
		d->link_s += times * time.total_s;
		return;
	}
	d->flops += times * time.flops;
	d->bytes += times * time.bytes;
	if (t->kind == TERM_DEVICE)
		*(time.compute_s > time.memory_s ? &d->compute_s : &d->memory_s) += part_s;
}

/* A term that may bend, at each count of tokens or rows that occurred. */
static void add_counted(struct term_done *d, const struct term *t, const int64_t *steps, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		struct work x = {{0}};

		x.of[t->of] = i;
		if (steps[i] > 0)
			add_time(d, t, &x, (double)steps[i]);
	}
}

struct term_done step_counts_term(const struct step_counts *s, const struct term *t)
{
	struct term_done d = {0};

	if (t->of == PER_TOKEN || t->of == PER_ROW)
		add_counted(&d, t, t->of == PER_TOKEN ? s->by_tokens : s->by_rows, s->counters);
	else
		add_time(&d, t, &s->work, t->of == PER_STEP ? (double)s->work.of[PER_STEP] : 1);
	return d;
}
