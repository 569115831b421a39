/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measured_file.h"
#include "near.h"

#include "base/xmalloc.h"
#include "scenario/bench_result.h"

#define SCENARIO                                                                                   \
	"{\"model\": \"llama-3.1-8b\", \"gpus\": \"l4\", \"traffic\": {\"arrivals\": "             \
	"{\"process\": \"poisson\", \"rate\": 1}, \"input\": {\"dist\": \"lognormal\", \"mean\": " \
	"500, \"cv\": 0.5}, \"output\": 100}}"

/* A run of vllm bench serve: its rate and whatever else is asked for. */
#define VLLM                                                                                       \
	"{\"model_id\": \"meta-llama/Llama-3.1-8B-Instruct\", \"num_prompts\": 200, "              \
	"\"request_rate\": %s, \"completed\": 200, \"failed\": 0, \"total_input_tokens\": "        \
	"100000, "                                                                                 \
	"\"total_output_tokens\": 20000, \"request_throughput\": 1.9, \"output_throughput\": 190," \
	" \"mean_ttft_ms\": 61.5, \"median_ttft_ms\": 60, \"p99_ttft_ms\": 99, "                   \
	"\"mean_tpot_ms\": 21, \"median_tpot_ms\": 20.5, \"p99_tpot_ms\": 30, "                    \
	"\"median_itl_ms\": 0.1, \"mean_e2el_ms\": 2100%s}"

struct reading {
	struct measured_table t;
	struct record_list warnings;
	struct diag d;
};

static bool read_as(struct reading *r, const char *scenario, const char *name, const char *text)
{
	const struct scenario_options o = {
		.file = "S", .text = scenario, .data_dir = ".", .seed = RECORD_INT_UNSET};
	char *folder = measured_folder();
	struct scenario_source from;
	bool good;

	*r = (struct reading){.warnings.size = sizeof(char *)};
	diag_init(&r->d);
	if (!scenario_source_open(&from, &o, &r->d))
		fail_msg("%s", r->d.message);
	good = bench_result_read(&r->t, measured_file(folder, name, text), &from, &o, &r->warnings,
				 &r->d);
	scenario_source_close(&from);
	measured_folder_drop(folder);
	return good;
}

static void read_text(struct reading *r, const char *text)
{
	if (!read_as(r, SCENARIO, "t.json", text))
		fail_msg("%s:%d:%d: %s: %s", r->d.file, r->d.line, r->d.column, r->d.path,
			 r->d.message);
}

static void drop(struct reading *r)
{
	measured_free(&r->t);
	record_texts_free(&r->warnings);
}

static void assert_cell(const struct reading *r, size_t row, const char *column, const char *text)
{
	assert_string_equal(measured_cell(&r->t, &r->t.row[row], column), text);
}

static void assert_warned(const struct reading *r, const char *text)
{
	char *const *warning = r->warnings.data;

	for (size_t i = 0; i < r->warnings.count; i++)
		if (strstr(warning[i], text))
			return;
	fail_msg("no warning of \"%s\"", text);
}

static void read_vllm(struct reading *r, const char *rate, const char *more)
{
	char *text = xasprintf(VLLM, rate, more);

	read_text(r, text);
	free(text);
}

static void a_rate(void **state)
{
	struct reading r;

	(void)state;
	read_vllm(&r, "2.5", ", \"burstiness\": 1.0, \"max_concurrency\": null");
	assert_int_equal(r.t.rows, 1);
	assert_int_equal(r.warnings.count, 0);
	assert_cell(&r, 0, "traffic.arrivals", "{\"process\": \"poisson\", \"rate\": 2.5}");
	assert_cell(&r, 0, "traffic.requests", "200");
	assert_cell(&r, 0, "traffic.warmup", "0");
	assert_cell(&r, 0, "traffic.input", "");
	assert_cell(&r, 0, "=latency.ttft_ms.mean", "61.5");
	assert_cell(&r, 0, "=latency.ttft_ms.p50", "60");
	assert_cell(&r, 0, "=latency.ttft_ms.p90", "");
	assert_cell(&r, 0, "=latency.tpot_ms.p99", "30");
	assert_cell(&r, 0, "=throughput.output_tokens_per_s", "190");
	/* Said by the first token and the time a token. */
	assert_cell(&r, 0, "=latency.e2e_ms.mean", "");
	assert_int_equal(r.t.row[0].figures, 7);
	drop(&r);
}

static void arrivals(void **state)
{
	static const struct {
		const char *rate, *more, *arrivals;
	} runs[] = {
		{"\"inf\"", "", "{\"process\": \"offline\"}"},
		{"Infinity", "", "{\"process\": \"offline\"}"},
		{"\"inf\"", ", \"max_concurrency\": 16",
		 "{\"process\": \"closed\", \"concurrency\": 16}"},
		{"2", ", \"burstiness\": 0.25",
		 "{\"process\": \"gamma\", \"rate\": 2, \"burstiness\": 0.25}"},
		{"2", ", \"burstiness\": Infinity", "{\"process\": \"constant\", \"rate\": 2}"},
	};
	struct reading r;

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		read_vllm(&r, runs[i].rate, runs[i].more);
		assert_cell(&r, 0, "traffic.arrivals", runs[i].arrivals);
		drop(&r);
	}
}

