/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "serve/tally.h"

static void init(struct tally *t, int64_t requests, bool samples)
{
	const struct tally_setup setup = {.requests = requests,
					  .pools = 1,
					  .counters = {100},
					  .keep_samples = samples,
					  .keep_series = true,
					  .ttft_limit = 100,
					  .tpot_limit = 10,
					  .e2e_limit = 1000};
	tally_init(t, &setup);
}

/* Of 30: slices of 1.5, so that they start at 0, 2, 3, 5, 6, ..., and the last holds 15 to 29. */
static void slices_go_by_the_latest_arrival(void **state)
{
	(void)state;
	struct tally t;
	init(&t, 30, true);
	const int64_t starts[] = {0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 30};
	for (int s = 0; s < 12; s++)
		assert_int_equal(tally_slice_start(30, s), starts[s]);
	for (int64_t i = 0; i < 30; i++) {
		assert_int_equal(tally_opens_slice(&t, i), i && i == starts[t.slice_now + 1]);
		tally_arrive(&t, i, 100 * i);
		assert_true(i >= starts[t.slice_now] && i < starts[t.slice_now + 1]);
		tally_preempt(&t, 100 * i);	/* at the arrival's tick: before it */
		tally_wait(&t, 7, 100 * i + 1); /* after it */
	}
	const int64_t arrivals[] = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 15};
	for (int s = 0; s < TALLY_SLICES; s++) {
		assert_int_equal(t.slice[s].arrivals, arrivals[s]);
		assert_true(t.slice[s].queue_time == 7 * arrivals[s]);
		assert_int_equal(t.slice[s].first_arrival, 100 * starts[s]);
		int64_t before = arrivals[s] + (s == 0) - (s == 10);
		assert_int_equal(t.slice[s].preemptions, before);
	}
	tally_free(&t);
}

static struct stretch stretch_of(double first_s, double growth_s)
{
	struct stretch s = {.decoders = 3};
	const struct price p = {first_s, growth_s, INT64_MAX};
	s.next = (struct work){{1, 3, 3, 3, 0, 0, 700, 0}};
	stretch_begin(&s, 0, &p);
	return s;
}

/* Rounds in one leap and singly: all sums, and the gaps' histogram, are the same. */
static void a_leap_counts_as_its_rounds(void **state)
{
	(void)state;
	const double growth_s[] = {0, 1e-9, 3e-7, 1e-4, 0.02};
	for (size_t g = 0; g < sizeof(growth_s) / sizeof(*growth_s); g++) {
		struct tally leap, step;
		struct stretch s = stretch_of(0.0071, growth_s[g]), u = s;
		init(&leap, 1, true);
		init(&step, 1, true);
		tally_rounds(&leap, 0, &s, 1000);
		for (int i = 0; i < 1000; i++) {
			tally_rounds(&step, 0, &u, 1);
			stretch_advance(&u, 1);
		}
		tally_close(&leap, 1, 1);
		tally_close(&step, 1, 1);
		const struct tally_slice *a = &leap.slice[0], *b = &step.slice[0];
		assert_memory_equal(a, b, offsetof(struct tally_slice, itl));
		assert_true(a->itl.sum == b->itl.sum);
		assert_int_equal(a->itl.min, b->itl.min);
		assert_int_equal(a->itl.max, b->itl.max);
		for (int q = 0; q <= 100; q++)
			assert_true(histogram_quantile(&a->itl, q / 100.0) ==
				    histogram_quantile(&b->itl, q / 100.0));
		assert_int_equal(leap.pool->rounds_by_tokens[3], 1000);
		assert_int_equal(leap.pool->decodes_by_rows[3], 1000);
		assert_int_equal(leap.pool->ticks_by_tokens[3], step.pool->ticks_by_tokens[3]);
		assert_memory_equal(leap.pool->slice, step.pool->slice, sizeof(leap.pool->slice));
		assert_int_equal(leap.pool->slice[0].work.of[PER_CONTEXT],
				 700 * 1000 + 3 * 999 * 500);
		tally_free(&leap);
		tally_free(&step);
	}
}

