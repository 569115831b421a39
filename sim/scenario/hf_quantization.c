/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/hf_quantization.h"

#include <string.h>
#include <strings.h>

#include "roofline/precision.h"

struct scheme {
	struct model *m;
	const struct json_doc *doc;
	const cJSON *root;
	struct diag *d;
};

static const char *text(const cJSON *object, const char *key)
{
	const cJSON *item = json_doc_member(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static int number(const cJSON *object, const char *key)
{
	const cJSON *item = json_doc_member(object, key);

	return cJSON_IsNumber(item) ? (int)item->valuedouble : 0;
}

/* bits and kind as compressed-tensors has them; FORMAT_AUTO: none that we know */
static int format_of(int bits, bool is_float)
{
	if (bits == 8)
		return is_float ? FORMAT_FP8 : FORMAT_INT8;
	if (bits == 4)
		return is_float ? FORMAT_NVFP4 : FORMAT_INT4;
	return FORMAT_AUTO;
}

static int format_of_groups(const struct scheme *s)
{
	const cJSON *group;

	cJSON_ArrayForEach(group, json_doc_member(s->root, "config_groups"))
	{
		const cJSON *weights = json_doc_member(group, "weights");

		if (weights)
			return format_of(number(weights, "num_bits"),
					 !strcmp(text(weights, "type"), "float"));
	}
	return FORMAT_AUTO;
}

static int format_of_bitsandbytes(const struct scheme *s)
{
	return cJSON_IsTrue(json_doc_member(s->root, "load_in_8bit")) ? FORMAT_INT8 : FORMAT_INT4;
}

/* ModelOpt's algorithms: FP8, NVFP4, W4A16_AWQ, INT4_AWQ, W8A8_SQ_PER_CHANNEL */
static int format_of_algorithm(const char *name)
{
	if (!strncmp(name, "FP8", 3))
		return FORMAT_FP8;
	if (!strncmp(name, "NVFP4", 5))
		return FORMAT_NVFP4;
	if (!strncmp(name, "W4A16", 5) || !strncmp(name, "INT4", 4))
		return FORMAT_INT4;
	if (!strncmp(name, "W8A", 3) || !strncmp(name, "INT8", 4))
		return FORMAT_INT8;
	return FORMAT_AUTO;
}

static int format_of_weights(const struct scheme *s)
{
	const char *method = text(s->root, "quant_method");

	if (*text(s->root, "quant_algo"))
		return format_of_algorithm(text(s->root, "quant_algo"));
	if (!strcmp(method, "fp8") || !strcmp(method, "fbgemm_fp8"))
		return FORMAT_FP8;
	if (!strcmp(method, "gptq") || !strcmp(method, "awq"))
		return format_of(number(s->root, "bits"), false);
	if (!strcmp(method, "compressed-tensors"))
		return format_of_groups(s);
	if (!strcmp(method, "bitsandbytes"))
		return format_of_bitsandbytes(s);
	return FORMAT_AUTO;
}

static bool read_weights(const struct scheme *s)
{
	int format = format_of_weights(s);

	if (!strcmp(text(s->root, "quant_method"), "mxfp4")) {
		s->m->native_experts = FORMAT_MXFP4;
		return true;
	}
	s->m->native_weights = format;
	if (format != FORMAT_AUTO)
		return true;
	json_doc_locate(s->doc, s->root, s->d);
	diag_path(s->d, s->root->string ? s->root->string : "");
	return diag_fail(
		s->d,
		"a quantisation that this version does not know (known: fp8, gptq and awq of 4 "
		"or 8 bits, compressed-tensors, bitsandbytes, modelopt, mxfp4)");
}

static void read_kv(const struct scheme *s)
{
	const cJSON *kv = json_doc_member(s->root, "kv_cache_scheme");
	const char *algorithm = text(s->root, "kv_cache_quant_algo");
	bool is_float = !strcmp(text(kv, "type"), "float");

	if (kv && number(kv, "num_bits") == 8)
		s->m->native_kv = is_float ? KV_FP8 : KV_INT8;
	else if (!strncasecmp(algorithm, "fp8", 3))
		s->m->native_kv = KV_FP8;
	else if (!strncasecmp(algorithm, "int8", 4))
		s->m->native_kv = KV_INT8;
}

bool hf_quantization_read(struct model *m, const struct json_doc *doc, const cJSON *scheme,
			  struct diag *d)
{
	struct scheme s = {m, doc, scheme, d};

	read_kv(&s);
	return read_weights(&s);
}
