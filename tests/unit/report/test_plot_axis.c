/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "report/plot_axis.h"

static void expect(const char *path, const char *label)
{
	char *text = plot_axis_label(path);

	assert_string_equal(text, label);
	free(text);
}

static void test_units(void **state)
{
	(void)state;
	expect("traffic.arrivals.rate", "traffic.arrivals.rate [requests/s]");
	expect("traffic.arrivals.concurrency", "traffic.arrivals.concurrency [requests]");
	expect("traffic.arrivals.cv", "traffic.arrivals.cv");
	expect("traffic.input.mean", "traffic.input.mean [tokens]");
	expect("traffic.output", "traffic.output [tokens]");
	expect("traffic.output.cv", "traffic.output.cv");
	expect("engine.layer_us", "engine.layer_us [us]");
	expect("engine.max_num_batched_tokens", "engine.max_num_batched_tokens [tokens]");
	expect("gpus[0].bandwidth_gbs", "gpus[0].bandwidth_gbs [GB/s]");
	expect("gpus[0].mbu", "gpus[0].mbu");
	expect("slo.ttft_ms.p99", "slo.ttft_ms.p99 [ms]");
	expect("precision", "precision");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_units)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
