/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a run's result: the one description that its table, JSON and CSV come from. */
#include "study/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "study/length_table.h"
#include "study/provenance.h"
#include "study/run_constants.h"
#include "study/run_data.h"

#define MILLI 1e-3
#define KIND(k, text, member)                                                                      \
	{                                                                                          \
		.key = (text), .kind = (k), .offset = offsetof(struct outcome, member)             \
	}
#define REAL(text, member, unit)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL, .offset = offsetof(struct outcome, member),     \
		.help = (unit)                                                                     \
	}
#define INT(text, member, unit)                                                                    \
	{                                                                                          \
		.key = (text), .kind = FIELD_INT, .offset = offsetof(struct outcome, member),      \
		.help = (unit)                                                                     \
	}
#define PART(text, record)                                                                         \
	{                                                                                          \
		.key = (text), .kind = FIELD_RECORD, .offset = 0, .of = &(record)                  \
	}

#define GROUP(tag)                                                                                 \
	static const struct record tag##_record = {.name = #tag,                                   \
						   .size = sizeof(struct outcome),                 \
						   .fields = COUNT(tag##_fields),                  \
						   .field = tag##_fields}

/* Latencies: one record a metric, all at offset 0 of the outcome, statistics by offset. */
#define STATISTIC(text, metric, quantile)                                                          \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL,                                                 \
		.offset = offsetof(struct outcome, latency_s) +                                    \
			  ((metric)*QUANTILES + (quantile)) * sizeof(double),                      \
		.scale = MILLI, .help = "ms"                                                       \
	}
#define LATENCY(tag, metric)                                                                       \
	static const struct field tag##_fields[] = {                                               \
		STATISTIC("mean", metric, Q_MEAN), STATISTIC("p50", metric, Q_P50),                \
		STATISTIC("p90", metric, Q_P90),   STATISTIC("p95", metric, Q_P95),                \
		STATISTIC("p99", metric, Q_P99),   STATISTIC("p99.9", metric, Q_P999),             \
		STATISTIC("max", metric, Q_MAX),                                                   \
	};                                                                                         \
	GROUP(tag)

LATENCY(ttft, METRIC_TTFT);
LATENCY(queue, METRIC_QUEUE);
LATENCY(tpot, METRIC_TPOT);
LATENCY(itl, METRIC_ITL);
LATENCY(e2e, METRIC_E2E);

static const struct field latency_fields[] = {
	PART("ttft_ms", ttft_record), PART("queue_ms", queue_record), PART("tpot_ms", tpot_record),
	PART("itl_ms", itl_record),   PART("e2e_ms", e2e_record),
};

static const struct field resolved_fields[] = {
	INT("tensor_parallel", resolved.tensor_parallel, ""),
	INT("max_num_seqs", resolved.max_num_seqs, ""),
	INT("max_num_batched_tokens", resolved.max_num_batched_tokens, "tokens"),
	INT("max_model_len", resolved.max_model_len, "tokens"),
	INT("kv_pool_blocks", resolved.kv_pool_blocks, "blocks"),
	REAL("gpu_memory_utilization", resolved.gpu_memory_utilization, ""),
	KIND(FIELD_TEXT, "weights", resolved.weights),
	KIND(FIELD_TEXT, "kv", resolved.kv),
	KIND(FIELD_TEXT, "compute", resolved.compute),
	REAL("mfu", resolved.mfu, ""),
	REAL("mbu", resolved.mbu, ""),
	{.key = "length_shares",
	 .kind = FIELD_LIST,
	 .flags = FIELD_NULL_IF_EMPTY,
	 .offset = offsetof(struct outcome, resolved.length_shares),
	 .of = &length_share_record},
	INT("requests", resolved.requests, ""),
	INT("warmup", resolved.warmup, "requests"),
};

static const struct field memory_fields[] = {
	REAL("weights_bytes", memory.weights_bytes, "bytes"),
	REAL("kv_pool_bytes", memory.kv_pool_bytes, "bytes"),
	INT("kv_pool_tokens", memory.kv_pool_tokens, "tokens"),
	REAL("kv_bytes_per_token", memory.kv_bytes_per_token, "bytes"),
	REAL("reserve_bytes", memory.reserve_bytes, "bytes"),
	REAL("usable_bytes", memory.usable_bytes, "bytes"),
};

static const struct field request_fields[] = {
	INT("offered", offered, ""),	     INT("completed", completed, ""),
	INT("rejected", rejected, ""),	     INT("truncated", truncated, ""),
	INT("preemptions", preemptions, ""),
};

static const struct field throughput_fields[] = {
	REAL("offered_rps", offered_rps, "req/s"),
	REAL("saturated_rps", saturated_rps, "req/s"),
	REAL("requests_per_s", requests_per_s, "req/s"),
	REAL("output_tokens_per_s", output_tokens_per_s, "tok/s"),
	REAL("total_tokens_per_s", total_tokens_per_s, "tok/s"),
	REAL("output_tokens_per_s_per_gpu", output_tokens_per_s_per_gpu, "tok/s"),
};

static const struct field goodput_fields[] = {
	REAL("requests_per_s", goodput_rps, "req/s"),
	REAL("attainment", attainment, ""),
};

static const struct field utilization_fields[] = {
	REAL("busy", use.busy, ""),	  REAL("batch_mean", use.batch_mean, "sequences"),
	REAL("kv_mean", use.kv_mean, ""), REAL("kv_max", use.kv_max, ""),
	REAL("mfu", use.mfu, ""),	  REAL("mbu", use.mbu, ""),
};

