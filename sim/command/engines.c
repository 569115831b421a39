/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "command/catalogue.h"
#include "report/catalog_table.h"

/* Columns are keys of the record, headed by themselves. */
static const char *const keys[] = {"layer_us",
				   "step_us",
				   "request_us",
				   "frontend_ms",
				   "schedule_ahead",
				   "max_num_seqs",
				   "max_num_batched_tokens",
				   "gpu_memory_utilization",
				   "scheduler"};
static const char *const heading[] = {
	"engine",	"layer\nus",	     "step\nus",       "request\nus",	   "front end\nms",
	"steps\nahead", "sequences\na step", "tokens\na step", "memory\nfraction", "scheduler"};

static void add_value(struct table *t, const cJSON *item)
{
	const cJSON *value = cJSON_IsObject(item) ? cJSON_GetObjectItem(item, "value") : item;

	if (cJSON_IsNumber(value))
		catalog_table_number(t, value->valuedouble);
	else
		table_text(t, cJSON_IsString(value) ? value->valuestring : NULL);
}

static void add_row(struct table *t, const struct engine *e)
{
	cJSON *json = record_to_json(&engine_record, e);

	table_text(t, e->id);
	for (size_t i = 0; i < COUNT(keys); i++)
		add_value(t, cJSON_GetObjectItemCaseSensitive(json, keys[i]));
	cJSON_Delete(json);
}

static bool table(const struct catalog *c, const void *entries, size_t n, struct diag *d)
{
	const struct engine *e = entries;
	struct table t;

	(void)c;
	(void)d;
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < n; i++)
		add_row(&t, &e[i]);
	table_print(&t, stdout);
	table_free(&t);
	puts("\nauto: by the GPU's memory, as the engine decides. infercap engines ENGINE has "
	     "every constant with its\n"
	     "source.");
	return true;
}

int cmd_engines(const struct options *o)
{
	static const struct catalogue engines = {"engines", CATALOG_ENGINE, &engine_record, table,
						 NULL};

	return catalogue_answer(&engines, o);
}
