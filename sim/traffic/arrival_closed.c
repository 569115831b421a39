/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	return a->concurrency != RECORD_INT_UNSET ||
	       FAIL_AT(d, "concurrency", "closed arrivals need concurrency");
}

static void init(struct arrival_clock *c, const struct arrivals *a)
{
	(void)c;
	(void)a;
}

static double next_s(struct arrival_clock *c)
{
	(void)c;
	return 0;
}

static double rate_rps(const struct arrivals *a)
{
	(void)a;
	return (double)NAN;
}

const struct arrival_kind arrival_closed = {
	.name = "closed",
	.help = "clients that wait for their answer, then think (concurrency, think_s)",
	.check = check,
	.init = init,
	.next_s = next_s,
	.rate_rps = rate_rps,
};
