/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/precision.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"

/* The further spellings are vLLM's: of llm-compressor schemes, --dtype, --quantization and
 * --kv-cache-dtype. */
#define WEIGHT_FORMATS	   "auto", "fp32", "fp16", "bf16", "fp8", "int8", "int4", "mxfp4", "nvfp4"
#define ACTIVATION_FORMATS "auto", "16", "fp8", "int8"
#define KV_FORMATS	   "auto", "fp16", "bf16", "fp8", "int8"

const char *const weight_format_names[] = {WEIGHT_FORMATS, NULL};
static const char *const activation_format_names[] = {ACTIVATION_FORMATS, "fp4", NULL};
const char *const kv_format_names[] = {KV_FORMATS, NULL};

static const char *const weight_choices[] = {WEIGHT_FORMATS, "w4a16",	"w8a16", "w8a8",
					     "float32",	     "float16", "half",	 "bfloat16",
					     "awq",	     "gptq",	NULL};
static const struct spelling {
	int weights, activations;
} spellings[] = {
	{FORMAT_INT4, ACTIVATIONS_16},	 {FORMAT_INT8, ACTIVATIONS_16},
	{FORMAT_INT8, ACTIVATIONS_INT8}, {FORMAT_FP32, ACTIVATIONS_AUTO},
	{FORMAT_FP16, ACTIVATIONS_AUTO}, {FORMAT_FP16, ACTIVATIONS_AUTO},
	{FORMAT_BF16, ACTIVATIONS_AUTO}, {FORMAT_INT4, ACTIVATIONS_16},
	{FORMAT_INT4, ACTIVATIONS_16},
};
static const char *const activation_choices[] = {ACTIVATION_FORMATS, NULL};
static const char *const kv_choices[] = {KV_FORMATS, "float16",	 "bfloat16",
					 "fp8_e4m3", "fp8_e5m2", NULL};
static const int kv_spellings[] = {KV_FP16, KV_BF16, KV_FP8, KV_FP8};

#define CHOICE(NAME, NAMES, HELP)                                                                  \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_CHOICE, .of = (NAMES), .def = "\"auto\"",              \
		.offset = offsetof(struct precision, NAME), .help = (HELP)                         \
	}

static const struct field fields[] = {
	CHOICE(weights, weight_choices,
	       "what weights are stored in; auto: the checkpoint's own, else 16 bits"),
	CHOICE(activations, activation_choices,
	       "what they are multiplied in; auto: what the GPU has"),
	CHOICE(kv, kv_choices, "what the KV cache is stored in; auto: as the activations, 16 bits"),
};

static struct precision plain(const struct precision *p)
{
	struct precision plain = *p;

	if (p->weights >= FORMATS) {
		const struct spelling *s = &spellings[p->weights - FORMATS];

		plain.weights = s->weights;
		if (p->activations == ACTIVATIONS_AUTO)
			plain.activations = s->activations;
	}
	if (p->kv > KV_INT8)
		plain.kv = kv_spellings[p->kv - KV_INT8 - 1];
	return plain;
}

static bool check(const void *object, struct diag *d)
{
	const struct precision *p = object;

	if (p->weights < FORMATS || p->activations == ACTIVATIONS_AUTO ||
	    spellings[p->weights - FORMATS].activations == ACTIVATIONS_AUTO ||
	    spellings[p->weights - FORMATS].activations == p->activations)
		return true;
	diag_path(d, "activations");
	return diag_fail(d, "weights \"%s\" say otherwise about activations",
			 weight_choices[p->weights]);
}

const struct record precision_record = {
	.name = "precision",
	.short_key = "weights",
	.size = sizeof(struct precision),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};

/* What a generation of GPUs can store and compute in. */
struct family {
	const char *name;  /* start of the architecture's */
	double capability; /* from; NAN: known by name alone */
	bool bf16, fp8_stored, int8_stored, fp4_stored, kv8;
	bool tensor16; /* else it stores 16 bits and computes in fp32 */
	bool fp8, int8, fp4;
};

static const struct family families[] = {
	{"Pascal", 6.0},
	{"Volta", 7.0, .int8_stored = true, .kv8 = true, .tensor16 = true},
	{"Turing", 7.5, .int8_stored = true, .kv8 = true, .tensor16 = true, .int8 = true},
	{"Ampere", 8.0, true, true, true, true, true, .tensor16 = true, .int8 = true},
	{"Ada", 8.9, true, true, true, true, true, true, .fp8 = true, .int8 = true},
	{"Hopper", 9.0, true, true, true, true, true, true, .fp8 = true, .int8 = true},
	{"Blackwell", 10.0, true, true, true, true, true, true, true, true, true},
	{"CDNA2", (double)NAN, true, false, true, true, false, true, .int8 = true},
	{"CDNA3", (double)NAN, true, true, true, true, true, true, .fp8 = true, .int8 = true},
};
#define FAMILIES COUNT(families)

