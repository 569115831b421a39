/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a replacement's sides and of its cost points: behind table, JSON and CSV. */
#include "study/replace.h"

#include "base/count.h"

#define SIDE(type, text, member)                                                                   \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct replace_side, member)     \
	}
#define SIDE_BUFFER(text, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = FIELD_TEXT, .flags = FIELD_BUFFER,                          \
		.offset = offsetof(struct replace_side, member)                                    \
	}
#define SIDE_PRICE(text, member)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_RECORD,                                               \
		.offset = offsetof(struct replace_side, rental.member), .of = &price_choice_record \
	}

#define COMMON_START                                                                               \
	SIDE(FIELD_TEXT, "gpu", gpu), SIDE(FIELD_INT, "tensor_parallel", tensor_parallel),         \
		SIDE(FIELD_INT, "units", units), SIDE(FIELD_INT, "count", count)
#define COMMON_PRICE                                                                               \
	SIDE(FIELD_INT, "rentable_count", rental.rentable_count),                                  \
		SIDE(FIELD_REAL, "usd_per_hour", rental.usd_per_hour),                             \
		SIDE(FIELD_REAL, "usd_per_hour_share", rental.usd_per_hour_share),                 \
	{                                                                                          \
		.key = "range", .kind = FIELD_VECTOR,                                              \
		.offset = offsetof(struct replace_side, rental.range), .count = 3                  \
	}
#define COMMON_END                                                                                 \
	SIDE_PRICE("price", price), SIDE_PRICE("price_share", price_share),                        \
		SIDE_BUFFER("price_reason", rental.reason), SIDE_BUFFER("limited_by", limited_by), \
		{.key = "verdict",                                                                 \
		 .kind = FIELD_CHOICE,                                                             \
		 .offset = offsetof(struct replace_side, verdict),                                 \
		 .of = verdict_names},                                                             \
		SIDE_BUFFER("reason", reason), SIDE(FIELD_INT, "simulations", simulations),        \
	{                                                                                          \
		.key = "provenance", .kind = FIELD_LIST, .flags = FIELD_TEXTS,                     \
		.offset = offsetof(struct replace_side, provenance)                                \
	}

static const struct field from_fields[] = {
	COMMON_START,
	SIDE(FIELD_REAL, "max_rps", max_rps),
	{.key = "interval",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct replace_side, interval),
	 .count = 2},
	SIDE(FIELD_REAL, "max_rps_each", max_rps_each),
	COMMON_PRICE,
	COMMON_END,
};

static const struct field naive_fields[] = {
	SIDE(FIELD_REAL, "bandwidth", naive_bandwidth),
	SIDE(FIELD_REAL, "compute", naive_compute),
	SIDE(FIELD_REAL, "memory", naive_memory),
};

static const struct record naive_record = {.name = "naive",
					   .size = sizeof(struct replace_side),
					   .fields = COUNT(naive_fields),
					   .field = naive_fields};

static const struct field to_fields[] = {
	COMMON_START,
	{.key = "units_interval",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct replace_side, units_interval),
	 .count = 2},
	SIDE(FIELD_REAL, "ratio", ratio),
	{.key = "ratio_interval",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct replace_side, ratio_interval),
	 .count = 2},
	{.key = "ratio_interval_constants",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct replace_side, ratio_interval_constants),
	 .count = 2},
	{.key = "units_interval_constants",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct replace_side, units_interval_constants),
	 .count = 2},
	SIDE_BUFFER("largest_constant", largest_constant),
	SIDE(FIELD_REAL, "largest_constant_share", largest_constant_share),
	SIDE(FIELD_REAL, "max_rps_each", max_rps_each),
	SIDE(FIELD_REAL, "fleet_max_rps", max_rps),
	COMMON_PRICE,
	SIDE(FIELD_REAL, "cost_ratio", cost_ratio),
	SIDE(FIELD_REAL, "cost_ratio_share", cost_ratio_share),
	{.key = "naive", .kind = FIELD_RECORD, .offset = 0, .of = &naive_record},
	COMMON_END,
};

#define POINT(type, text, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct cost_point, member)       \
	}

static const struct field point_fields[] = {
	POINT(FIELD_REAL, "rate_rps", rate_rps),
	POINT(FIELD_TEXT, "gpu", gpu),
	POINT(FIELD_INT, "units", units),
	POINT(FIELD_INT, "gpus", count),
	POINT(FIELD_REAL, "usd_per_hour", usd_per_hour),
	POINT(FIELD_REAL, "usd_per_1k_requests", usd_per_1k_requests),
	POINT(FIELD_BOOL, "holds", holds),
};

const struct record replace_from_record = {.name = "from side",
					   .size = sizeof(struct replace_side),
					   .fields = COUNT(from_fields),
					   .field = from_fields};
const struct record replace_to_record = {.name = "to side",
					 .size = sizeof(struct replace_side),
					 .fields = COUNT(to_fields),
					 .field = to_fields};
const struct record cost_point_record = {.name = "cost point",
					 .size = sizeof(struct cost_point),
					 .fields = COUNT(point_fields),
					 .field = point_fields};
