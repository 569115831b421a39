/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/set_path.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/engine_flags.h"

static const struct field *find(const struct record *r, const void *object, const char *path)
{
	struct diag unknown;
	void *in = (void *)object;

	diag_init(&unknown);
	return record_find(r, &in, path, &unknown);
}

/* What stands behind `head`, or NULL: it begins with something else. */
static const char *behind(const char *path, const char *head)
{
	size_t length = strlen(head);

	return strncmp(path, head, length) == 0 ? path + length : NULL;
}

static const struct field *find_in_engine(const struct scenario *s, const char *key)
{
	const struct engine_flag *flag = engine_flags_find(key);

	return flag ? set_path_field(s, flag->path) : find(&engine_record, &s->engine, key);
}

/* "1].mbu" */
static const struct field *find_in_gpu(const struct scenario *s, const char *rest)
{
	char *end;
	unsigned long i = strtoul(rest, &end, 10);

	if (end == rest || strncmp(end, "].", 2) != 0 || i >= s->candidates)
		return NULL;
	return find(&gpu_record, &s->candidate[i].gpu, end + 2);
}

/* "1].replicas" */
static const struct field *find_in_pool(const struct scenario *s, const char *rest)
{
	char *end;
	unsigned long i = strtoul(rest, &end, 10);
	const char *gpu;

	if (end == rest || strncmp(end, "].", 2) != 0 || i >= s->pools)
		return NULL;
	if ((gpu = behind(end + 2, "gpu.")) != NULL)
		return find(&gpu_record, &s->pool[i].candidate.gpu, gpu);
	const struct field *own = find(&pool_record, &s->pool[i], end + 2);
	return own ? own : find(&engine_record, &s->engine, end + 2);
}

const struct field *set_path_field(const struct scenario *s, const char *path)
{
	const char *rest;

	if ((rest = behind(path, "engine.")) != NULL)
		return find_in_engine(s, rest);
	if ((rest = behind(path, "model.")) != NULL)
		return find(&model_record, &s->model, rest);
	if ((rest = behind(path, "gpus[")) != NULL)
		return find_in_gpu(s, rest);
	if ((rest = behind(path, "pools[")) != NULL)
		return find_in_pool(s, rest);
	return find(&scenario_record, s, path);
}
