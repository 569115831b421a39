/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/distribution.h"

/* One replication by hand: TTFT and E2E of request i are i + 1 seconds, in an order that is none.
 */
static void fill(struct load *l, int64_t requests, int64_t cut)
{
	struct tally_setup setup = {
		.requests = requests, .pools = 1, .counters = {1}, .keep_samples = true};

	*l = (struct load){.replications = 1, .requests = requests, .replicas = 1, .cut = cut};
	l->tally = calloc(1, sizeof *l->tally);
	tally_init(l->tally, &setup);
	for (int64_t i = 0; i < requests; i++) {
		int64_t place = i < cut ? i : cut + (i - cut) * 997 % (requests - cut);

		l->tally->ttft[place] = l->tally->e2e[place] = tick_from_s((double)(i + 1));
	}
	l->first_slice = (int)(cut * TALLY_PARTS / requests);
}

static const double *column(const struct record_list *list)
{
	return list->data;
}

/* Measured are 101..2000 s: the q quantile of these 1,900 is 101 + 1899 q. */
static void quantiles_of_known_samples(void **state)
{
	(void)state;
	struct load l;
	struct distribution d;

	fill(&l, 2000, 100);
	distribution_fill(&d, &l);
	const double *q = column(&d.quantile), *ttft = column(&d.latency_s[METRIC_TTFT]);
	assert_in_range(d.quantile.count, 100, 130);
	assert_near(q[0], 0, 0);
	assert_near(q[d.quantile.count - 1], 1, 0);
	for (size_t i = 0; i < d.quantile.count; i++) {
		assert_true(i == 0 || q[i] > q[i - 1]);
		assert_near(ttft[i], 101 + 1899 * q[i], 1e-6);
	}
	assert_near(q[d.quantile.count - 2], 0.999, 1e-15);
	record_free(&distribution_record, &d);
	load_free(&l);
}

/* Of 40 values none lies beyond 1 % and 2 %, one beyond 3 % (1.2), and there is no TPOT. */
static void tails_end_with_the_samples(void **state)
{
	(void)state;
	struct load l;
	struct distribution d;

	fill(&l, 40, 0);
	distribution_fill(&d, &l);
	const double *q = column(&d.quantile), *e2e = column(&d.latency_s[METRIC_E2E]);
	for (size_t i = 0; i < d.quantile.count; i++) {
		bool end = i == 0 || i == d.quantile.count - 1;

		assert_int_equal(isnan(e2e[i]), !end && (q[i] < 0.025 || q[i] > 0.975));
		assert_true(isnan(column(&d.latency_s[METRIC_TPOT])[i]));
		assert_true(isnan(column(&d.latency_s[METRIC_ITL])[i]));
	}
	assert_near(e2e[0], 1, 1e-9);
	assert_near(e2e[d.quantile.count - 1], 40, 1e-9);
	record_free(&distribution_record, &d);
	load_free(&l);
}

/* In the document: milliseconds, null where there is nothing. */
static void json_is_in_milliseconds(void **state)
{
	(void)state;
	struct load l;
	struct distribution d;

	fill(&l, 40, 0);
	distribution_fill(&d, &l);
	cJSON *json = record_to_json(&distribution_record, &d);
	const cJSON *e2e = cJSON_GetObjectItem(json, "e2e_ms");
	assert_int_equal(cJSON_GetArraySize(e2e), d.quantile.count);
	assert_near(cJSON_GetArrayItem(e2e, 0)->valuedouble, 1000, 1e-6);
	assert_true(cJSON_IsNull(cJSON_GetArrayItem(e2e, 1)));
	cJSON_Delete(json);
	record_free(&distribution_record, &d);
	load_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_of_known_samples),
		cmocka_unit_test(tails_end_with_the_samples),
		cmocka_unit_test(json_is_in_milliseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
