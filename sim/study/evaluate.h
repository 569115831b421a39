/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One scenario on one GPU: what happens, as an outcome that report formats and studies compare. */
#ifndef STUDY_EVALUATE_H
#define STUDY_EVALUATE_H

#include "scenario/price_book.h"
#include "scenario/scenario.h"
#include "roofline/memory.h"
#include "serve/cluster.h"
#include "stats/interval.h"

enum verdict {
	VERDICT_OK,
	VERDICT_SLO_MISSED,
	VERDICT_OVERLOADED,
	VERDICT_DOES_NOT_FIT,
	VERDICT_UNSUPPORTED,
	VERDICT_CANNOT
};
extern const char *const verdict_names[];
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
	double gpu_memory_utilization, reserve_bytes, mfu, mbu;
	const char *weights, *kv, *compute;
};

/* A unit: one GPU or one tensor-parallel group, settled. Owns its step cost. */
struct unit {
	struct precision_use precision;
	struct memory_plan memory;
	struct step_cost cost;
	struct replica_setup replica;
	int tp;
	enum verdict verdict; /* OK, DOES_NOT_FIT or UNSUPPORTED */
	char reason[512];
};
/* Settles precision, limits, memory and step cost of candidate g at degree tp. */
void unit_init(struct unit *u, const struct scenario *s, const struct candidate *g, int tp);
void unit_free(struct unit *u);

struct outcome {
	const char *gpu;
	int64_t gpus_total;
	struct resolved resolved;
	enum verdict verdict;
	char reason[512];
	enum bound bound;
	struct memory_plan memory;
	int64_t offered, completed, rejected, truncated, preemptions;
	double latency_s[METRICS][QUANTILES]; /* NAN: does not apply */
	double offered_rps, saturated_rps, requests_per_s, output_tokens_per_s, total_tokens_per_s;
	double output_tokens_per_s_per_gpu;
	double goodput_rps, attainment;
	double busy, batch_mean, kv_mean, kv_max, mfu, mbu;
	struct rental rental;
	double usd_per_1k_requests, usd_per_1m_output_tokens, usd_per_1m_tokens, idle_share;
	double watts, joules_per_request, joules_per_output_token;
	struct interval ttft_p99, tpot_p99, throughput; /* level .95 */
	double interval_level;				/* .95 */
	char *interval_constants; /* NULL: constants are not perturbed in this version */
	bool certain;
	struct record_list provenance; /* of char *, owned: "mfu: fitted (...)" */
	uint64_t events;
	char notes[512]; /* "fp16 in place of bf16"; stopped early; skipped trace rows */
};

extern const struct record
	outcome_record; /* outcome_record.c: the one description behind table, JSON and CSV */

struct evaluate_setup {
	const struct scenario *scenario;
	const struct price_book *book;
	int replications; /* 5 by default */
	int jobs;
	int64_t replicas;   /* of the fleet; 0: the scenario's */
	int tp;		    /* 0: the scenario's */
	double rate_factor; /* 1: as written */
	bool quiet;	    /* no progress */
};

/* Evaluates candidate `index`; pure but for progress. False with d filled only on a user's mistake
 * (a broken trace). */
bool evaluate(const struct evaluate_setup *setup, size_t index, struct outcome *o, struct diag *d);
void outcome_free(struct outcome *o);

#endif
