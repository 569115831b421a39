/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine that was bought: `prices.owned` of a scenario. Its price is spread evenly over the
 * hours of its years, without interest and with nothing left at the end, and its power is paid as
 * stated for every hour: an idle machine costs what a busy one does.
 */
#ifndef SCENARIO_OWNED_MACHINE_H
#define SCENARIO_OWNED_MACHINE_H

#include "base/record.h"

struct owned_machine {
	char *gpu; /* as the scenario has it; after reading the name that a price is looked up by */
	int64_t gpus; /* in one machine */
	double usd;   /* purchase price of the machine */
	double years; /* over which it is paid */
	double watts; /* of the machine at the wall, under load */
	double pue;   /* power of the building over that of its machines */
	double usd_per_kwh;
};
extern const struct record owned_machine_record;

/* usd / (years * 8,766 h) + watts / 1000 * pue * usd_per_kwh; above 0. */
double owned_machine_usd_per_hour(const struct owned_machine *m);

/* "8 x h100-sxm-80gb, 280000 US$ over 4 years, ...": what a price names in place of an instance.
 * Release with free(). */
char *owned_machine_text(const struct owned_machine *m);

#endif
