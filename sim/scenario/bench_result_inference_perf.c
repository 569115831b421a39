/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inference-perf reports of a stage, stage_N_lifecycle_metrics.json: a run each, in seconds.
 */
#include "scenario/bench_result.h"

#include <math.h>

static bool recognise(const cJSON *root)
{
	return json_doc_member(root, "load_summary") && json_doc_member(root, "successes");
}

static bool read_metric(struct bench_result *r, const cJSON *metric, double *ms)
{
	static const char *const keys[BENCH_STATS] = {"mean", "median", "p90", "p99"};

	for (int s = 0; s < BENCH_STATS; s++)
		if (!bench_result_number(r, metric, keys[s], 1e3, &ms[s]))
			return false;
	return true;
}

static bool read_times(struct bench_result *r, struct bench_run *run, const cJSON *done)
{
	static const char *const keys[BENCH_METRICS] = {"time_to_first_token",
							"time_per_output_token", "request_latency"};
	const cJSON *latency = json_doc_member(done, "latency");

	for (int m = 0; m < BENCH_METRICS; m++)
		if (!read_metric(r, json_doc_member(latency, keys[m]), run->ms[m]))
			return false;
	return bench_result_number(r, json_doc_member(done, "prompt_len"), "mean", 1,
				   &run->input_mean) &&
	       bench_result_number(r, json_doc_member(done, "output_len"), "mean", 1,
				   &run->output_mean) &&
	       bench_result_number(r, json_doc_member(done, "throughput"), "output_tokens_per_sec",
				   1, &run->output_tokens_per_s);
}

static void warn_of_lag(struct bench_result *r, const struct bench_run *run, double achieved_rps)
{
	if (achieved_rps < 0.95 * run->rate_rps)
		bench_result_warn(r, run,
				  "%.4g requests/s were sent of %.4g asked for: the generator did "
				  "not keep up",
				  achieved_rps, run->rate_rps);
}

static bool read_load(struct bench_result *r, struct bench_run *run, const cJSON *load)
{
	double clients = NAN, achieved = NAN;

	if (!bench_result_number(r, load, "requested_rate", 1, &run->rate_rps) ||
	    !bench_result_number(r, load, "achieved_rate", 1, &achieved) ||
	    !bench_result_number(r, load, "concurrency", 1, &clients))
		return false;
	if (!isnan(clients)) {
		run->arrivals = BENCH_CLOSED;
		run->concurrency = (int64_t)clients;
		return true;
	}
	if (isnan(run->rate_rps))
		return bench_result_fail(r, load, "load_summary",
					 "has no requested_rate: a summary of several stages has "
					 "no rate of its own, give stage_N_lifecycle_metrics.json");
	warn_of_lag(r, run, achieved);
	return true;
}

static bool read(struct bench_result *r, const cJSON *root)
{
	const cJSON *load = json_doc_member(root, "load_summary");
	const cJSON *done = json_doc_member(root, "successes");
	struct bench_run *run = bench_result_add(r, root);
	double sent = NAN, completed = NAN;

	if (!bench_result_number(r, load, "count", 1, &sent) ||
	    !bench_result_number(r, done, "count", 1, &completed))
		return false;
	if (isnan(completed))
		return bench_result_fail(r, done, "successes.count", "no request was completed");
	run->requests = isnan(sent) ? (int64_t)completed : (int64_t)sent;
	run->failed = run->requests - (int64_t)completed;
	return read_load(r, run, load) && read_times(r, run, done);
}

const struct bench_result_kind bench_result_inference_perf = {
	.name = "inference-perf",
	.help = "stage_N_lifecycle_metrics.json, a run each",
	.recognise = recognise,
	.read = read,
};
