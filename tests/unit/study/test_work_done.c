/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "roofline/power.h"
#include "study/work_done.h"
#include "unit/study/fixture_load.h"

/* `rounds` decode steps of n sequences with `context` tokens each, in a slice. */
static void add_decodes(struct fixture_load *w, int slice, int64_t rounds, int64_t n,
			int64_t context)
{
	static const struct work none = {{0}};
	struct tally_pool *t = &w->l.tally[0].pool[0];
	struct work step = {{1, n, n, n, 0, 0, n * context, 0}};
	double s = step_cost_price(&w->u.cost, &step, &none).first_s;

	t->rounds_by_tokens[tally_counter(t, slice, n)] += rounds;
	t->ticks_by_tokens[tally_counter(t, slice, n)] += tick_from_s(s * (double)rounds);
	t->decodes_by_rows[tally_counter(t, slice, n)] += rounds;
	t->slice[slice].rounds += rounds;
	t->slice[slice].busy += tick_from_s(s * (double)rounds);
	for (int q = 0; q < QUANTITIES; q++)
		t->slice[slice].work.of[q] += rounds * step.of[q];
}

/*
 * 1,000 steps of 8 sequences at 1,000 tokens. A step's FLOPs: 2 * 8 * (32 layers of 218,103,808
 * weights [attention 2*4096*4096 + 2*4096*1024 = 41,943,040; MLP 3*4096*14336 = 176,160,768] + head
 * 4096*128256 = 525,336,576) + 4*32*128*8,000 * 32 = 8 * 15,009,316,864 + 4,194,304,000. Bytes: 2 *
 * (6,979,321,856 + 525,336,576) + 2*8*128*2 * 8,000 * 32 = 15,009,316,864 + 1,048,576,000.
 */
static void flops_and_bytes_by_hand(void **state)
{
	(void)state;
	struct fixture_load w;
	struct work_done done;

	fixture_load_init(&w, "llama-3.1-8b", 1, 9000);
	add_decodes(&w, 0, 500, 64, 3000); /* before the cut: not counted */
	add_decodes(&w, 1, 400, 8, 1000);
	add_decodes(&w, 10, 600, 8, 1000);
	work_done_sum(&done, &w.l, 0, &w.u.cost);
	assert_near(done.flops, 1000 * (8 * 15009316864.0 + 4194304000.0), 1e6);
	assert_near(done.bytes, 1000 * (15009316864.0 + 1048576000.0), 1e6);
	fixture_load_free(&w);
}

/* Decodes of a small batch are bound by memory; all parts make up the busy time. */
static void parts_make_up_the_time(void **state)
{
	(void)state;
	struct fixture_load w;
	struct work_done done;

	fixture_load_init(&w, "llama-3.1-8b", 1, 9000);
	add_decodes(&w, 1, 1000, 8, 1000);
	work_done_sum(&done, &w.l, 0, &w.u.cost);
	assert_near(done.compute_s + done.memory_s + done.link_s + done.overhead_s, done.busy_s,
		    1e-9);
	assert_true(done.memory_s > 0.6 * done.busy_s);
	assert_near(done.link_s, 0, 0);
	const struct engine_cost *e = &w.f.s.engine.cost;
	double step_s = 32 * e->layer.value + e->step.value + 8 * e->request.value;
	assert_near(done.overhead_s, 1000 * step_s, 1e-6);
	fixture_load_free(&w);
}

/* 2,000 tokens a step: compute wins. */
static void prefills_are_bound_by_compute(void **state)
{
	(void)state;
	struct fixture_load w;
	struct work_done done;

	fixture_load_init(&w, "llama-3.1-8b", 1, 9000);
	add_decodes(&w, 1, 1000, 1000, 10);
	work_done_sum(&done, &w.l, 0, &w.u.cost);
	assert_true(done.compute_s > done.memory_s + done.overhead_s);
	fixture_load_free(&w);
}

/* Busy for half of the run: half at the busy power of 8 tokens, half idle; whole run, all slices.
 */
static void energy_of_busy_and_idle(void **state)
{
	(void)state;
	struct fixture_load w;

	fixture_load_init(&w, "llama-3.1-8b", 1, 9000);
	add_decodes(&w, 0, 1000, 8, 1000);
	struct fleet fleet = fleet_of(&w.u, &w.f.candidate[0], 1);
	const struct gpu *g = &w.f.candidate[0].gpu;
	double busy_s = tick_to_s(w.l.tally[0].pool[0].slice[0].busy);
	assert_near(work_done_joules(&w.l, 0, &fleet.part[0], 2 * busy_s),
		    busy_s * (power_busy_w(g, 8) + power_idle_w(g)), 1e-3);
	fixture_load_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flops_and_bytes_by_hand),
		cmocka_unit_test(parts_make_up_the_time),
		cmocka_unit_test(prefills_are_bound_by_compute),
		cmocka_unit_test(energy_of_busy_and_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
