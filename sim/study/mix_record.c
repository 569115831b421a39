/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a fleet that was asked for: behind table, JSON and CSV. */
#include "study/mix.h"

#include "base/count.h"

#define POOL(text, type, member)                                                                   \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct mix_pool, member)         \
	}
#define CLASS(text, type, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct mix_class, member)        \
	}
#define SEARCH(text, type, member)                                                                 \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct mix_search, member)       \
	}
#define FLEET(text, type, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct mix_fleet, member)        \
	}

static const struct field pool_fields[] = {
	POOL("gpu", FIELD_TEXT, gpu),
	POOL("tensor_parallel", FIELD_INT, tensor_parallel),
	POOL("units", FIELD_INT, units),
	POOL("count", FIELD_INT, count),
	POOL("share_of_requests", FIELD_REAL, share),
	POOL("rentable_count", FIELD_INT, rental.rentable_count),
	POOL("usd_per_hour", FIELD_REAL, rental.usd_per_hour),
	POOL("usd_per_hour_share", FIELD_REAL, rental.usd_per_hour_share),
	{.key = "price",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct mix_pool, rental.price),
	 .of = &price_choice_record},
	{.key = "provenance",
	 .kind = FIELD_LIST,
	 .flags = FIELD_TEXTS,
	 .offset = offsetof(struct mix_pool, provenance)},
};

const struct record mix_pool_record = {.name = "pool",
				       .size = sizeof(struct mix_pool),
				       .fields = COUNT(pool_fields),
				       .field = pool_fields};

static const struct field class_fields[] = {
	CLASS("input_min", FIELD_INT, input_min),
	CLASS("input_max", FIELD_INT, input_max),
	CLASS("share", FIELD_REAL, share),
	CLASS("token_share", FIELD_REAL, token_share),
	CLASS("rate_rps", FIELD_REAL, rate_rps),
	{.key = "fractions",
	 .kind = FIELD_LIST,
	 .flags = FIELD_REALS,
	 .offset = offsetof(struct mix_class, fractions)},
	{.key = "max_rps_each",
	 .kind = FIELD_LIST,
	 .flags = FIELD_REALS,
	 .offset = offsetof(struct mix_class, max_rps_each)},
};

const struct record mix_class_record = {.name = "class of prompts",
					.size = sizeof(struct mix_class),
					.fields = COUNT(class_fields),
					.field = class_fields};

static const struct field search_fields[] = {
	SEARCH("demand", FIELD_REAL, demand),
	SEARCH("proven", FIELD_BOOL, proven),
	SEARCH("rounds", FIELD_INT, rounds),
	SEARCH("simulations", FIELD_INT, simulations),
};

static const struct record search_record = {.name = "search",
					    .size = sizeof(struct mix_search),
					    .fields = COUNT(search_fields),
					    .field = search_fields};

static const struct field fleet_fields[] = {
	FLEET("gpu", FIELD_TEXT, gpu),
	{.key = "fleet",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct mix_fleet, fleet)},
	{.key = "pools",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct mix_fleet, pools),
	 .of = &mix_pool_record},
	FLEET("gpus_total", FIELD_INT, gpus_total),
	FLEET("usd_per_hour", FIELD_REAL, usd_per_hour),
	FLEET("usd_per_1k_requests", FIELD_REAL, usd_per_1k_requests),
	FLEET("router", FIELD_TEXT, router),
	{.key = "classes",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct mix_fleet, classes),
	 .of = &mix_class_record},
	FLEET("load", FIELD_REAL, load),
	{.key = "nearest_limit",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct mix_fleet, nearest)},
	FLEET("certain", FIELD_BOOL, certain),
	{.key = "verdict",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct mix_fleet, verdict),
	 .of = verdict_names},
	{.key = "reason",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct mix_fleet, reason)},
	FLEET("max_rps", FIELD_REAL, max_rps),
	{.key = "search",
	 .kind = FIELD_RECORD,
	 .flags = FIELD_POINTER,
	 .offset = offsetof(struct mix_fleet, search),
	 .of = &search_record},
};

const struct record mix_fleet_record = {.name = "fleet",
					.size = sizeof(struct mix_fleet),
					.fields = COUNT(fleet_fields),
					.field = fleet_fields};
