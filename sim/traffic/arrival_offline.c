/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "traffic/arrival_clock.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	(void)a;
	(void)d;
	return true;
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

const struct arrival_kind arrival_offline = {
	.name = "offline",
	.help = "all requests at once, at t = 0",
	.check = check,
	.init = init,
	.next_s = next_s,
	.rate_rps = rate_rps,
};