static void several_runs(void **state)
{
	char *first = xasprintf(VLLM, "2", ""), *second = xasprintf(VLLM, "6", "");
	char *text = xasprintf("%s\n\n%s\n", first, second);
	struct reading r;

	(void)state;
	read_text(&r, text);
	assert_int_equal(r.t.rows, 2);
	assert_cell(&r, 1, "traffic.arrivals", "{\"process\": \"poisson\", \"rate\": 6}");
	assert_int_equal(r.t.row[1].line, 3);
	drop(&r);
	free(text);
	text = xasprintf("%s\n{\"request_rate\": 3, \"request_throughput\": -1}\n", first);
	assert_false(read_as(&r, SCENARIO, "t.json", text));
	assert_int_equal(r.d.line, 2);
	record_texts_free(&r.warnings);
	free(text);
	free(first);
	free(second);
}

static void warnings(void **state)
{
	struct reading r;
	double mean;

	(void)state;
	read_vllm(&r, "2", ", \"max_concurrency\": 8, \"max_concurrent_requests\": 8");
	assert_warned(&r, "--max-concurrency 8");
	drop(&r);
	read_vllm(&r, "2", ", \"max_concurrency\": 8, \"max_concurrent_requests\": 7");
	assert_int_equal(r.warnings.count, 0);
	drop(&r);
	read_text(&r, "{\"model_id\": \"mine/other\", \"request_rate\": 2, \"request_throughput\": "
		      "2, \"num_prompts\": 100, \"completed\": 90, \"total_input_tokens\": 90000, "
		      "\"total_output_tokens\": 18000, \"mean_ttft_ms\": 60, \"mean_e2el_ms\": "
		      "900}");
	assert_warned(&r, "10 of 100 requests failed");
	assert_warned(&r, "\"mine/other\"");
	assert_warned(&r, "prompts had 1000 tokens");
	/* The law keeps its form; outputs were all alike. */
	assert_cell(&r, 0, "traffic.output", "{\"value\": 200}");
	assert_int_equal(
		sscanf(measured_cell(&r.t, &r.t.row[0], "traffic.input"), "{\"mean\": %lf}", &mean),
		1);
	assert_near(mean, 1000, 0.01);
	/* Nothing was told of the time a token. */
	assert_cell(&r, 0, "=latency.e2e_ms.mean", "900");
	drop(&r);
}

#define GUIDELLM(strategy)                                                                         \
	"{\"metadata\": {\"version\": 2}, \"benchmarks\": [{\"config\": {\"strategy\": " strategy  \
	"}, \"metrics\": {\"request_totals\": {\"successful\": 50, \"errored\": 0, "               \
	"\"incomplete\":"                                                                          \
	" 2, \"total\": 52}, \"time_to_first_token_ms\": {\"successful\": {\"mean\": 50, "         \
	"\"median\": 48, \"percentiles\": {\"p50\": 47, \"p99\": 90}}}, "                          \
	"\"inter_token_latency_ms\": {\"successful\": {\"mean\": 20, \"median\": 19.5, "           \
	"\"percentiles\": {\"p99\": 24}}}, \"request_latency\": {\"successful\": {\"mean\": 2}}, " \
	"\"output_tokens_per_second\": {\"successful\": {\"mean\": 300}}}}]}"

static void guidellm(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, GUIDELLM("{\"type_\": \"poisson\", \"rate\": 4.0}"));
	assert_cell(&r, 0, "traffic.arrivals", "{\"process\": \"poisson\", \"rate\": 4}");
	assert_cell(&r, 0, "traffic.requests", "52");
	assert_cell(&r, 0, "=latency.ttft_ms.p50", "48");
	assert_cell(&r, 0, "=latency.ttft_ms.p99", "90");
	assert_cell(&r, 0, "=latency.tpot_ms.mean", "20");
	assert_cell(&r, 0, "=throughput.output_tokens_per_s", "");
	assert_warned(&r, "2 of 52 requests failed or were not finished");
	drop(&r);
	read_text(&r, GUIDELLM("{\"type_\": \"concurrent\", \"streams\": 12}"));
	assert_cell(&r, 0, "traffic.arrivals", "{\"process\": \"closed\", \"concurrency\": 12}");
	assert_cell(&r, 0, "=throughput.output_tokens_per_s", "300");
	drop(&r);
	read_text(&r, GUIDELLM("{\"type_\": \"synchronous\"}"));
	assert_cell(&r, 0, "traffic.arrivals", "{\"process\": \"closed\", \"concurrency\": 1}");
	drop(&r);
	assert_false(read_as(&r, SCENARIO, "t.json", GUIDELLM("{\"type_\": \"replay\"}")));
	assert_non_null(strstr(r.d.message, "not in this version"));
	assert_string_equal(r.d.path, "strategy.type_");
	record_texts_free(&r.warnings);
}

