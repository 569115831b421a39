/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a number of units is written, in every result: "4 l4-24gb", "8 l4-24gb as 2 x TP4". */
#ifndef SCENARIO_UNITS_TEXT_H
#define SCENARIO_UNITS_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Appends `units` units of tp GPUs to the text in `to`, an array of `size` bytes, behind a " + " if
 * it is not empty. */
void units_text_add(char *to, size_t size, int64_t units, int64_t tp, const char *gpu);

#endif
