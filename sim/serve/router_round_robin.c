/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

static int64_t pick(struct router *r, const struct request *q)
{
	(void)q;
	int64_t unit = r->turn++;
	if (r->turn == r->units)
		r->turn = 0;
	return unit;
}

const struct router_kind router_round_robin = {
	"round-robin",
	"each unit in turn",
	pick,
	router_stable_least,
};
