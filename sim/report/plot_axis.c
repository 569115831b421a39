/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot_axis.h"

#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/xmalloc.h"

/* Keys have their unit in the name; these are the others. Earlier rows win. */
static const struct unit_name {
	const char *ending, *unit;
} units[] = {
	{"_ms", "ms"},
	{"_us", "us"},
	{"_s", "s"},
	{"_gb", "GB"},
	{"_gbs", "GB/s"},
	{"_tflops", "TFLOP/s"},
	{"_w", "W"},
	{"_tokens", "tokens"},
	{"_len", "tokens"},
	{"_seqs", "sequences"},
	{"block_size", "tokens"},
	{"arrivals.rate", "requests/s"},
	{"traffic.rate", "requests/s"},
	{".concurrency", "requests"},
	{".replicas", "units"},
	{".tensor_parallel", "GPUs"},
	{"put.mean", "tokens"},
	{"put.value", "tokens"},
	{"put.min", "tokens"},
	{"put.max", "tokens"},
	{"put.sd", "tokens"},
	{"put", "tokens"},
};

static const char *unit_of(const char *path)
{
	for (size_t i = 0; i < COUNT(units); i++)
		if (text_ends(path, units[i].ending))
			return units[i].unit;
	return strstr(path, "slo.") == path && strstr(path, "_ms.") ? "ms" : NULL;
}

char *plot_axis_label(const char *path)
{
	const char *unit = unit_of(path);

	return unit ? xasprintf("%s [%s]", path, unit) : xstrdup(path);
}
