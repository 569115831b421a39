/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GuideLLM's report as JSON, versions 1 and 2: a run for each of its benchmarks. */
#include "scenario/bench_result.h"

#include <math.h>
#include <string.h>

static bool recognise(const cJSON *root)
{
	const cJSON *list = json_doc_member(root, "benchmarks");

	return cJSON_IsArray(list) && json_doc_member(list->child, "metrics");
}

/* The value at one of these places, which differ by version; NULL: none. */
static const cJSON *member_of(const cJSON *object, const char *a, const char *b, const char *key)
{
	const cJSON *in = json_doc_member(object, a);

	if (!json_doc_member(in, key))
		in = json_doc_member(object, b);
	return json_doc_member(in, key);
}

/* ---- what was timed ---- */

/* Keys and units; its time_per_output_token_ms counts the first token too. */
static const struct {
	const char *key;
	enum bench_metric metric;
	double scale;
} times[] = {
	{"time_to_first_token_ms", BENCH_TTFT, 1},
	{"inter_token_latency_ms", BENCH_TPOT, 1},
	{"request_latency", BENCH_E2E, 1e3},
};

static bool read_metric(struct bench_result *r, const cJSON *successful, double scale, double *ms)
{
	static const char *const percentiles[BENCH_STATS] = {NULL, "p50", "p90", "p99"};
	const cJSON *at = json_doc_member(successful, "percentiles");

	if (!bench_result_number(r, successful, "mean", scale, &ms[BENCH_MEAN]) ||
	    !bench_result_number(r, successful, "median", scale, &ms[BENCH_P50]))
		return false;
	for (int s = BENCH_P50; s < BENCH_STATS; s++)
		if (isnan(ms[s]) && !bench_result_number(r, at, percentiles[s], scale, &ms[s]))
			return false;
	return true;
}

static const cJSON *successful_of(const cJSON *benchmark, const char *metric)
{
	const cJSON *metrics = json_doc_member(benchmark, "metrics");

	return json_doc_member(json_doc_member(metrics, metric), "successful");
}

static bool read_times(struct bench_result *r, struct bench_run *run, const cJSON *benchmark)
{
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (!read_metric(r, successful_of(benchmark, times[i].key), times[i].scale,
				 run->ms[times[i].metric]))
			return false;
	return bench_result_number(r, successful_of(benchmark, "prompt_token_count"), "mean", 1,
				   &run->input_mean) &&
	       bench_result_number(r, successful_of(benchmark, "output_token_count"), "mean", 1,
				   &run->output_mean);
}

/* ---- what was sent ---- */

static bool read_clients(struct bench_result *r, struct bench_run *run, const cJSON *strategy,
			 const char *key)
{
	double clients = NAN;

	if (!bench_result_number(r, strategy, key, 1, &clients))
		return false;
	run->arrivals = isnan(clients) ? BENCH_OFFLINE : BENCH_CLOSED;
	run->concurrency = isnan(clients) ? 0 : (int64_t)clients;
	return true;
}

static bool read_rate(struct bench_result *r, struct bench_run *run, const cJSON *strategy,
		      enum bench_arrivals arrivals)
{
	run->arrivals = arrivals;
	if (!bench_result_number(r, strategy, "rate", 1, &run->rate_rps))
		return false;
	return !isnan(run->rate_rps) ||
	       bench_result_fail(r, strategy, "strategy", "a strategy of this type has a rate");
}

static bool read_strategy(struct bench_result *r, struct bench_run *run, const cJSON *benchmark)
{
	const cJSON *strategy = member_of(benchmark, "config", "args", "strategy");
	const cJSON *type = json_doc_member(strategy, "type_");
	const char *name = cJSON_IsString(type) ? type->valuestring : "";

	if (strcmp(name, "synchronous") == 0) {
		run->arrivals = BENCH_CLOSED;
		run->concurrency = 1;
		return true;
	}
	if (strcmp(name, "concurrent") == 0)
		return read_clients(r, run, strategy, "streams");
	if (strcmp(name, "throughput") == 0)
		return read_clients(r, run, strategy, "max_concurrency");
	if (strcmp(name, "constant") == 0 || strcmp(name, "async") == 0)
		return read_rate(r, run, strategy, BENCH_CONSTANT);
	if (strcmp(name, "poisson") == 0)
		return read_rate(r, run, strategy, BENCH_POISSON);
	return bench_result_fail(r, type ? type : benchmark, "strategy.type_",
				 "this strategy is not in this version (allowed: synchronous, "
				 "concurrent, throughput, constant, poisson)");
}

static bool read_totals(struct bench_result *r, struct bench_run *run, const cJSON *benchmark)
{
	const cJSON *totals = member_of(benchmark, "metrics", "run_stats", "request_totals");
	double sent = NAN, done = NAN;

	if (!totals)
		totals = json_doc_member(benchmark, "request_totals");
	if (!bench_result_number(r, totals, "total", 1, &sent) ||
	    !bench_result_number(r, totals, "successful", 1, &done))
		return false;
	if (isnan(done) || isnan(sent))
		return bench_result_fail(r, totals ? totals : benchmark, "request_totals",
					 "no request was successful");
	run->requests = (int64_t)sent;
	run->failed = (int64_t)(sent - done);
	return true;
}

/* Overall, of clients that never wait; at a rate it is the rate that is measured. */
static bool read_throughput(struct bench_result *r, struct bench_run *run, const cJSON *benchmark)
{
	if (run->arrivals != BENCH_CLOSED && run->arrivals != BENCH_OFFLINE)
		return true;
	return bench_result_number(r, successful_of(benchmark, "output_tokens_per_second"), "mean",
				   1, &run->output_tokens_per_s);
}

static bool read(struct bench_result *r, const cJSON *root)
{
	const cJSON *benchmark;

	cJSON_ArrayForEach(benchmark, json_doc_member(root, "benchmarks"))
	{
		struct bench_run *run = bench_result_add(r, benchmark);

		if (!read_totals(r, run, benchmark) || !read_strategy(r, run, benchmark) ||
		    !read_times(r, run, benchmark) || !read_throughput(r, run, benchmark))
			return false;
	}
	return true;
}

const struct bench_result_kind bench_result_guidellm = {
	.name = "GuideLLM",
	.help = "its report as JSON, a run for each benchmark",
	.recognise = recognise,
	.read = read,
};
