/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/engine_flags.h"

#include <stddef.h>
#include <string.h>

#define ENGINE_FLAGS(X)                                                                            \
	X("tensor_parallel_size", "deployment.tensor_parallel")                                    \
	X("pipeline_parallel_size", "deployment.pipeline_parallel")                                \
	X("data_parallel_size", "deployment.replicas")                                             \
	X("kv_cache_dtype", "precision.kv")                                                        \
	X("quantization", "precision.weights")                                                     \
	X("dtype", "precision.weights")                                                            \
	X("enable_chunked_prefill", "engine.chunked_prefill")                                      \
	X("enable_prefix_caching", "engine.prefix_caching")                                        \
	X("scheduling_policy", "engine.policy")                                                    \
	X("num_gpu_blocks_override", "engine.kv_pool_blocks")

#define BOTH(flag, path) {flag, path},
#define NAME(flag, path) flag,
const struct engine_flag engine_flags[] = {ENGINE_FLAGS(BOTH){NULL, NULL}};
const char *const engine_flag_names[] = {ENGINE_FLAGS(NAME) NULL};

const struct engine_flag *engine_flags_find(const char *name)
{
	for (const struct engine_flag *f = engine_flags; f->flag; f++)
		if (strcmp(f->flag, name) == 0)
			return f;
	return NULL;
}