/* Two rounds of 4 and 6 ticks with 700 and 703 tokens cached: 2,800 + 4,218 token-ticks. */
static void the_kv_integral_by_hand(void **state)
{
	(void)state;
	struct tally t;
	struct stretch s = stretch_of(4 * 0x1p-36, 2 * 0x1p-36);
	init(&t, 1, true);
	tally_rounds(&t, 0, &s, 2);
	tally_close(&t, 10, 1);
	assert_true(t.pool->slice[0].kv_time == 7018);
	assert_true(t.pool->slice[0].batch_time == 30);
	assert_int_equal(t.pool->slice[0].busy, 10);
	assert_true(t.slice[0].itl.sum == 30);
	assert_int_equal(t.slice[0].emitted, 6);
	tally_free(&t);
}

static void leave(struct tally *t, int64_t number, tick e2e, int32_t output, bool truncated)
{
	const struct passage p = {.request = {number, 0, 5, output},
				  .queue = 3,
				  .first = 50,
				  .last = e2e,
				  .truncated = truncated};
	tally_leave(t, &p);
}

static void a_request_meets_its_limits_or_not(void **state)
{
	(void)state;
	struct tally t;
	init(&t, 20, true);
	leave(&t, 0, 90, 5, false);	/* TPOT 10, just within */
	leave(&t, 1, 91, 5, false);	/* 10.25: rounds to 10 */
	leave(&t, 2, 94, 5, false);	/* 11 */
	leave(&t, 3, 50, 1, false);	/* no TPOT */
	leave(&t, 4, 90, 5, true);	/* truncated */
	leave(&t, 5, 1001, 200, false); /* E2E */
	const struct passage rejected = {.request = {6, 0, 5, 1}, .rejected = true};
	tally_leave(&t, &rejected);
	int64_t met = 0;
	for (int s = 0; s < TALLY_SLICES; s++)
		met += t.slice[s].met_slo;
	assert_int_equal(met, 3);
	assert_int_equal(t.tpot[0], 10);
	assert_int_equal(t.tpot[3], -1);
	assert_int_equal(t.ttft[6], -1);
	assert_int_equal(t.ttft[7], TICK_NEVER);
	assert_int_equal(t.slice[5].output_tokens, 200); /* slices by request number */
	tally_free(&t);
}

static void the_series_is_means_of_five(void **state)
{
	(void)state;
	struct tally t;
	init(&t, 17, true);
	for (int64_t i = 0; i < 12; i++)
		leave(&t, i, INT64_C(1) << TICK_BITS << (i % 2), 5, false);
	tally_close(&t, 1, 1);
	assert_int_equal(t.e2e_blocks, 4);
	assert_true(t.e2e_block[0] == 7.0 / 5);
	assert_true(t.e2e_block[1] == 8.0 / 5);
	assert_true(t.e2e_block[2] == 1.5);
	assert_true(t.e2e_block[3] == 1.5); /* without any of its own */
	tally_free(&t);
}

/* Without samples: the same values in sketches, by the slice of the request's number. */
static void sketches_hold_what_samples_would(void **state)
{
	(void)state;
	struct tally t;
	init(&t, 20, false);
	assert_null(t.ttft);
	for (int64_t i = 0; i < 20; i++)
		leave(&t, i, 90 + i, i ? 5 : 1, false);
	for (int s = 0; s < TALLY_SLICES; s++) {
		const struct tally_slice *slice = &t.slice[s];
		int64_t n = s < 10 ? 1 : 10;
		assert_int_equal(slice->sketch[METRIC_E2E].total, n);
		assert_int_equal(slice->sketch[METRIC_E2E].min, 90 + s);
		assert_int_equal(slice->sketch[METRIC_TPOT].total, s ? n : 0);
		assert_int_equal(slice->sketch[METRIC_QUEUE].max, 3);
	}
	tally_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_go_by_the_latest_arrival),
		cmocka_unit_test(a_leap_counts_as_its_rounds),
		cmocka_unit_test(the_kv_integral_by_hand),
		cmocka_unit_test(a_request_meets_its_limits_or_not),
		cmocka_unit_test(the_series_is_means_of_five),
		cmocka_unit_test(sketches_hold_what_samples_would),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
