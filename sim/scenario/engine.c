/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/count.h"
#include "scenario/scenario.h"

#define TEXT(NAME, HELP)                                                                           \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_TEXT, .offset = offsetof(struct engine, NAME),         \
		.help = (HELP)                                                                     \
	}
#define TEXTS(NAME, HELP)                                                                          \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_LIST, .offset = offsetof(struct engine, NAME),         \
		.flags = FIELD_TEXTS, .help = (HELP)                                               \
	}
#define PART(NAME, OF)                                                                             \
	{                                                                                          \
		.key = #NAME, .kind = FIELD_RECORD, .offset = offsetof(struct engine, NAME),       \
		.of = (OF), .flags = FIELD_INLINE                                                  \
	}

static const struct field fields[] = {
	TEXT(id, "id in the catalogue"),      TEXT(name, "name for people"),
	TEXTS(aliases, "other ids"),	      TEXTS(sources, "where the figures come from"),
	TEXTS(notes, "traps worth knowing"),  PART(cost, &engine_cost_record),
	PART(scheduling, &scheduling_record),
};

const struct record engine_record = {
	.name = "engine",
	.size = sizeof(struct engine),
	.fields = COUNT(fields),
	.field = fields,
};
