/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot_kind.h"

#include <stddef.h>

const struct plot_kind *const plot_kinds[] = {
	&plot_cost, &plot_bars,	    &plot_latency,  &plot_pareto,     &plot_heat,
	&plot_cdf,  &plot_roofline, &plot_timeline, &plot_validation, NULL};
