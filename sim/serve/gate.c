/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/gate.h"

void gate_pass(struct gate *g, const struct request *r, tick now)
{
	const struct passage p = {.request = *r};
	if (tally_opens_slice(g->tally, r->number)) {
		for (int64_t i = 0; i < g->stations; i++)
			g->station[i]->kind->settle(g->station[i], now);
	}
	tally_arrive(g->tally, r->number, now);
	station_arrive(g->next, &p, now);
}
