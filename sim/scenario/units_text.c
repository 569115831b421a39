/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/units_text.h"

#include "base/text.h"

void units_text_add(char *to, size_t size, int64_t units, int64_t tp, const char *gpu)
{
	text_add(to, size, "%s%lld %s", to[0] ? " + " : "", (long long)units * tp, gpu);
	if (tp > 1)
		text_add(to, size, " as %lld x TP%lld", (long long)units, (long long)tp);
}
