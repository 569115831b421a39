/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a checkpoint's quantisation scheme says about weights and KV cache. */
#ifndef SCENARIO_HF_QUANTIZATION_H
#define SCENARIO_HF_QUANTIZATION_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/json_doc.h"
#include "roofline/model.h"

/*
 * Reads config.json's quantization_config or hf_quant_config.json's quantization into
 * native_weights, native_experts and native_kv; false with d filled and located where the method is
 * unknown. The cache is quantised only where the scheme says so, never because the weights are.
 */
bool hf_quantization_read(struct model *m, const struct json_doc *doc, const cJSON *scheme,
			  struct diag *d);

#endif
