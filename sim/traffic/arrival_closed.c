/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/arrival_kind.h"
#include "traffic/fail_at.h"

static bool check(const struct arrivals *a, struct diag *d)
{
	return a->concurrency != RECORD_INT_UNSET ||
	       FAIL_AT(d, "concurrency", "closed arrivals need concurrency");
}

const struct arrival_kind arrival_closed = {
	.name = "closed",
	.help = "clients that wait for their answer, then think (concurrency, think_s)",
	.check = check,
};
