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

/* One kind of instance of a choice. Texts belong to the book's rows. */
struct price_item {
	char *instance;
	int64_t count;
	double usd_per_hour; /* of one */
	char *date, *source;
};

/* What was chosen, as INTERFACE's `price` prints it. Texts belong to the book's rows. */
struct price_choice {
	char *provider, *region, *billing, *instance, *date, *source; /* instance, date, source: of the first item */
	double usd_per_hour;
	struct record_list instances; /* of struct price_item; owned */
};
extern const struct record price_choice_record;

/* What a need costs. usd_per_hour NAN: no current row, `reason` says what there is. */
struct rental {
	double usd_per_hour;
	double range[3];                /* cheapest, median, dearest over (provider, region) */
	double usd_per_hour_share;      /* GPUs x lowest per-GPU price of any instance size */
	int64_t rentable_count;         /* GPUs that the instances hold; 0: none */
	struct price_choice price, price_share;
	char reason[512];
};

/* Rents `units` groups of `tp` GPUs (never split over instances). `override_usd`: price a GPU and hour, or NAN. */
void price_book_rent(const struct price_book *b, const struct price_wish *wish, const struct gpu *gpu, int64_t units, int tp, double override_usd, struct rental *r);
void rental_free(struct rental *r);

/* False with d filled if a provider or region of the wish is not in the book. */
bool price_book_check_wish(const struct price_book *b, const struct price_wish *wish, struct diag *d);

#endif
