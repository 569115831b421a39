/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an option says of GPUs: "4:a100". */
#ifndef COMMAND_COUNTED_GPU_H
#define COMMAND_COUNTED_GPU_H

#include "base/diag.h"
#include "scenario/catalog.h"

/* Larger fleets are not simulated: UNIT_COUNT_MAX. */
#define COUNTED_GPU_MAX 1000

/* The count before the colon, from `least` on; 1 without a colon, which only a least count of 1
 * allows. *gpu points behind it. False with d filled. */
bool counted_gpu_read(const char *option, int64_t least, const char *typed, int64_t *count,
		      const char **gpu, struct diag *d);

/* The id of a GPU that an option names; NULL with d filled, the option in place of a file. */
const char *counted_gpu_find(const struct catalog *c, const char *option, const char *typed,
			     const char *gpu, struct diag *d);

#endif
