/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happened to a load on a GPU: what report formats and studies compare. SI units, NAN where a
 * figure does not apply. */
#ifndef STUDY_OUTCOME_H
#define STUDY_OUTCOME_H

#include "scenario/price_book.h"
#include "stats/interval.h"
#include "study/unit.h"

struct run_data;
struct run_constants;

enum bound {
	BOUND_MEMORY,
	BOUND_COMPUTE,
	BOUND_INTERCONNECT,
	BOUND_OVERHEAD,
	BOUND_KV_CAPACITY,
	BOUND_ARRIVALS,
	BOUND_NONE
};					/* NONE prints as null */
extern const char *const bound_names[]; /* "memory-bandwidth", ... */

enum quantile { Q_MEAN, Q_P50, Q_P90, Q_P95, Q_P99, Q_P999, Q_MAX, QUANTILES };

/* What the GPU-dependent defaults became. */
struct resolved {
	int64_t max_num_seqs, max_num_batched_tokens, max_model_len, kv_pool_blocks,
		tensor_parallel, requests, warmup;
	double gpu_memory_utilization, mfu, mbu;
	const char *weights, *kv, *compute;
	struct record_list length_shares; /* of struct length_share: what length-aware went by */
};

/* Of busy time: batch_mean, kv_mean, mfu and mbu; of all time: busy. */
struct usage {
	double busy, batch_mean, kv_mean, kv_max, mfu, mbu;
	enum bound bound;
};

/* What one part of a mixed fleet did. */
struct outcome_pool {
	const char *name; /* the scenario's word for it, or NULL; not owned */
	const char *gpu;  /* not owned */
	int64_t replicas, tensor_parallel;
	double share; /* of the requests served */
	struct usage use;
	double watts;
	struct memory_plan memory;
};

struct outcome {
	const char *gpu;
	int64_t gpus_total;
	struct resolved resolved;
	enum verdict verdict;
	char reason[512];
	struct memory_plan memory;
	int64_t offered, completed, rejected, truncated, preemptions;
	double latency_s[METRICS][QUANTILES]; /* NAN: does not apply */
	double offered_rps, saturated_rps, requests_per_s, output_tokens_per_s, total_tokens_per_s;
	double output_tokens_per_s_per_gpu;
	double goodput_rps, attainment;
	struct usage use;
	struct record_list pools; /* of struct outcome_pool; empty unless the fleet is mixed */
	struct rental rental;
	double usd_per_1k_requests, usd_per_1m_output_tokens, usd_per_1m_tokens, idle_share;
	double usd_per_1k_requests_saturated, usd_per_1k_requests_idle; /* add up to the whole */
	double watts, joules_per_request, joules_per_output_token;
	struct interval ttft_p99, tpot_p99, throughput; /* level .95 */
	double interval_level;				/* .95 */
	struct run_constants *interval_constants;	/* NULL: not asked for, or nothing ran */
	bool certain;
	double excess; /* of the limit most exceeded, ln(value / limit); 0: no limit was judged */
	struct record_list provenance; /* of char *, owned: "mfu: fitted (...)" */
	uint64_t events;
	char notes[512];       /* "fp16 in place of bf16"; stopped early; skipped trace rows */
	struct run_data *data; /* of pictures; NULL: not asked for, or nothing ran */
};

extern const struct record
	outcome_record; /* outcome.c: the one description behind table, JSON and CSV */

extern const struct record outcome_pool_record;

void outcome_free(struct outcome *o);

#endif
