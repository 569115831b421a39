/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/power.h"

#include <math.h>

double power_idle_w(const struct gpu *g)
{
	return isnan(g->idle_w.value) ? 0.2 * g->tdp_w.value : g->idle_w.value;
}

double power_busy_w(const struct gpu *g, double tokens)
{
	/* fitted on measured rows of dense models on H100 */
	const double e0 = 0.44, e1 = 0.065;
	double idle_w = power_idle_w(g);

	return idle_w + (g->tdp_w.value - idle_w) * fmin(1, e0 + e1 * log1p(tokens));
}
