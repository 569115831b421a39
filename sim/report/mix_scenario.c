/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/mix_scenario.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"

static cJSON *pools_json(const cJSON *gpus, const struct mix_fleet *f)
{
	const struct mix_pool *p = f->pools.data;
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < f->pools.count; i++) {
		cJSON *pool = cJSON_CreateObject();

		cJSON_AddItemToObject(
			pool, "gpu",
			cJSON_Duplicate(cJSON_GetArrayItem(gpus, (int)p[i].candidate), true));
		cJSON_AddNumberToObject(pool, "replicas", (double)p[i].units);
		cJSON_AddNumberToObject(pool, "tensor_parallel", (double)p[i].tensor_parallel);
		cJSON_AddItemToArray(list, pool);
	}
	return list;
}

static cJSON *shares_json(const struct mix_fleet *f)
{
	const struct mix_class *c = f->classes.data;
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < f->classes.count; i++) {
		cJSON *class = cJSON_CreateObject();

		if (i + 1 < f->classes.count)
			cJSON_AddNumberToObject(class, "input_max", (double)c[i].input_max);
		cJSON_AddItemToObject(
			class, "shares",
			cJSON_CreateDoubleArray(c[i].fractions.data, (int)c[i].fractions.count));
		cJSON_AddItemToArray(list, class);
	}
	return list;
}

static cJSON *deployment_json(const struct mix_fleet *f)
{
	cJSON *deployment = cJSON_CreateObject();

	cJSON_AddStringToObject(deployment, "router", f->router);
	if (f->pools.count > 1 && !strcmp(f->router, "length-aware"))
		cJSON_AddItemToObject(deployment, "length_shares", shares_json(f));
	return deployment;
}

/* Relative to the folder of the new file it would be another one. */
static void make_absolute(cJSON *object, const char *key)
{
	const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, key);
	char *path = cJSON_IsString(file) ? realpath(file->valuestring, NULL) : NULL;

	if (path)
		cJSON_ReplaceItemInObjectCaseSensitive(object, key, cJSON_CreateString(path));
	free(path);
}

void mix_scenario_write(const struct scenario *s, const struct mix_fleet *f, FILE *to)
{
	cJSON *json = cJSON_Duplicate(s->resolved, true);
	cJSON *gpus = cJSON_DetachItemFromObjectCaseSensitive(json, "gpus");
	cJSON *traffic = cJSON_GetObjectItemCaseSensitive(json, "traffic");
	struct json_write w;

	cJSON_AddItemToObject(json, "pools", pools_json(gpus, f));
	cJSON_ReplaceItemInObjectCaseSensitive(json, "deployment", deployment_json(f));
	make_absolute(traffic, "trace");
	make_absolute(cJSON_GetObjectItemCaseSensitive(traffic, "input"), "file");
	make_absolute(cJSON_GetObjectItemCaseSensitive(traffic, "output"), "file");
	json_write_init(&w, to);
	json_write_tree(&w, json);
	fputc('\n', to);
	cJSON_Delete(gpus);
	cJSON_Delete(json);
}