#define STAGE(load)                                                                                \
	"{\"load_summary\": " load ", \"successes\": {\"count\": 60, \"latency\": {"               \
	"\"request_latency\": {\"mean\": 2.1}, \"time_per_output_token\": {\"mean\": 0.02, "       \
	"\"median\": 0.019}, \"time_to_first_token\": {\"mean\": 0.05, \"p99\": 0.09}}}, "         \
	"\"failures\": {\"count\": 0}}"

static void inference_perf(void **state)
{
	struct reading r;

	(void)state;
	read_text(&r, STAGE("{\"count\": 60, \"requested_rate\": 3, \"achieved_rate\": 2.5}"));
	assert_cell(&r, 0, "traffic.arrivals", "{\"rate\": 3}");
	assert_cell(&r, 0, "=latency.ttft_ms.mean", "50");
	assert_cell(&r, 0, "=latency.ttft_ms.p99", "90");
	assert_cell(&r, 0, "=latency.tpot_ms.p50", "19");
	assert_warned(&r, "did not keep up");
	drop(&r);
	assert_false(read_as(&r, SCENARIO, "t.json", STAGE("{\"count\": 60}")));
	assert_non_null(strstr(r.d.message, "stage_N_lifecycle_metrics.json"));
	record_texts_free(&r.warnings);
}

/* Text, message, path of what cannot be read. */
static void refusals(void **state)
{
	static const struct {
		const char *text, *message;
		int line;
	} bad[] = {
		{"{\"request_rate\": 2, \"request_throughput\": 2, \"completed\": 9,\n"
		 "\"num_prompts\": 9, \"mean_ttft_ms\": -1}",
		 "a measured figure is not negative", 2},
		{"{\"request_rate\": 2, \"request_throughput\": 0, \"completed\": 0}",
		 "no request was completed", 1},
		{"{\"request_rate\": \"fast\", \"request_throughput\": 2, \"completed\": 9}",
		 "is to be a number", 1},
		{"{\"request_rate\": 2, \"request_throughput\": 2, \"completed\": 9, "
		 "\"ramp_up_strategy\": \"linear\"}",
		 "a run whose rate ramps up is not in this version: measure with --request-rate",
		 1},
		{"\n{\"records\": []}", "is no result of a load generator that is known", 2},
		{"{\"request_rate\": 2, \"request_throughput\": 2,\n\"completed\": 9",
		 "expected , or }", 2},
		{"", "is empty: a table has a heading", 0},
		{"a text\n", "no column is a measured figure, as =latency.ttft_ms.p50 is", 1},
	};
	struct reading r;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_false(read_as(&r, SCENARIO, "t.json", bad[i].text));
		assert_string_equal(r.d.message, bad[i].message);
		assert_int_equal(r.d.line, bad[i].line);
		record_texts_free(&r.warnings);
	}
}

static void own_table(void **state)
{
	struct reading r;

	(void)state;
	if (!read_as(&r, SCENARIO, "t.csv",
		     "rate,requests,ttft_ms,ttft_ms.p99,tpot_ms.mean,output_tokens_per_s\n"
		     "2,200,60,99,21,\n"))
		fail_msg("%s", r.d.message);
	assert_cell(&r, 0, "traffic.arrivals.rate", "2");
	assert_cell(&r, 0, "traffic.requests", "200");
	assert_cell(&r, 0, "=latency.ttft_ms.p50", "60");
	assert_cell(&r, 0, "=latency.ttft_ms.p99", "99");
	assert_cell(&r, 0, "=latency.tpot_ms.mean", "21");
	assert_int_equal(r.t.row[0].figures, 3);
	drop(&r);
	assert_false(read_as(&r, SCENARIO, "t.csv", "rate,ttft_ms,=latency.ttft_ms.p50\n1,2,3\n"));
	assert_string_equal(r.d.message, "two columns have this heading");
	record_texts_free(&r.warnings);
}

static void a_trace(void **state)
{
	char *text = xasprintf(VLLM, "2", "");
	struct reading r;

	(void)state;
	assert_false(read_as(&r,
			     "{\"model\": \"llama-3.1-8b\", \"gpus\": \"l4\", \"traffic\": "
			     "{\"trace\": \"tests/traces/azure-2023.csv\"}}",
			     "t.json", text));
	assert_string_equal(r.d.path, "traffic.trace");
	record_texts_free(&r.warnings);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate),	cmocka_unit_test(arrivals),
		cmocka_unit_test(several_runs), cmocka_unit_test(warnings),
		cmocka_unit_test(guidellm),	cmocka_unit_test(inference_perf),
		cmocka_unit_test(refusals),	cmocka_unit_test(own_table),
		cmocka_unit_test(a_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
