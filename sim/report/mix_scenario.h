/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fleet that was found as a scenario of its own, which `run` takes. */
#ifndef REPORT_MIX_SCENARIO_H
#define REPORT_MIX_SCENARIO_H

#include <stdio.h>

#include "study/mix.h"

/* The resolved scenario with the fleet's pools in place of `gpus`, its router and, of the
 * length-aware one, its fractions. Files that it names get absolute paths. */
void mix_scenario_write(const struct scenario *s, const struct mix_fleet *f, FILE *to);

#endif
