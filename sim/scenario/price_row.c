/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "scenario/price_book.h"

#define ROW(KEY, KIND, MEMBER, HELP)                                                               \
	{                                                                                          \
		.key = (KEY), .kind = (KIND), .offset = offsetof(struct price_row, MEMBER),        \
		.help = (HELP)                                                                     \
	}

static const struct field fields[] = {
	ROW("gpu", FIELD_TEXT, gpu, "id of a GPU, or the source's name"),
	ROW("provider", FIELD_TEXT, provider, "who rents it out"),
	ROW("region", FIELD_TEXT, region, "where"),
	ROW("instance", FIELD_TEXT, instance, "the provider's name of the machine"),
	ROW("gpus_per_instance", FIELD_REAL, gpus_per_instance, "GPUs in it"),
	ROW("usd_per_hour", FIELD_REAL, usd_hour_instance, "of the instance [$/h]"),
	ROW("usd_per_hour_gpu", FIELD_REAL, usd_hour_gpu, "of one of its GPUs [$/h]"),
	ROW("billing", FIELD_TEXT, billing, "on-demand, spot, 3y reserved"),
	ROW("date", FIELD_TEXT, date, "when it was seen"),
	ROW("source", FIELD_TEXT, source, "where it was seen"),
	ROW("note", FIELD_TEXT, note, "what is odd about it"),
	ROW("current", FIELD_BOOL, current, "costs are computed from current prices alone"),
	ROW("why_not", FIELD_TEXT, why_not, "why it is not current"),
};

const struct record price_row_record = {
	.name = "price",
	.size = sizeof(struct price_row),
	.fields = COUNT(fields),
	.field = fields,
};
