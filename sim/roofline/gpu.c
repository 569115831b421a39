/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/gpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "roofline/usual_mfu.h"

const char *const compute_type_names[] = {"fp32", "tf32", "bf16", "fp16", "fp8",
					  "int8", "int4", "fp4",  NULL};

#define BY_TYPE(KEY, MEMBER, HELP)                                                                 \
	{                                                                                          \
		.key = (KEY), .kind = FIELD_RECORD, .of = &figure_record,                          \
		.offset = offsetof(struct figure_by_type, MEMBER), .help = (HELP)                  \
	}

static const struct field by_type_fields[] = {
	BY_TYPE("all", all, "for every compute type that has none of its own"),
	BY_TYPE("fp32", of[COMPUTE_FP32], "fp32"),
	BY_TYPE("tf32", of[COMPUTE_TF32], "tf32"),
	BY_TYPE("bf16", of[COMPUTE_BF16], "bf16, accumulated in fp32"),
	BY_TYPE("fp16", of[COMPUTE_FP16], "fp16, accumulated in fp32"),
	BY_TYPE("fp8", of[COMPUTE_FP8], "fp8, accumulated in fp32"),
	BY_TYPE("int8", of[COMPUTE_INT8], "int8"),
	BY_TYPE("int4", of[COMPUTE_INT4], "int4"),
	BY_TYPE("fp4", of[COMPUTE_FP4], "fp4 (mxfp4, nvfp4)"),
};

static const struct record by_type_record = {
	.name = "figure by compute type",
	.short_key = "all",
	.size = sizeof(struct figure_by_type),
	.fields = COUNT(by_type_fields),
	.field = by_type_fields,
};

#define TEXT(NAME, HELP)                                                                           \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_TEXT, .offset = offsetof(struct gpu, NAME),            \
		.help = (HELP)                                                                     \
	}
#define TEXTS(NAME, HELP)                                                                          \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_LIST, .offset = offsetof(struct gpu, NAME),            \
		.flags = FIELD_TEXTS, .help = (HELP)                                               \
	}
#define FIGURE(KEY, MEMBER, OF, ...)                                                               \
	{                                                                                          \
		.key = (KEY), .kind = FIELD_RECORD, .of = (OF),                                    \
		.offset = offsetof(struct gpu, MEMBER), __VA_ARGS__                                \
	}
#define POSITIVE(MOST) .min = 0, .max = (MOST), .flags = FIELD_ABOVE_MIN
#define NEEDED(MOST)   .min = 0, .max = (MOST), .flags = FIELD_ABOVE_MIN | FIELD_REQUIRED

/* The defaults are the catalogue's for a GPU without measurements: a scenario's own GPU may leave
 * them out. */
#define ASSUMED(VALUE)                                                                             \
	.def = "{\"value\": " VALUE ", \"origin\": \"assumed\", \"source\": \"usual value of a "   \
	       "GPU without measurements\"}"

