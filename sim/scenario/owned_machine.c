/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/owned_machine.h"

#include "base/count.h"
#include "base/xmalloc.h"

static const double year_h = 8766; /* 365.25 days */

#define REAL(KEY, MIN, MAX, FLAGS, HELP)                                                           \
	{                                                                                          \
		.key = #KEY, .kind = FIELD_REAL, .offset = offsetof(struct owned_machine, KEY),    \
		.min = (MIN), .max = (MAX), .flags = FIELD_REQUIRED | (FLAGS), .help = (HELP)      \
	}

static const struct field fields[] = {
	{.key = "gpu",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct owned_machine, gpu),
	 .flags = FIELD_REQUIRED,
	 .help = "id of its GPUs, from the catalogue or `gpus`"},
	{.key = "gpus",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct owned_machine, gpus),
	 .def = "1",
	 .min = 1,
	 .max = 1024,
	 .help = "in one machine"},
	REAL(usd, 0, 1e9, 0, "purchase price of the machine [$]"),
	REAL(years, 0, 100, FIELD_ABOVE_MIN, "over which it is paid, nothing left at the end"),
	REAL(watts, 0, 1e6, 0, "of the machine at the wall, under load [W]"),
	REAL(pue, 1, 10, 0, "power of the building over that of its machines"),
	REAL(usd_per_kwh, 0, 100, 0, "price of power [$/kWh]"),
};

static bool check(const void *object, struct diag *d)
{
	if (owned_machine_usd_per_hour(object) > 0)
		return true;
	diag_path(d, "usd");
	return diag_fail(d, "neither the machine nor its power costs anything: one of them must");
}

const struct record owned_machine_record = {
	.name = "owned machine",
	.size = sizeof(struct owned_machine),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};

double owned_machine_usd_per_hour(const struct owned_machine *m)
{
	return m->usd / (m->years * year_h) + m->watts / 1e3 * m->pue * m->usd_per_kwh;
}

char *owned_machine_text(const struct owned_machine *m)
{
	return xasprintf("%lld x %s, %.10g US$ over %.10g years, %.10g W at PUE %.10g and %.10g "
			 "US$/kWh",
			 (long long)m->gpus, m->gpu, m->usd, m->years, m->watts, m->pue,
			 m->usd_per_kwh);
}
