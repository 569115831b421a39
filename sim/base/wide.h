/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers: 128 bits for sums and products of 64, the smaller and the larger of two. */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 wide;

static inline int64_t min64(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static inline int64_t max64(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

#endif