static const struct field fields[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct gpu, id),
	 .help = "id in the catalogue"},
	TEXT(name, "name for people"),
	TEXT(vendor, "maker"),
	TEXT(architecture, "architecture: decides which precisions it has"),
	TEXT(compute_capability, "CUDA compute capability: decides which precisions it has"),
	TEXT(die, "chip"),
	TEXT(form, "board or module"),
	{.key = "year",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct gpu, year),
	 .min = 1990,
	 .max = 2100,
	 .help = "year of release"},
	{.key = "count_per_board",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct gpu, count_per_board),
	 .def = "1",
	 .min = 1,
	 .max = 64,
	 .help = "such devices on a board"},
	TEXTS(aliases, "other ids"),
	TEXTS(sources, "where the figures come from"),
	TEXTS(notes, "traps worth knowing"),
	TEXTS(unsure, "figures that sources disagree on"),
	TEXT(confidence, "how well the figures are attested, A to C"),
	FIGURE("memory_gb", memory, &figure_record, NEEDED(1e5), .scale = 1e9,
	       .help = "memory as the CUDA runtime reports it [decimal GB]"),
	FIGURE("bandwidth_gbs", bandwidth, &figure_record, NEEDED(1e6), .scale = 1e9,
	       .help = "memory bandwidth, datasheet [GB/s]"),
	FIGURE("peak_tflops", peak, &by_type_record, NEEDED(1e7), .scale = 1e12,
	       .help = "dense peak by compute type [TFLOP/s]; absent: not supported"),
	FIGURE("mfu", mfu, &by_type_record, POSITIVE(1.2),
	       .help = "share of the peak that linear layers sustain in serving; default by "
		       "architecture and power limit"),
	FIGURE("mfu_kernel", mfu_kernel, &figure_record, POSITIVE(1.2),
	       .help = "the same of single kernels; used for rows of kernels only"),
	FIGURE("expert_share", expert_share, &figure_record, POSITIVE(2),
	       .def = "{\"value\": 0.4, \"sigma\": 0.1, \"origin\": \"assumed\", \"source\": "
		      "\"between H100's 0.29 and A100's 0.47\"}",
	       .help = "share of the 16-bit rate of linear layers that grouped GEMMs of experts "
		       "reach, whatever their weights are stored in"),
	FIGURE("mbu", mbu, &figure_record, POSITIVE(1.2), ASSUMED("0.85"),
	       .help = "share of the bandwidth that linear layers reach"),
	FIGURE("amfu", amfu, &figure_record, POSITIVE(1.2), ASSUMED("0.5"),
	       .help = "share of the 16-bit peak that attention reaches"),
	FIGURE("ambu", ambu, &figure_record, POSITIVE(1.2), ASSUMED("0.82"),
	       .help = "share of the bandwidth that attention reaches"),
	FIGURE("p", p, &figure_record, .min = 1, .max = 100, ASSUMED("2.5"),
	       .help = "sharpness of the roofline's knee: (a^p + b^p)^(1/p)"),
	FIGURE("link_busbw_gbs", link_busbw, &figure_tp_record, POSITIVE(1e5), .scale = 1e9,
	       .help = "all-reduce bus bandwidth by tensor-parallel degree [GB/s]"),
	FIGURE("link_lat_us", link_lat, &figure_tp_record, .min = 0, .max = 1e6, .scale = 1e-6,
	       .help = "all-reduce latency by tensor-parallel degree [us]"),
	FIGURE("pcie_gbs", pcie, &figure_record, POSITIVE(1e5), .scale = 1e9,
	       .help = "PCIe, one direction [GB/s]"),
	FIGURE("tdp_w", tdp_w, &figure_record, POSITIVE(1e5), .help = "power limit [W]"),
	FIGURE("idle_w", idle_w, &figure_record, .min = 0, .max = 1e5,
	       .help = "power with a model loaded and no work [W]"),
	{.key = "given",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct gpu, given),
	 .flags = FIELD_OPEN,
	 .help = "the source's own figures, unchanged"},
};

static bool is_set(const struct figure *f)
{
	return !isnan(f->value);
}

static bool has_mfu(const struct gpu *g)
{
	bool any = is_set(&g->mfu.all);

	for (size_t i = 0; i < COMPUTE_TYPES; i++)
		any |= is_set(&g->mfu.of[i]);
	return any;
}

static void settle(void *object)
{
	struct gpu *g = object;

	if (!has_mfu(g))
		g->mfu.all = usual_mfu(g);
}

const struct record gpu_record = {
	.name = "GPU",
	.size = sizeof(struct gpu),
	.fields = COUNT(fields),
	.field = fields,
	.settle = settle,
};

const struct figure *gpu_mfu(const struct gpu *g, enum compute_type type)
{
	const struct figure_by_type *mfu = &g->mfu;
	const struct figure *order[] = {&mfu->of[type], &mfu->all, &mfu->of[COMPUTE_BF16],
					&mfu->of[COMPUTE_FP16]};

	for (size_t i = 0; i < COUNT(order); i++)
		if (is_set(order[i]))
			return order[i];
	for (size_t i = 0; i < COMPUTE_TYPES; i++)
		if (is_set(&mfu->of[i]))
			return &mfu->of[i];
	return &mfu->all;
}

double gpu_peak(const struct gpu *g, enum compute_type type)
{
	const struct figure *own = &g->peak.of[type];

	return is_set(own) ? own->value : g->peak.all.value;
}

double gpu_capability(const struct gpu *g)
{
	char *end;
	double value;

	if (!g->compute_capability || !isdigit((unsigned char)*g->compute_capability))
		return (double)NAN;
	value = strtod(g->compute_capability, &end);
	return *end ? (double)NAN : value;
}
