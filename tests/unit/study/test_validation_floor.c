/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/xmalloc.h"
#include "study/validation_floor.h"

/* Whether a measured figure is possible, on one L4: 300 GB/s and 121 TFLOP/s. Llama-3.1-8B has 7.5
 * G weights without its embedding, of 2 bytes. */
static const char *verdict(const char *traffic, const char *path, double value)
{
	char *text = xasprintf("{\"model\": \"llama-3.1-8b\", \"gpus\": \"l4\", \"engine\": "
			       "{\"max_num_seqs\": 16}, \"traffic\": %s}",
			       traffic);
	const struct scenario_options o = {
		.file = "S", .text = text, .data_dir = ".", .seed = RECORD_INT_UNSET};
	const struct measured_figure f = {.path = path, .value = value};
	struct diag d;
	struct unit u;

	diag_init(&d);
	struct scenario *s = scenario_read(&o, &d);
	if (!s)
		fail_msg("%s", d.message);
	unit_init(&u, s, &s->candidate[0], 1);
	assert_int_equal(u.verdict, VERDICT_OK);
	const char *why = validation_floor_breaks(&f, s, &u);
	unit_free(&u);
	scenario_del(s);
	free(text);
	return why;
}

#define CONSTANT "{\"arrivals\": {\"rate\": 1}, \"input\": 1000, \"output\": 100}"
#define SPREAD                                                                                     \
	"{\"arrivals\": {\"rate\": 1}, \"output\": 100, "                                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 1000, \"cv\": 1}}"
#define CLOSED                                                                                     \
	"{\"arrivals\": {\"process\": \"closed\", \"concurrency\": 4}, "                           \
	"\"input\": 1000, \"output\": 100}"
#define OFFLINE "{\"arrivals\": {\"process\": \"offline\"}, \"input\": 10, \"output\": 1000}"
#define PROMPTS "{\"arrivals\": {\"process\": \"offline\"}, \"input\": 1000, \"output\": 1}"

/* 15.0 GB over 300 GB/s are 50.0 ms; 1,000 tokens of 14.0 GFLOP and one row over 121 TFLOP/s are
 * 115 ms. */
static void floors(void **state)
{
	static const struct {
		const char *traffic, *path;
		double value;
		const char *why;
	} cases[] = {
		{CONSTANT, "latency.tpot_ms.mean", 49.5, "bandwidth"},
		{CONSTANT, "latency.tpot_ms.mean", 50.5, NULL},
		{CONSTANT, "latency.tpot_ms.p50", 49.5, "bandwidth"},
		{CONSTANT, "latency.itl_ms.p50", 49.5, "bandwidth"},
		{CONSTANT, "latency.itl_ms.mean", 49.5, "bandwidth"},
		{CONSTANT, "latency.itl_ms.p99", 49.5, NULL},
		{CONSTANT, "latency.ttft_ms.mean", 114, "FLOP"},
		{CONSTANT, "latency.ttft_ms.mean", 117, NULL},
		{CONSTANT, "latency.ttft_ms.p50", 114, "FLOP"},
		{SPREAD, "latency.ttft_ms.mean", 114, "FLOP"},
		{SPREAD, "latency.ttft_ms.p50", 114, NULL},
		/* four sequences: 80.0 tokens/s */
		{CLOSED, "throughput.output_tokens_per_s", 81, "bandwidth"},
		{CLOSED, "throughput.output_tokens_per_s", 79, NULL},
		{CLOSED, "throughput.total_tokens_per_s", 81 * 11, "bandwidth"},
		{CLOSED, "throughput.total_tokens_per_s", 79 * 11, NULL},
		{CLOSED, "throughput.requests_per_s", .81, "bandwidth"},
		/* sixteen slots: 320 */
		{OFFLINE, "throughput.output_tokens_per_s", 325, "bandwidth"},
		{OFFLINE, "throughput.output_tokens_per_s", 315, NULL},
		{PROMPTS, "throughput.requests_per_s", 8.8, "FLOP"},
		{PROMPTS, "throughput.requests_per_s", 8.5, NULL},
		{PROMPTS, "energy.watts", 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *why = verdict(cases[i].traffic, cases[i].path, cases[i].value);

		if (!why != !cases[i].why || (why && !strstr(why, cases[i].why)))
			fail_msg("%s %s = %g: %s", cases[i].traffic, cases[i].path, cases[i].value,
				 why ? why : "possible");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(floors)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
