/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vllm bench serve --save-result` writes, and sglang.bench_serving, which began as a copy of
 * it. */
#include "scenario/bench_result.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"

static bool recognise(const cJSON *root)
{
	return json_doc_member(root, "request_throughput") && json_doc_member(root, "request_rate");
}

/* ---- what was timed ---- */

static const char *const metrics[BENCH_METRICS][2] = {
	{"ttft", NULL}, {"tpot", NULL}, {"e2el", "e2e_latency"}};
static const char *const stats[BENCH_STATS] = {"mean", "median", "p90", "p99"};

static bool read_stat(struct bench_result *r, const cJSON *root, const char *stat,
		      const char *metric, double *ms)
{
	char key[48];

	if (!isnan(*ms) || !metric)
		return true;
	snprintf(key, sizeof key, "%s_%s_ms", stat, metric);
	return bench_result_number(r, root, key, 1, ms);
}

static bool read_times(struct bench_result *r, struct bench_run *run, const cJSON *root)
{
	for (size_t m = 0; m < BENCH_METRICS; m++)
		for (size_t s = 0; s < BENCH_STATS; s++)
			for (size_t name = 0; name < COUNT(metrics[m]); name++)
				if (!read_stat(r, root, stats[s], metrics[m][name], &run->ms[m][s]))
					return false;
	for (size_t m = 0; m < BENCH_METRICS; m++)
		if (!read_stat(r, root, "p50", metrics[m][0], &run->ms[m][BENCH_P50]))
			return false;
	return bench_result_number(r, root, "output_throughput", 1, &run->output_tokens_per_s);
}

/* ---- what was sent ---- */

/* A number, or INFINITY for "inf"; NAN for none. */
static bool number_or_inf(struct bench_result *r, const cJSON *root, const char *key, double *value)
{
	const cJSON *item = json_doc_member(root, key);

	if (cJSON_IsString(item) && strcmp(item->valuestring, "inf") == 0) {
		*value = INFINITY;
		return true;
	}
	return bench_result_number(r, root, key, 1, value);
}

/* Requests are sent at a rate, but no more than max_concurrency are under way. */
static void warn_of_limit(struct bench_result *r, const struct bench_run *run, const cJSON *root,
			  double concurrency)
{
	const cJSON *most = json_doc_member(root, "max_concurrent_requests");

	if (!isnan(concurrency) && !(cJSON_IsNumber(most) && most->valuedouble < concurrency))
		bench_result_warn(r, run,
				  "the client held requests back beyond --max-concurrency %.0f, "
				  "which is not simulated: a run without the limit tells more",
				  concurrency);
}

static void take_arrivals(struct bench_result *r, struct bench_run *run, const cJSON *root,
			  double concurrency, double burstiness)
{
	if (isinf(run->rate_rps)) {
		run->arrivals = isnan(concurrency) ? BENCH_OFFLINE : BENCH_CLOSED;
		run->concurrency = isnan(concurrency) ? 0 : (int64_t)concurrency;
		return;
	}
	run->arrivals = BENCH_GAMMA;
	run->burstiness = burstiness;
	if (isnan(burstiness) || burstiness == 1)
		run->arrivals = BENCH_POISSON;
	else if (isinf(burstiness))
		run->arrivals = BENCH_CONSTANT;
	warn_of_limit(r, run, root, concurrency);
}

static bool read_arrivals(struct bench_result *r, struct bench_run *run, const cJSON *root)
{
	double concurrency = NAN, burstiness = NAN;
	const cJSON *ramp = json_doc_member(root, "ramp_up_strategy");

	if (ramp)
		return bench_result_fail(r, ramp, "ramp_up_strategy",
					 "a run whose rate ramps up is not in this version: "
					 "measure with --request-rate");
	if (!number_or_inf(r, root, "request_rate", &run->rate_rps) ||
	    !number_or_inf(r, root, "burstiness", &burstiness) ||
	    !bench_result_number(r, root, "max_concurrency", 1, &concurrency))
		return false;
	if (isnan(run->rate_rps))
		return bench_result_fail(r, json_doc_member(root, "request_rate"), "request_rate",
					 "a rate is a number above 0, or \"inf\"");
	take_arrivals(r, run, root, concurrency, burstiness);
	return true;
}

static bool read_counts(struct bench_result *r, struct bench_run *run, const cJSON *root)
{
	double sent = NAN, completed = NAN, failed = NAN, input = NAN, output = NAN;

	if (!bench_result_number(r, root, "num_prompts", 1, &sent) ||
	    !bench_result_number(r, root, "completed", 1, &completed) ||
	    !bench_result_number(r, root, "failed", 1, &failed) ||
	    !bench_result_number(r, root, "total_input_tokens", 1, &input) ||
	    !bench_result_number(r, root, "total_output_tokens", 1, &output))
		return false;
	if (isnan(completed))
		return bench_result_fail(r, json_doc_member(root, "completed"), "completed",
					 "no request was completed");
	run->failed = isnan(failed) ? 0 : (int64_t)failed;
	run->requests = isnan(sent) ? (int64_t)completed + run->failed : (int64_t)sent;
	run->failed = run->requests - (int64_t)completed;
	run->input_mean = input / completed;
	run->output_mean = output / completed;
	return true;
}

static bool read(struct bench_result *r, const cJSON *root)
{
	struct bench_run *run = bench_result_add(r, root);
	const cJSON *model = json_doc_member(root, "model_id");

	run->model = cJSON_IsString(model) ? model->valuestring : NULL;
	return read_counts(r, run, root) && read_arrivals(r, run, root) && read_times(r, run, root);
}

const struct bench_result_kind bench_result_vllm = {
	.name = "vllm bench serve",
	.help = "the file of --save-result, a run each; of sglang.bench_serving too",
	.recognise = recognise,
	.read = read,
};
