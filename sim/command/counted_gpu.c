/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/counted_gpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

bool counted_gpu_read(const char *option, int64_t least, const char *typed, int64_t *count,
		      const char **gpu, struct diag *d)
{
	const char *colon = strchr(typed, ':');
	char *end;

	*count = 1;
	*gpu = colon ? colon + 1 : typed;
	if (!colon && least == 1)
		return true;
	errno = 0;
	*count = strtoll(typed, &end, 10);
	if (!colon || end != colon || end == typed || errno || *count < least ||
	    *count > COUNTED_GPU_MAX || !**gpu)
		return diag_fail(d, "%s takes N:GPU with N from %lld to %d, not \"%s\"", option,
				 (long long)least, COUNTED_GPU_MAX, typed);
	return true;
}

const char *counted_gpu_find(const struct catalog *c, const char *option, const char *typed,
			     const char *gpu, struct diag *d)
{
	const char *id = catalog_find(c, CATALOG_GPU, gpu, d);
	char *place = xasprintf("%s %s", option, typed);

	if (!id)
		diag_at(d, place, 1, 1);
	free(place);
	return id;
}
