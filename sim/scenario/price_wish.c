/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "scenario/owned_machine.h"
#include "scenario/scenario.h"

static const char *const billings[] = {"on-demand", "spot", "reserved", NULL};
static const char *const picks[] = {"cheapest", "median", "dearest", NULL};

static const struct field fields[] = {
	{.key = "providers",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct price_wish, providers),
	 .flags = FIELD_TEXTS,
	 .def = "[\"aws\", \"gcp\", \"azure\"]",
	 .help = "of whom to rent; \"all\": anybody in the price book"},
	{.key = "regions",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct price_wish, regions),
	 .flags = FIELD_TEXTS,
	 .help = "where; none: anywhere"},
	{.key = "billing",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct price_wish, billing),
	 .of = billings,
	 .def = "\"on-demand\"",
	 .help = "how it is paid"},
	{.key = "pick",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct price_wish, pick),
	 .of = picks,
	 .def = "\"cheapest\"",
	 .help = "which of the providers' and regions' prices"},
	{.key = "owned",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct price_wish, owned),
	 .of = &owned_machine_record,
	 .help = "machines of one's own, in place of the price book for their GPUs"},
};

static bool check(const void *object, struct diag *d)
{
	const struct price_wish *wish = object;

	if (wish->providers.count)
		return true;
	diag_path(d, "providers");
	return diag_fail(d, "names no provider: leave the key out, or write \"all\"");
}

const struct record price_wish_record = {
	.name = "prices",
	.size = sizeof(struct price_wish),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};
