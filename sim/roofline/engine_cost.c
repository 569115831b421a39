/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/engine_cost.h"

#include "base/count.h"

static const char *const fraction_names[] = {"total", "free", "static", NULL};

#define FIGURE(KEY, MEMBER, MOST, ...)                                                             \
	{                                                                                          \
		.key = KEY, .kind = FIELD_RECORD, .of = &figure_record,                            \
		.offset = offsetof(struct engine_cost, MEMBER), .min = 0, .max = MOST, __VA_ARGS__ \
	}
#define BY_TP(KEY, MEMBER, ...)                                                                    \
	{                                                                                          \
		.key = KEY, .kind = FIELD_RECORD, .of = &figure_tp_record,                         \
		.offset = offsetof(struct engine_cost, MEMBER), .min = 0, __VA_ARGS__              \
	}
#define INT(NAME, MOST, ...)                                                                       \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_INT, .offset = offsetof(struct engine_cost, NAME),     \
		.min = 1, .max = MOST, __VA_ARGS__                                                 \
	}

static const struct field fields[] = {
	FIGURE("layer_us", layer, 1e6, .scale = 1e-6, .def = "0",
	       .help = "fixed time of a layer on the device [us]"),
	FIGURE("step_us", step, 1e7, .scale = 1e-6, .def = "0",
	       .help = "fixed time of a step, outside the device's [us]"),
	FIGURE("request_us", request, 1e7, .scale = 1e-6, .def = "0",
	       .help = "time a sequence adds to a step [us]"),
	FIGURE("frontend_ms", frontend, 1e6, .scale = 1e-3, .def = "0",
	       .help = "HTTP and tokeniser, before a request can be scheduled [ms]"),
	FIGURE("launch_us", launch, 1e6, .scale = 1e-6, .def = "0",
	       .help = "host work a layer, hidden behind the device [us]"),
	FIGURE("host_seq_us", host_seq, 1e6, .scale = 1e-6, .def = "0",
	       .help = "host work a sequence, hidden behind the device [us]"),
	FIGURE("host_factor", host_factor, 100, .flags = FIELD_ABOVE_MIN,
	       .def = "{\"value\": 1, \"origin\": \"assumed\", \"source\": \"a host like the one "
		      "the times were fitted on\"}",
	       .help = "slowness of the host: times layer, step and front end; its root times "
		       "request"),
	FIGURE("sample_bytes", sample_bytes, 1e6, .def = "0",
	       .help = "bytes that sampling moves a vocabulary entry and emitted row"),
	FIGURE("logit_reserve_bytes", logit_reserve_bytes, 1e6, .def = "0",
	       .help = "bytes reserved a vocabulary entry and max_num_seqs"),
	FIGURE("gpu_memory_utilization", gpu_memory_utilization, 1, .flags = FIELD_ABOVE_MIN,
	       .def = "0.92", .help = "share of the memory that the engine takes"),
	FIGURE("reserve_gb", reserve, 1e5, .scale = 1e9, .flags = FIELD_AUTO,
	       .help = "memory for activations, graphs and buffers [decimal GB]; auto: the model's "
		       "rule"),
	{.key = "fraction_of",
	 .kind = FIELD_CHOICE,
	 .of = fraction_names,
	 .def = "\"total\"",
	 .offset = offsetof(struct engine_cost, fraction_of),
	 .help = "what gpu_memory_utilization is a share of: the total (vLLM), what weights and "
		 "reserve "
		 "leave free (TensorRT-LLM), or the total for weights and pool alone (SGLang)"},
	BY_TP("link_busbw_gbs", link_busbw, .max = 1e5, .scale = 1e9, .flags = FIELD_ABOVE_MIN,
	      .help = "all-reduce bus bandwidth by tensor-parallel degree, in place of the GPU's "
		      "[GB/s]"),
	BY_TP("link_lat_us", link_lat, .max = 1e6, .scale = 1e-6,
	      .help = "all-reduce latency by tensor-parallel degree, in place of the GPU's [us]"),
	INT(kv_pool_tokens, 1e12, .help = "forces the KV pool, as a server reports it [tokens]"),
	INT(kv_pool_blocks, 1e12, .help = "forces the KV pool [blocks]"),
	{.key = "needs_compute_capability",
	 .kind = FIELD_REAL,
	 .min = 0,
	 .max = 100,
	 .offset = offsetof(struct engine_cost, needs_compute_capability),
	 .help = "CUDA compute capability that the engine asks of a GPU"},
	INT(block_size, 1e6, .def = "16", .help = "tokens of a KV block"),
};

static bool check(const void *object, struct diag *d)
{
	const struct engine_cost *e = object;

	if (e->kv_pool_tokens == RECORD_INT_UNSET || e->kv_pool_blocks == RECORD_INT_UNSET)
		return true;
	diag_path(d, "kv_pool_blocks");
	return diag_fail(d, "kv_pool_tokens already forces the pool; give one of the two");
}

const struct record engine_cost_record = {
	.name = "engine",
	.size = sizeof(struct engine_cost),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};

bool engine_cost_runs_on(const struct engine_cost *e, const struct gpu *g, char why[256])
{
	double has = gpu_capability(g);

	if (isnan(e->needs_compute_capability) || isnan(has) || has >= e->needs_compute_capability)
		return true;
	snprintf(why, 256, "the engine needs compute capability %.1f; %s has %.1f",
		 e->needs_compute_capability, g->id ? g->id : "the GPU", has);
	return false;
}
