/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/step_counts.h"
#include "study/work_done.h"
#include "unit/study/fixture_load.h"

/* A tally that is filled step by step, and what each kind of step should come to. */
struct world {
	struct fixture_load of;
	double flops[STEP_KINDS], bytes[STEP_KINDS];
};

/* One step through the tally's own door, `rounds` times; FLOPs and bytes term by term. */
static void add(struct world *w, int slice, int64_t rounds, const struct work *step)
{
	static const struct work none = {{0}};
	struct tally *t = &w->of.l.tally[0];
	struct price price = step_cost_price(&w->of.u.cost, step, &none);
	int kind = step->of[PER_PAIR] > 0 ? STEPS_PREFILL : STEPS_DECODE;

	t->slice_now = t->slice_before = slice;
	for (int64_t i = 0; i < rounds; i++) {
		struct stretch s = {.next = *step};

		stretch_begin(&s, 0, &price);
		tally_rounds(t, 0, &s, 1);
	}
	for (int i = 0; i < w->of.u.cost.terms && slice >= w->of.l.first_slice; i++) {
		struct term_time time = term_time(&w->of.u.cost.term[i], step);

		if (w->of.u.cost.term[i].kind == TERM_LINK)
			continue;
		w->flops[kind] += (double)rounds * time.flops;
		w->bytes[kind] += (double)rounds * time.bytes;
	}
}

/* Steps that only decode, of 1 to 40 sequences; chunks alone and beside decodes, one of a single
 * token; in two measured slices and one before the cut. */
static void fill(struct world *w)
{
	for (int64_t n = 1; n <= 40; n += 3)
		add(w, n % 2 ? 1 : 10, 2 + n, &(struct work){{1, n, n, n, 0, 0, n * (500 + n), 0}});
	add(w, 1, 7, &(struct work){{1, 512, 1, 1, 512 * 513 / 2, 512, 0, 0}});
	add(w, 10, 5, &(struct work){{1, 2048, 9, 10, 2040 * 2041 / 2, 2040, 8 * 700, 0}});
	add(w, 10, 3, &(struct work){{1, 1, 1, 1, 1, 1, 0, 0}});
	add(w, 0, 11, &(struct work){{1, 100, 4, 5, 96 * 97 / 2, 96, 4 * 100, 0}});
	add(w, 0, 11, &(struct work){{1, 4, 4, 4, 0, 0, 4 * 100, 0}});
}

static void kinds_are_told_apart(void **state)
{
	(void)state;
	struct world w = {.flops = {0}};
	struct step_counts s[STEP_KINDS];

	fixture_load_init(&w.of, "llama-3.1-8b", 1, 3000);
	fill(&w);
	step_counts_init(s, &w.of.l, 0);
	assert_int_equal(s[STEPS_PREFILL].work.of[PER_STEP], 7 + 5 + 3);
	assert_int_equal(s[STEPS_PREFILL].work.of[PER_TOKEN], 7 * 512 + 5 * 2048 + 3);
	assert_int_equal(s[STEPS_PREFILL].work.of[PER_ROW], 7 + 5 * 9 + 3);
	assert_int_equal(s[STEPS_PREFILL].work.of[PER_SEQUENCE], 7 + 5 * 10 + 3);
	assert_int_equal(s[STEPS_PREFILL].work.of[PER_CONTEXT], 5 * 8 * 700);
	assert_int_equal(s[STEPS_PREFILL].by_tokens[512], 7);
	assert_int_equal(s[STEPS_PREFILL].by_tokens[1], 3);
	assert_int_equal(s[STEPS_PREFILL].by_tokens[4], 0);
	assert_int_equal(s[STEPS_PREFILL].by_rows[9], 5);
	assert_int_equal(s[STEPS_DECODE].by_tokens[4], 6);
	assert_int_equal(s[STEPS_DECODE].by_rows[1], 3);
	assert_int_equal(s[STEPS_DECODE].work.of[PER_PAIR], 0);
	assert_int_equal(s[STEPS_DECODE].work.of[PER_CHUNK_CONTEXT], 0);
	step_counts_free(s);
	fixture_load_free(&w.of);
}

/* FLOPs and bytes of both kinds as summed step by step, and together those of the whole; a mixture
 * of experts, which reads fewer of them in small steps, on four GPUs. */
static void work_adds_up(void **state)
{
	(void)state;
	static const char *const models[] = {"llama-3.1-8b", "mixtral-8x7b"};

	for (size_t m = 0; m < 2; m++) {
		struct world w = {.flops = {0}};
		struct step_counts s[STEP_KINDS];
		struct work_done whole;
		double flops = 0, bytes = 0, busy_s = 0;

		fixture_load_init(&w.of, models[m], m == 0 ? 1 : 4, 3000);
		fill(&w);
		step_counts_init(s, &w.of.l, 0);
		work_done_sum(&whole, &w.of.l, 0, &w.of.u.cost);
		for (int kind = 0; kind < STEP_KINDS; kind++) {
			struct term_done sum = {0};

			for (int i = 0; i < w.of.u.cost.terms; i++) {
				struct term_done done =
					step_counts_term(&s[kind], &w.of.u.cost.term[i]);

				sum.flops += done.flops;
				sum.bytes += done.bytes;
			}
			assert_near(sum.flops / w.flops[kind], 1, 1e-13);
			assert_near(sum.bytes / w.bytes[kind], 1, 1e-13);
			flops += sum.flops;
			bytes += sum.bytes;
			busy_s += tick_to_s(s[kind].busy);
		}
		assert_near(flops / whole.flops, 1, 1e-14);
		assert_near(bytes / whole.bytes, 1, 1e-14);
		assert_near(busy_s, whole.busy_s, 0);
		step_counts_free(s);
		fixture_load_free(&w.of);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(work_adds_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
