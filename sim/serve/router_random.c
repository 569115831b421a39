/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

static int64_t pick(struct router *r, const struct request *q)
{
	return router_draw(r->key, q->number, 0, r->units);
}

const struct router_kind router_random = {
	"random",
	"a unit drawn uniformly by request number",
	pick,
	router_stable_least,
};
