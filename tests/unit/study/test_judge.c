/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/judge.h"
#include "unit/study/fixture.h"

/* One replication of 200,000 requests: TTFT of request i is i mod 1000 ms, E2E ten times that. */
static void fill(struct load *l)
{
	enum { N = 200000 };
	struct tally_setup setup = {
		.requests = N, .pools = 1, .counters = {1}, .keep_samples = true};

	*l = (struct load){.replications = 1, .requests = N, .replicas = 1};
	l->tally = calloc(1, sizeof *l->tally);
	tally_init(l->tally, &setup);
	for (int64_t i = 0; i < N; i++) {
		l->tally[0].ttft[i] = tick_from_s((double)(i % 1000) * 1e-3);
		l->tally[0].e2e[i] = 10 * l->tally[0].ttft[i];
		l->tally[0].tpot[i] = -1;
	}
	for (int s = 0; s < TALLY_SLICES; s++) {
		l->tally[0].slice[s].arrivals = s < 10 ? N / 20 : N / 2;
		l->tally[0].slice[s].completed = l->tally[0].slice[s].arrivals;
		l->tally[0].slice[s].met_slo = l->tally[0].slice[s].arrivals * 9 / 10;
	}
}

static size_t judge(struct finding f[FINDINGS_MAX], const char *text)
{
	struct slo slo;
	struct load l;

	fixture_text(&slo_record, &slo, text);
	fill(&l);
	size_t n = judge_load(f, &slo, &l);
	load_free(&l);
	record_free(&slo_record, &slo);
	return n;
}

static void no_slo_finds_nothing(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];

	assert_int_equal(judge(f, "{}"), 0);
	assert_true(judge_certain(f, 0));
}

/* p99 is 989.01 ms of 900 and 9.8901 s of 12; the worst comes first. All batches are alike, so the
 * intervals are points. */
static void the_most_exceeded_comes_first(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];
	char text[256];

	assert_int_equal(judge(f, "{\"e2e_ms\": {\"p99\": 12000}, \"ttft_ms\": {\"p99\": 900, "
				  "\"p50\": 600}}"),
			 3);
	assert_int_equal(f[0].metric, SLO_TTFT);
	assert_int_equal(f[0].statistic, SLO_P99);
	assert_near(f[0].value, 0.989, 1e-3);
	assert_near(f[0].excess, log(0.989 / 0.9), 1e-3);
	assert_near(f[1].excess, log(0.4995 / 0.6), 1e-3);
	assert_near(f[2].excess, log(9.89 / 12), 1e-3);
	assert_near(f[2].interval.low, 9.89, 1e-2);
	assert_true(judge_certain(f, 3));
	judge_text(text, &f[0]);
	assert_string_equal(text, "ttft_ms p99 is 989.0 ms, the limit is 900 ms");
}

/* Outputs of one token have no TPOT: its limit holds. */
static void what_has_no_value_holds(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];

	assert_int_equal(judge(f, "{\"tpot_ms\": {\"p99\": 1}}"), 1);
	assert_true(f[0].excess < 0 && isnan(f[0].value));
	assert_true(judge_certain(f, 1));
}

/* 0.9 met every limit: of 0.95 wanted twice too many missed; of 0.8 half as many as allowed. */
static void shares_replace_percentiles(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];
	char name[64];

	assert_int_equal(judge(f, "{\"ttft_ms\": {\"p99\": 1}, \"attainment\": 0.95}"), 1);
	assert_near(f[0].value, 0.9, 1e-12);
	assert_near(f[0].excess, log(2), 1e-6);
	judge_name(name, &f[0]);
	assert_string_equal(name, "attainment");
	assert_int_equal(judge(f, "{\"ttft_ms\": {\"p99\": 1}, \"attainment\": 0.8}"), 1);
	assert_near(f[0].excess, log(0.5), 1e-6);
	assert_true(judge_certain(f, 1));
}

/* 0.9 met every limit and 0.9 is wanted: 1 - 0.9 in binary is a little less than what missed. */
static void a_share_that_is_met_exactly_holds(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];

	assert_int_equal(judge(f, "{\"ttft_ms\": {\"p99\": 1}, \"attainment\": 0.9}"), 1);
	assert_true(f[0].excess <= 0);
}

/* A p99.9 has 200 samples beyond it: no interval, so nothing is certain. */
static void too_few_samples_are_not_certain(void **state)
{
	(void)state;
	struct finding f[FINDINGS_MAX];

	assert_int_equal(judge(f, "{\"ttft_ms\": {\"p99.9\": 1000}}"), 1);
	assert_true(f[0].excess < 0 && isnan(f[0].interval.low));
	assert_false(judge_certain(f, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_slo_finds_nothing),
		cmocka_unit_test(the_most_exceeded_comes_first),
		cmocka_unit_test(what_has_no_value_holds),
		cmocka_unit_test(shares_replace_percentiles),
		cmocka_unit_test(a_share_that_is_met_exactly_holds),
		cmocka_unit_test(too_few_samples_are_not_certain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
