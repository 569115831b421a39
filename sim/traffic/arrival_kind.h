/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrival processes. A process is one struct arrival_kind in a file of its own and a line in
 * ARRIVAL_KINDS; the choices of `process`, the masks of keys and the texts follow from it.
 */
#ifndef TRAFFIC_ARRIVAL_KIND_H
#define TRAFFIC_ARRIVAL_KIND_H

#include <stdbool.h>

#include "traffic/traffic.h"

#define ARRIVAL_KINDS(X)                                                                           \
	X(constant)                                                                                \
	X(poisson)                                                                                 \
	X(gamma)                                                                                   \
	X(weibull)                                                                                 \
	X(onoff)                                                                                   \
	X(schedule)                                                                                \
	X(offline)                                                                                 \
	X(closed)

struct arrival_clock;

struct arrival_kind {
	const char *name, *help;
	/* What the field table cannot see: keys that must be there, keys that exclude each other.
	 * NULL: nothing. */
	bool (*check)(const struct arrivals *a, struct diag *d);
	/* Readies the clock's parameters. NULL: there are none. */
	void (*init)(struct arrival_clock *c, const struct arrivals *a);
	/* Seconds at which the next request arrives; never decreases. NULL: all at 0. */
	double (*next_s)(struct arrival_clock *c);
	/* Long-run requests/s. NULL: the key `rate`, NAN where the process has none. */
	double (*rate_rps)(const struct arrivals *a);
};

#define ARRIVAL_DECLARE(name) extern const struct arrival_kind arrival_##name;
ARRIVAL_KINDS(ARRIVAL_DECLARE)
#undef ARRIVAL_DECLARE

/* Indices into arrival_kinds[]: ARRIVAL_constant ... */
#define ARRIVAL_INDEX(name) ARRIVAL_##name,
enum arrival_index { ARRIVAL_KINDS(ARRIVAL_INDEX) ARRIVAL_KINDS_COUNT };
#undef ARRIVAL_INDEX

extern const struct arrival_kind *const arrival_kinds[]; /* ends with NULL */

#endif