static const struct family *family_named(const char *architecture)
{
	for (size_t i = 0; i < FAMILIES; i++)
		if (!strncmp(architecture, families[i].name, strlen(families[i].name)))
			return &families[i];
	return NULL;
}

static bool has_peak(const struct gpu *g, enum compute_type type)
{
	return !isnan(gpu_peak(g, type));
}

/* a GPU of one's own that says neither architecture nor capability is known by its peaks */
static const struct family *family_by_peaks(const struct gpu *g)
{
	if (has_peak(g, COMPUTE_FP4))
		return family_named("Blackwell");
	if (has_peak(g, COMPUTE_FP8))
		return family_named("Hopper");
	if (has_peak(g, COMPUTE_BF16))
		return family_named("Ampere");
	if (has_peak(g, COMPUTE_FP16))
		return family_named(has_peak(g, COMPUTE_INT8) ? "Turing" : "Volta");
	return family_named("Pascal");
}

static const struct family *family_of(const struct gpu *g)
{
	const struct family *found = NULL;
	double capability = gpu_capability(g);

	for (size_t i = 0; i < FAMILIES; i++)
		if (capability >= families[i].capability)
			found = &families[i];
	if (!found && g->architecture)
		found = family_named(g->architecture);
	return found ? found : family_by_peaks(g);
}

/* The choices on the way from a precision to its use. */
struct settling {
	const struct gpu *gpu;
	const struct family *family;
	struct precision asked;
	int sixteen; /* FORMAT_FP16, FORMAT_BF16 or FORMAT_FP32: of what is not quantised */
	char *why;
};

static bool unsupported(const struct settling *s, const char *what)
{
	snprintf(s->why, 256, "%s are not supported on %s (%s)", what,
		 s->gpu->id ? s->gpu->id : "this GPU", s->family->name);
	return false;
}

static enum compute_type compute_of(const struct settling *s, int format)
{
	if (format == FORMAT_FP32 || !s->family->tensor16)
		return COMPUTE_FP32;
	if (format == FORMAT_FP16)
		return has_peak(s->gpu, COMPUTE_FP16) ? COMPUTE_FP16 : COMPUTE_BF16;
	return has_peak(s->gpu, COMPUTE_BF16) ? COMPUTE_BF16 : COMPUTE_FP16;
}

static bool computes_in(const struct settling *s, int activations)
{
	switch (activations) {
	case ACTIVATIONS_FP8:
		return s->family->fp8 && has_peak(s->gpu, COMPUTE_FP8);
	case ACTIVATIONS_INT8:
		return s->family->int8 && has_peak(s->gpu, COMPUTE_INT8);
	case ACTIVATIONS_FP4:
		return s->family->fp4 && has_peak(s->gpu, COMPUTE_FP4);
	default:
		return true;
	}
}

/* activations that a weight format is made for */
static int matching(int format)
{
	switch (format) {
	case FORMAT_FP8:
		return ACTIVATIONS_FP8;
	case FORMAT_INT8:
		return ACTIVATIONS_INT8;
	case FORMAT_MXFP4:
	case FORMAT_NVFP4:
		return ACTIVATIONS_FP4;
	default:
		return ACTIVATIONS_16;
	}
}

/* 8-bit activations go with weights of their own kind and with 4-bit ones */
static bool go_together(int format, int activations)
{
	bool four_bits = format == FORMAT_INT4 || format == FORMAT_MXFP4 || format == FORMAT_NVFP4;

	return activations == ACTIVATIONS_16 || activations == matching(format) || four_bits;
}

static bool settle_activations(const struct settling *s, int format, int *activations)
{
	int asked = s->asked.activations;
	char what[64];

	if (asked == ACTIVATIONS_AUTO) {
		*activations = computes_in(s, matching(format)) ? matching(format) : ACTIVATIONS_16;
		return true;
	}
	*activations = asked;
	snprintf(what, sizeof(what), "%s activations", activation_format_names[asked]);
	if (!computes_in(s, asked))
		return unsupported(s, what);
	if (go_together(format, asked))
		return true;
	snprintf(s->why, 256, "%s do not go with %s weights", what, weight_format_names[format]);
	return false;
}

static bool storable(const struct settling *s, int format)
{
	switch (format) {
	case FORMAT_FP8:
		return s->family->fp8_stored;
	case FORMAT_INT8:
		return s->family->int8_stored;
	case FORMAT_MXFP4:
	case FORMAT_NVFP4:
		return s->family->fp4_stored;
	default:
		return true;
	}
}

