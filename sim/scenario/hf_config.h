/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model from a Hugging Face config.json: a second table of spellings, since each family of models
 * names its dimensions in its own way and leaves defaults unsaid. Understood: text parts nested in
 * multi-modal files, null values, experts under their three names, windows that are switched off,
 * quantisation (also in hf_quant_config.json beside the file) with or without a KV scheme. Refused
 * by name: hybrid and linear-attention layers, layers that differ in heads or width,
 * encoder-decoders.
 */
#ifndef SCENARIO_HF_CONFIG_H
#define SCENARIO_HF_CONFIG_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/json_doc.h"
#include "base/record.h"
#include "roofline/model.h"

/* Whether a file is such a config.json (and no model file of ours): it has `architectures` or
 * `model_type`. */
bool hf_config_is(const cJSON *root);

/* The value of one of our keys in it, or NULL: of `architecture` what names the family. Only keys
 * that no family spells in another way. */
const cJSON *hf_config_find(const cJSON *root, const char *key);

/*
 * Reads it over an initialised model, to be finished and settled by the caller; false with d filled
 * and located. Keys that had no say are appended to `unknown` as texts (owned by the list), or
 * dropped if it is NULL.
 */
bool hf_config_read(struct model *m, const struct json_doc *doc, struct record_list *unknown,
		    struct diag *d);

#endif
