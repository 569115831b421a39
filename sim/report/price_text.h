/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a price comes from, in words. */
#ifndef REPORT_PRICE_TEXT_H
#define REPORT_PRICE_TEXT_H

#include <stdio.h>

#include "scenario/rental.h"

/* ", GCP us-east4, on-demand, 15 x g2-standard-4 (seen 2026-08-03)"; an owned machine has no
 * region, billing and date, a given price nothing. */
void price_text_print(const struct price_choice *price, FILE *to);

#endif
