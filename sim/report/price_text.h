/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GPUs cost an hour and where that comes from, in words. */
#ifndef REPORT_PRICE_TEXT_H
#define REPORT_PRICE_TEXT_H

#include <stdio.h>

#include "scenario/rental.h"

/* "$9.159/h, GCP us-east4, on-demand, 13 x g2-standard-4 (seen 2026-08-03)"; an owned machine has
 * no region, billing and date, a given price the dollars alone. There must be a price. */
void price_text_print(const struct rental *r, FILE *to);

/* "; whole instances hold 16 GPUs" where so many GPUs take more of them; else nothing. */
void price_text_whole(const struct rental *r, int64_t gpus, FILE *to);

#endif
