/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times a million Poisson requests (4 a second, 512 tokens in, exponential 128 out) of Llama-3.1-8B
 * on one H100, every metric in place, one replication, without a saturated run. Argument: requests.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/diag.h"
#include "roofline/llm_cost.h"
#include "serve/cluster.h"
#include "traffic/arrival_kind.h"
#include "traffic/length_kind.h"

/* Llama-3.1-8B's config.json; H100 SXM and vLLM as in gpus/ and workloads/engines/. */
static void fill_cost(struct step_cost *cost)
{
	struct model m = {.num_hidden_layers = 32,
			  .hidden_size = 4096,
			  .num_attention_heads = 32,
			  .num_key_value_heads = 8,
			  .head_dim = 128,
			  .intermediate_size = 14336,
			  .vocab_size = 128256,
			  .gated_mlp = true};
	const struct precision_use use = {2, 2, 2, 2, COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16};
	struct gpu g = {.bandwidth.value = 3.35e12};
	struct engine_cost e;
	record_init(&engine_cost_record, &e);
	g.peak.of[COMPUTE_BF16].value = 989.4e12;
	g.mfu.all.value = NAN;
	g.mfu.of[COMPUTE_BF16].value = 0.67;
	g.mbu.value = g.ambu.value = 0.89;
	g.amfu.value = 0.60;
	g.p.value = 2.9;
	e.layer.value = 33e-6;
	e.step.value = 310e-6;
	e.request.value = 4.5e-6;
	e.frontend.value = 3.6e-3;
	e.launch.value = e.host_seq.value = e.sample_bytes.value = 0;
	e.host_factor.value = 1;
	llm_step_cost(cost, &m, &g, &use, &e, 1);
	step_cost_tabulate(cost, 8192, 1024);
	record_free(&engine_cost_record, &e);
}

static void fill_traffic(struct traffic *t)
{
	record_init(&traffic_record, t);
	t->arrivals.process = ARRIVAL_poisson;
	t->arrivals.rate = 4;
	t->input.dist = LENGTH_constant;
	t->input.value = 512;
	t->output.dist = LENGTH_exponential;
	t->output.mean = 128;
	t->seed = 1;
}

static double cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long peak_kb(void)
{
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss;
}

static void print_speed(const struct tally *t, int64_t requests, double seconds)
{
	printf("%" PRId64 " requests in %.3f s of CPU: %.3g requests/s\n", requests, seconds,
	       (double)requests / seconds);
	printf("%" PRIu64 " events, %.2f a request, %.1f ns each\n", t->events,
	       (double)t->events / (double)requests, seconds * 1e9 / (double)t->events);
	printf("peak memory %.1f MB\n", (double)peak_kb() / 1024);
}

int main(int argc, char **argv)
{
	int64_t requests = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000000;
	int64_t stride = argc > 2 ? strtoll(argv[2], NULL, 10) : INT64_MAX;
	struct step_cost cost;
	struct traffic traffic;
	struct tally tally;
	struct diag d;
	diag_init(&d);
	fill_cost(&cost);
	fill_traffic(&traffic);
	/* 308,000 tokens of KV cache: what 79.2 GB * 0.92 leave beside 16 GB of weights. */
	const struct cluster_setup setup = {
		.pools = 1,
		.pool = {{.replica = {.cost = &cost,
				      .max_num_seqs = 1024,
				      .max_num_batched_tokens = 8192,
				      .max_model_len = 131072,
				      .block_size = 16,
				      .pool_blocks = 25000,
				      .schedule_ahead = 1,
				      .chunked_prefill = true,
				      .stride = stride},
			  .replicas = 1}},
		.source = {.traffic = &traffic, .seed = 1, .requests = requests, .rate_factor = 1},
		.tally = {.requests = requests,
			  .keep_samples = requests <= 1000000,
			  .keep_series = true,
			  .ttft_limit = tick_from_s(2),
			  .tpot_limit = tick_from_s(0.1),
			  .e2e_limit = TICK_NEVER},
	};
	double start = cpu_s();
	if (!cluster_run(&setup, &tally, &d)) {
		diag_print(&d, stderr);
		return 3;
	}
	print_speed(&tally, requests, cpu_s() - start);
	tally_free(&tally);
	record_free(&traffic_record, &traffic);
	step_cost_free(&cost);
	return 0;
}