/* with scales: 16 bits a group of 64 (int4), 8 bits a group of 32 (mxfp4) or 16 (nvfp4) */
static double bytes_of(int format)
{
	static const double bytes[FORMATS] = {
		[FORMAT_FP32] = 4,	   [FORMAT_FP16] = 2,	     [FORMAT_BF16] = 2,
		[FORMAT_FP8] = 1,	   [FORMAT_INT8] = 1,	     [FORMAT_INT4] = 4.25 / 8,
		[FORMAT_MXFP4] = 4.25 / 8, [FORMAT_NVFP4] = 4.5 / 8,
	};

	return bytes[format];
}

static bool settle_class(const struct settling *s, int format, double *bytes,
			 enum compute_type *type, int *activations)
{
	char what[64];

	snprintf(what, sizeof(what), "%s weights", weight_format_names[format]);
	if (!storable(s, format))
		return unsupported(s, what);
	if (!settle_activations(s, format, activations))
		return false;
	*bytes = bytes_of(format);
	if (*activations == ACTIVATIONS_FP8)
		*type = COMPUTE_FP8;
	else if (*activations == ACTIVATIONS_INT8)
		*type = COMPUTE_INT8;
	else if (*activations == ACTIVATIONS_FP4)
		*type = COMPUTE_FP4;
	else
		*type = compute_of(s, bytes_of(format) < 2 ? s->sixteen : format);
	return true;
}

static bool settle_kv(const struct settling *s, const struct model *m, struct precision_use *use)
{
	int kv = s->asked.kv == KV_AUTO ? m->native_kv : s->asked.kv;
	bool fp32 = s->sixteen == FORMAT_FP32;

	if (s->asked.kv == KV_BF16 && !s->family->bf16)
		return unsupported(s, "bf16 KV caches");
	if ((kv == KV_FP8 || kv == KV_INT8) && !s->family->kv8)
		return unsupported(s, "8-bit KV caches");
	use->kv_bytes = kv == KV_FP8 || kv == KV_INT8 ? 1 : 2;
	use->kv = kv;
	if (kv == KV_AUTO && fp32)
		use->kv_bytes = 4;
	else if (kv == KV_AUTO || (kv == KV_BF16 && !s->family->bf16))
		use->kv = s->sixteen == FORMAT_BF16 ? KV_BF16 : KV_FP16;
	return true;
}

static bool is_16_bits(int format)
{
	return format == FORMAT_AUTO || format == FORMAT_FP16 || format == FORMAT_BF16;
}

/* what a class of the checkpoint is stored in; 16 bits become those that the GPU has */
static int native(const struct settling *s, int format)
{
	return is_16_bits(format) ? s->sixteen : format;
}

static void settle_sixteen(struct settling *s, const struct model *m, struct precision_use *use)
{
	int weights = s->asked.weights;

	s->sixteen = s->family->bf16 ? FORMAT_BF16 : FORMAT_FP16;
	if (weights == FORMAT_FP16 || weights == FORMAT_FP32)
		s->sixteen = weights;
	else if (weights == FORMAT_AUTO &&
		 (m->native_weights == FORMAT_FP16 || m->native_weights == FORMAT_FP32))
		s->sixteen = m->native_weights;
	if (!s->family->tensor16)
		use->note = "this GPU stores 16 bits and computes in fp32";
	else if (!s->family->bf16 && weights != FORMAT_FP16 && s->sixteen == FORMAT_FP16)
		use->note = "fp16 in place of bf16, which this GPU does not have";
}

bool precision_settle(const struct precision *p, const struct model *m, const struct gpu *g,
		      struct precision_use *use, char why[256])
{
	struct settling s = {.gpu = g, .family = family_of(g), .asked = plain(p), .why = why};
	int linear, expert, expert_activations;
	bool checkpoint;

	*use = (struct precision_use){.experts = m->num_experts > 0};
	if (s.asked.weights == FORMAT_BF16 && !s.family->bf16)
		return unsupported(&s, "bf16 weights");
	checkpoint = s.asked.weights == FORMAT_AUTO ||
		     (m->num_experts > 0 && s.asked.weights == m->native_experts);
	settle_sixteen(&s, m, use);
	linear = checkpoint ? native(&s, m->native_weights) : s.asked.weights;
	expert = checkpoint && m->native_experts != FORMAT_AUTO ? native(&s, m->native_experts)
								: linear;
	if (!settle_class(&s, linear, &use->linear_bytes, &use->linear, &use->activations) ||
	    !settle_class(&s, expert, &use->expert_bytes, &use->expert, &expert_activations))
		return false;
	use->other_bytes = bytes_of(s.sixteen);
	use->other = compute_of(&s, s.sixteen);
	if (isnan(gpu_peak(g, use->other)) || isnan(gpu_peak(g, use->linear)))
		return unsupported(&s, "16-bit or fp32 products (no such peak_tflops)");
	use->weights = m->num_experts > 0 ? expert : linear;
	return settle_kv(&s, m, use);
}
