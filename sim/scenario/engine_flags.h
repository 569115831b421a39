/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vLLM's own flag names, understood inside `engine`: each is another name for a key of ours,
 * perhaps of another object. */
#ifndef SCENARIO_ENGINE_FLAGS_H
#define SCENARIO_ENGINE_FLAGS_H

struct engine_flag {
	const char *flag; /* "tensor_parallel_size" */
	const char *path; /* "deployment.tensor_parallel"; within the scenario */
};
extern const struct engine_flag engine_flags[]; /* ends with a NULL flag */
extern const char *const engine_flag_names[];	/* the flags alone, NULL-terminated */

/* The flag of that name, or NULL. */
const struct engine_flag *engine_flags_find(const char *name);

#endif