static const struct field cost_fields[] = {
	REAL("usd_per_hour", rental.usd_per_hour, "$/h"),
	REAL("usd_per_hour_share", rental.usd_per_hour_share, "$/h"),
	{.key = "range",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct outcome, rental.range),
	 .count = 3},
	REAL("usd_per_1k_requests", usd_per_1k_requests, "$"),
	REAL("usd_per_1k_requests_saturated", usd_per_1k_requests_saturated, "$"),
	REAL("usd_per_1k_requests_idle", usd_per_1k_requests_idle, "$"),
	REAL("usd_per_1m_output_tokens", usd_per_1m_output_tokens, "$"),
	REAL("usd_per_1m_tokens", usd_per_1m_tokens, "$"),
	REAL("idle_share", idle_share, ""),
	{.key = "price",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct outcome, rental.price),
	 .of = &price_choice_record},
	{.key = "price_share",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct outcome, rental.price_share),
	 .of = &price_choice_record},
	{.key = "reason",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct outcome, rental.reason)},
};

static const struct field energy_fields[] = {
	REAL("watts", watts, "W"),
	REAL("joules_per_request", joules_per_request, "J"),
	REAL("joules_per_output_token", joules_per_output_token, "J"),
};

#define RANGE(text, member, unit_s)                                                                \
	{                                                                                          \
		.key = (text), .kind = FIELD_VECTOR, .offset = offsetof(struct outcome, member),   \
		.count = 2, .scale = (unit_s)                                                      \
	}

static const struct field interval_fields[] = {
	REAL("level", interval_level, ""),
	RANGE("ttft_ms_p99", ttft_p99, MILLI),
	RANGE("tpot_ms_p99", tpot_p99, MILLI),
	RANGE("requests_per_s", throughput, 1),
};

#define POOL(KIND_, text, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = (KIND_), .offset = offsetof(struct outcome_pool, member)    \
	}

static const struct field pool_memory_fields[] = {
	POOL(FIELD_REAL, "weights_bytes", memory.weights_bytes),
	POOL(FIELD_REAL, "kv_pool_bytes", memory.kv_pool_bytes),
	POOL(FIELD_INT, "kv_pool_tokens", memory.kv_pool_tokens),
	POOL(FIELD_REAL, "kv_bytes_per_token", memory.kv_bytes_per_token),
	POOL(FIELD_REAL, "reserve_bytes", memory.reserve_bytes),
	POOL(FIELD_REAL, "usable_bytes", memory.usable_bytes),
};

static const struct record pool_memory_record = {.name = "memory",
						 .size = sizeof(struct outcome_pool),
						 .fields = COUNT(pool_memory_fields),
						 .field = pool_memory_fields};

static const struct field pool_fields[] = {
	POOL(FIELD_TEXT, "name", name),
	POOL(FIELD_TEXT, "gpu", gpu),
	POOL(FIELD_INT, "replicas", replicas),
	POOL(FIELD_INT, "tensor_parallel", tensor_parallel),
	POOL(FIELD_REAL, "share", share),
	POOL(FIELD_REAL, "busy", use.busy),
	POOL(FIELD_REAL, "batch_mean", use.batch_mean),
	POOL(FIELD_REAL, "kv_mean", use.kv_mean),
	POOL(FIELD_REAL, "kv_max", use.kv_max),
	POOL(FIELD_REAL, "mfu", use.mfu),
	POOL(FIELD_REAL, "mbu", use.mbu),
	{.key = "bound",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct outcome_pool, use.bound),
	 .of = bound_names},
	POOL(FIELD_REAL, "watts", watts),
	{.key = "memory", .kind = FIELD_RECORD, .of = &pool_memory_record},
};

const struct record outcome_pool_record = {.name = "pool",
					   .size = sizeof(struct outcome_pool),
					   .fields = COUNT(pool_fields),
					   .field = pool_fields};

GROUP(latency);
GROUP(resolved);
GROUP(memory);
GROUP(request);
GROUP(throughput);
GROUP(goodput);
GROUP(utilization);
GROUP(cost);
GROUP(energy);
GROUP(interval);

static const struct field outcome_fields[] = {
	KIND(FIELD_TEXT, "gpu", gpu),
	INT("gpus_total", gpus_total, ""),
	PART("resolved", resolved_record),
	{.key = "verdict",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct outcome, verdict),
	 .of = verdict_names},
	{.key = "reason",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct outcome, reason)},
	{.key = "bound",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct outcome, use.bound),
	 .of = bound_names},
	PART("memory", memory_record),
	PART("requests", request_record),
	PART("latency", latency_record),
	PART("throughput", throughput_record),
	PART("goodput", goodput_record),
	PART("utilization", utilization_record),
	{.key = "pools",
	 .kind = FIELD_LIST,
	 .flags = FIELD_NULL_IF_EMPTY,
	 .offset = offsetof(struct outcome, pools),
	 .of = &outcome_pool_record},
	PART("cost", cost_record),
	PART("energy", energy_record),
	PART("interval", interval_record),
	{.key = "interval_constants",
	 .kind = FIELD_RECORD,
	 .flags = FIELD_POINTER,
	 .offset = offsetof(struct outcome, interval_constants),
	 .of = &run_constants_record},
	KIND(FIELD_BOOL, "certain", certain),
	{.key = "provenance",
	 .kind = FIELD_LIST,
	 .flags = FIELD_TEXTS,
	 .offset = offsetof(struct outcome, provenance)},
	{.key = "notes",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct outcome, notes)},
};

const struct record outcome_record = {.name = "result",
				      .size = sizeof(struct outcome),
				      .fields = COUNT(outcome_fields),
				      .field = outcome_fields};

void outcome_free(struct outcome *o)
{
	rental_free(&o->rental);
	provenance_free(&o->provenance);
	free(o->pools.data);
	length_table_free_shares(&o->resolved.length_shares);
	free(o->interval_constants);
	run_data_del(o->data);
	memset(o, 0, sizeof *o);
}
