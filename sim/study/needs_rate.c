/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/needs_rate.h"

bool needs_rate(const struct scenario *s, const char *what, struct diag *d)
{
	const struct traffic *t = &s->traffic;

	if (!traffic_is_closed(t) && !traffic_is_offline(t))
		return true;
	diag_path(d, "traffic.arrivals.process");
	diag_fail(d, "%s: it needs arrivals with a rate, not %s", what,
		  traffic_is_closed(t) ? "closed" : "offline");
	scenario_locate(s, d);
	return false;
}
