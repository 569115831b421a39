/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "base/count.h"
#include "traffic/arrival_kind.h"
#include "traffic/traffic.h"

#define ARRIVAL_NAME(name) #name,
static const char *const names[] = {ARRIVAL_KINDS(ARRIVAL_NAME) NULL};

/* Keys that apply to some processes only. */
#define WHEN(name) (1u << ARRIVAL_##name)
enum {
	HAS_CV = WHEN(gamma) | WHEN(weibull),
	HAS_RATE = HAS_CV | WHEN(constant) | WHEN(poisson) | WHEN(onoff),
};

#define REAL(key_, help_, min_, max_, flags_, when_)                                               \
	{                                                                                          \
		.key = #key_, .help = (help_), .kind = FIELD_REAL,                                 \
		.offset = offsetof(struct arrivals, key_), .min = (min_), .max = (max_),           \
		.flags = (flags_), .when = (when_)                                                 \
	}

static const struct field fields[] = {
	{.key = "process",
	 .help = "the arrival process",
	 .def = "\"poisson\"",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct arrivals, process),
	 .of = names},
	REAL(rate, "requests/s; onoff: while on", 0, 1e9, FIELD_ABOVE_MIN, HAS_RATE),
	REAL(cv, "standard deviation over mean of the gaps", 0, 100, 0, HAS_CV),
	REAL(burstiness, "1/cv^2, in place of cv", 1e-4, 1e12, 0, HAS_CV),
	REAL(on_s, "mean period on", 0, 1e8, FIELD_ABOVE_MIN, WHEN(onoff)),
	REAL(off_s, "mean period off", 0, 1e8, 0, WHEN(onoff)),
	REAL(slot_s, "length of a slot", 0, 1e8, FIELD_ABOVE_MIN, WHEN(schedule)),
	{.key = "rates",
	 .help = "requests/s in each slot, repeating",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct arrivals, rates),
	 .flags = FIELD_REALS,
	 .when = WHEN(schedule)},
	{.key = "concurrency",
	 .help = "clients, each with one request at a time",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct arrivals, concurrency),
	 .min = 1,
	 .max = 1e6,
	 .when = WHEN(closed)},
	{.key = "think_s",
	 .help = "from an answer to the client's next request",
	 .def = "0",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct arrivals, think_s),
	 .min = 0,
	 .max = 1e8,
	 .when = WHEN(closed)},
};

/* Whether anything was said: arrivals that nobody wrote are the traffic's business. */
static bool is_set(const struct arrivals *a)
{
	return a->process != ARRIVAL_poisson || !isnan(a->rate);
}

static bool check(const void *object, struct diag *d)
{
	const struct arrivals *a = object;

	bool (*of_kind)(const struct arrivals *, struct diag *) = arrival_kinds[a->process]->check;

	return !is_set(a) || !of_kind || of_kind(a, d);
}

const struct record arrivals_record = {
	.name = "arrivals",
	.tag = "process",
	.size = sizeof(struct arrivals),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};
