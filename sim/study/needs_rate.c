/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/needs_rate.h"

static bool fail_no_span(const struct scenario *s, const char *what, struct diag *d)
{
	diag_path(d, "traffic.trace");
	diag_fail(d, "%s: a trace whose requests all arrive at once has none", what);
	scenario_locate(s, d);
	return false;
}

bool needs_rate(const struct scenario *s, const char *what, struct diag *d)
{
	const struct traffic *t = &s->traffic;

	if (t->trace && !(s->facts.span_s > 0))
		return fail_no_span(s, what, d);
	if (!traffic_is_closed(t) && !traffic_is_offline(t))
		return true;
	diag_path(d, "traffic.arrivals.process");
	diag_fail(d, "%s: it needs arrivals with a rate, not %s", what,
		  traffic_is_closed(t) ? "closed" : "offline");
	scenario_locate(s, d);
	return false;
}
