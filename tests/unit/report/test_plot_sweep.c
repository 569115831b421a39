/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot.h"
#include "report/plot_sweep.h"

static cJSON *tree;
static struct plot_sweep sweep;

static void read(const char *results)
{
	static char text[4096];

	snprintf(text, sizeof text,
		 "{\"scenario\": {\"slo\": {\"ttft_ms\": {\"p99\": 2000}, \"attainment\": 0.9, "
		 "\"e2e_ms\": {\"p50\": 5}}, \"traffic\": {\"arrivals\": {\"process\": "
		 "\"poisson\"}}}, \"results\": [%s]}",
		 results);
	tree = cJSON_Parse(text);
	assert_non_null(tree);
	plot_sweep_init(&sweep, tree);
}

static void done(void)
{
	plot_sweep_free(&sweep);
	cJSON_Delete(tree);
}

#define RUN(gpu, point, verdict, latency)                                                          \
	"{\"gpu\": \"" gpu "\", \"point\": {" point "}, \"verdict\": \"" verdict                   \
	"\", \"latency\": {" latency "}, \"throughput\": {\"offered_rps\": 7}}"
#define RESULT(gpu, point, verdict) RUN(gpu, point, verdict, "\"e2e_ms\": {\"p50\": 9}")
#define RATE(x)			    "\"traffic.arrivals.rate\": " #x

/* By GPU, then by load; overloads are numbered from the first on. */
static void test_order(void **state)
{
	(void)state;
	read(RESULT("l4", RATE(8), "overloaded") "," RESULT("a100", RATE(8), "ok") "," RESULT(
		"l4", RATE(2), "ok") "," RESULT("a100", RATE(2), "ok") "," RESULT("l4", RATE(4),
										  "overloaded"));
	static const double x[] = {2, 4, 8, 2, 8};
	static const int overloaded[] = {0, 1, 2, 0, 0};
	assert_int_equal(sweep.points, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(sweep.point[i].x == x[i]);
		assert_int_equal(sweep.point[i].overloaded, overloaded[i]);
		assert_int_equal(sweep.point[i].series, i < 3 ? 1 : 2);
	}
	assert_true(sweep.axis.load);
	assert_string_equal(sweep.axis.label, "Offered load [requests/s]");
	done();
}

/* What was swept beside the load tells curves apart; a trace's scale becomes its rate. */
static void test_series(void **state)
{
	(void)state;
	read(RESULT("l4", "\"traffic.input.mean\": 1024, " RATE(1),
		    "ok") "," RESULT("l4", "\"traffic.input.mean\": 512, " RATE(1), "ok"));
	assert_int_equal(sweep.series.count, 2);
	assert_string_equal(((char **)sweep.series.data)[0], "l4, mean=1,024");
	done();
	read(RESULT("l4", "\"traffic.rate_scale\": 2", "ok"));
	assert_true(sweep.point[0].x == 7);
	done();
	read(RESULT("l4", "\"engine.max_num_seqs\": 2",
		    "overloaded") "," RESULT("l4", "\"engine.max_num_seqs\": 4", "overloaded"));
	assert_int_equal(sweep.point[1].overloaded, 1);
	assert_false(sweep.axis.load);
	assert_string_equal(sweep.axis.label, "engine.max_num_seqs [sequences]");
	done();
}

static void test_idle(void **state)
{
	(void)state;
	read(RUN("t4", RATE(1), "does-not-fit", "") "," RESULT("l4", RATE(1), "ok"));
	assert_string_equal(((char **)sweep.series.data)[0], "t4, does-not-fit");
	assert_string_equal(((char **)sweep.series.data)[1], "l4");
	done();
}

static void test_no_sweep(void **state)
{
	(void)state;
	read("{\"gpu\": \"l4\", \"latency\": {}}");
	assert_int_equal(sweep.points, 0);
	done();
	read("{\"point\": {\"a\": 1, \"b\": 2}, \"latency\": {}}"); /* which would be the axis? */
	assert_int_equal(sweep.points, 0);
	done();
	read("");
	assert_int_equal(sweep.points, 0);
	done();
}

static void test_limits(void **state)
{
	struct plot_limit limit[PLOT_LIMITS_MAX];

	(void)state;
	read("");
	assert_int_equal(plot_limits(tree, limit), 2); /* attainment is none */
	assert_string_equal(limit[1].metric, "e2e_ms");
	assert_string_equal(limit[1].statistic, "p50");
	assert_true(limit[0].limit_ms == 2000);
	done();
	assert_int_equal(plot_limits(NULL, limit), 2);
	assert_string_equal(limit[1].metric, "tpot_ms");
	assert_true(isnan(limit[1].limit_ms));
}

/* A document without data for any kind, and names that are none. */
static void test_kinds(void **state)
{
	const struct plot_kind *kinds[PLOT_KINDS_MAX + 1];
	struct diag d;

	(void)state;
	read("");
	plot_list(tree, kinds);
	assert_null(kinds[0]);
	done();
	diag_init(&d);
	assert_null(plot_find("pareto-front", &d));
	assert_string_equal(d.nearest, "pareto");
	assert_string_equal(plot_find("heat", &d)->name, "heat");
	for (size_t i = 0; plot_kinds[i]; i++)
		assert_true(i < PLOT_KINDS_MAX && plot_kinds[i]->help && plot_kinds[i]->made_by);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	 cmocka_unit_test(test_series),
		cmocka_unit_test(test_no_sweep), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_idle),	 cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
