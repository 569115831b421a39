/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "scenario/scenario.h"

#define FIELD(KEY, KIND, HELP)                                                                     \
	.key = #KEY, .kind = (KIND), .offset = offsetof(struct pool, KEY), .help = (HELP)

static const struct field fields[] = {
	{FIELD(name, FIELD_TEXT, "for people")},
	{FIELD(replicas, FIELD_INT, "units: GPUs, or tensor-parallel groups"), .def = "1", .min = 1,
	 .max = 100000},
	{FIELD(tensor_parallel, FIELD_INT, "GPUs a unit, each holding a part of every layer"),
	 .def = "1", .min = 1, .max = 1024},
	{FIELD(pipeline_parallel, FIELD_INT, "stages a unit; only 1 in this version"), .def = "1",
	 .min = 1, .max = 1024},
	{.key = "role", .kind = FIELD_TEXT, .flags = FIELD_NOT_YET},
};

static bool check(const void *object, struct diag *d)
{
	const struct pool *pool = object;

	if (pool->pipeline_parallel == 1)
		return true;
	diag_path(d, "pipeline_parallel");
	return diag_fail(d, "pipeline parallelism is not in this version");
}

const struct record pool_record = {
	.name = "pool",
	.size = sizeof(struct pool),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};
