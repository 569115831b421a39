/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "command/catalogue.h"
#include "report/catalog_table.h"

static const char *const heading[] = {"model",	  "parameters\n1e9",   "active\n1e9",
				      "layers",	  "KV bytes\na token", "context\ntokens",
				      "simulated"};

/* KV cache of a token at 16 bits, before any window ends; NAN: it keeps none. */
static double kv_bytes(const struct model *m)
{
	double a_layer = 2 * (double)m->num_key_value_heads * (double)m->head_dim;

	if (m->architecture == MODEL_ENCODER)
		return (double)NAN;
	if (m->kv_lora_rank > 0) /* one latent for all heads */
		a_layer = (double)(m->kv_lora_rank + m->qk_rope_head_dim);
	return 2 * a_layer * (double)m->num_hidden_layers;
}

static void add_row(struct table *t, const struct model *m)
{
	const char *refusal = model_refusal(m);

	table_text(t, m->id);
	table_number(t, model_params(m) / 1e9, 3);
	table_number(t, model_active_params(m) / 1e9, 3);
	table_number(t, (double)m->num_hidden_layers, 1);
	table_number(t, kv_bytes(m), 1);
	table_number(t, (double)m->max_position_embeddings, 1);
	table_text(t, refusal ? refusal : "yes");
}

static bool table(const struct catalog *c, const void *entries, size_t n, struct diag *d)
{
	const struct model *m = entries;
	struct table t;

	(void)c;
	(void)d;
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < n; i++)
		add_row(&t, &m[i]);
	table_print(&t, stdout);
	table_free(&t);
	puts("\nParameters from the dimensions, embeddings included, norms and biases left out. KV "
	     "cache at 16 bits.\n"
	     "infercap models MODEL has the dimensions and where they come from.");
	return true;
}

static void add_number(cJSON *json, const char *key, double value)
{
	if (isnan(value))
		cJSON_AddNullToObject(json, key);
	else
		cJSON_AddNumberToObject(json, key, value);
}

static void derive(cJSON *json, const void *entry)
{
	const struct model *m = entry;
	const char *refusal = model_refusal(m);

	add_number(json, "parameters", model_params(m));
	add_number(json, "active_parameters", model_active_params(m));
	add_number(json, "kv_bytes_per_token", kv_bytes(m));
	cJSON_AddBoolToObject(json, "simulated", !refusal);
	cJSON_AddItemToObject(json, "reason",
			      refusal ? cJSON_CreateString(refusal) : cJSON_CreateNull());
}

int cmd_models(const struct options *o)
{
	static const struct catalogue models = {"models", CATALOG_MODEL, &model_record, table,
						derive};

	return catalogue_answer(&models, o);
}
