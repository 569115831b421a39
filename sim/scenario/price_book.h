/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dated price book and what it costs to rent GPUs in whole instances (rules: docs/prices.md). */
#ifndef SCENARIO_PRICE_BOOK_H
#define SCENARIO_PRICE_BOOK_H

#include "scenario/scenario.h"

struct price_row {
	char *provider, *region, *instance, *gpu, *billing, *date, *source, *note;
	double gpus_per_instance, usd_hour_instance, usd_hour_gpu;
	int month;          /* year * 12 + month - 1 of the first day that the date can mean; -1: unknown */
	int day;
	bool usable;        /* exact GPU id, known billing, whole GPUs, no excluded note */
	bool current;
};

struct price_book {
	struct price_row *row;
	size_t rows;
	char *file;
};

bool price_book_read(struct price_book *b, const char *file, const struct catalog *c, struct diag *d);
void price_book_free(struct price_book *b);

struct price_item {
	const struct price_row *row;
	int64_t count;
};

/* What a need costs. usd_per_hour NAN: no current row, `reason` says what there is. */
struct rental {
	double usd_per_hour;
	double range[3]; /* low, mid, high over (provider, region) */
	struct price_item item[8];
	int items;
	double usd_per_hour_share;      /* GPUs x lowest per-GPU price of any instance size */
	const struct price_row *share;  /* the row that gave it */
	int64_t rentable_count;         /* GPUs that the instances hold */
	char reason[512];
};

/* Rents `units` groups of `tp` GPUs (never split over instances). `override_usd`: price a GPU and hour, or NAN. */
void price_book_rent(const struct price_book *b, const struct price_wish *wish, const struct gpu *gpu, int64_t units, int tp, double override_usd, struct rental *r);

/* False with d filled if a provider or region of the wish is not in the book. */
bool price_book_check_wish(const struct price_book *b, const struct price_wish *wish, struct diag *d);

#endif
