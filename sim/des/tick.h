/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time is an integer: ticks of 2^-36 s (14.6 ps, +-4.2 years), so that sums are exact and ties are
 * ties. */
#ifndef DES_TICK_H
#define DES_TICK_H

#include <math.h>
#include <stdint.h>

typedef int64_t tick;
#define TICK_BITS  36
#define TICK_NEVER INT64_MAX

/* Nearest tick to s seconds; the one door from seconds. |s| must be below 10^8 s. */
static inline tick tick_from_s(double s)
{
	return (tick)llround(s * 0x1p36);
}

static inline double tick_to_s(tick t)
{
	return (double)t * 0x1p-36;
}

#endif
