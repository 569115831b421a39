/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/router_kind.h"

/* Two distinct units; the lower index wins a tie. */
static int64_t pick(struct router *r, int64_t number)
{
	if (r->units == 1)
		return 0;
	int64_t x = router_draw(r->key, number, 0, r->units);
	int64_t y = router_draw(r->key, number, 1, r->units - 1);
	y += y >= x;
	int64_t low = x < y ? x : y, high = x < y ? y : x;
	return router_load(r, high) < router_load(r, low) ? high : low;
}

const struct router_kind router_power_of_two = {
	"power-of-two",
	"the less loaded of two units drawn by request number",
	pick,
};
