/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dated price book and what it costs to rent GPUs in whole instances. Rules:
 * gpus/prices/README.md.
 */
#ifndef SCENARIO_PRICE_BOOK_H
#define SCENARIO_PRICE_BOOK_H

#include "scenario/rental.h"
#include "scenario/scenario.h"

struct price_row {
	char *provider, *region, *instance, *gpu, *billing, *date, *source;
	char *note;  /* or NULL */
	char *shown; /* instance without "(median of N offers)" */
	double gpus_per_instance, usd_hour_instance, usd_hour_gpu;
	int month; /* year * 12 + month - 1 of the first day that the date can mean; -1: unknown */
	int day;
	bool usable; /* exact GPU id, known billing, whole GPUs, no excluded note */
	bool current;
	const char *why_not; /* why no cost is computed from it; NULL if it is current */
};

/* For output only: the texts belong to the book. */
extern const struct record price_row_record;

/* The book's words for enum billing, NULL-terminated. */
extern const char *const price_billing_texts[];

struct price_book {
	struct price_row *row; /* in the order of the file */
	size_t rows;
	char *file;
};

/* Reads the book and marks what is current; false with d located on a malformed row. `c` says which
 * GPU ids exist. */
bool price_book_read(struct price_book *b, const char *file, const struct catalog *c,
		     struct diag *d);
void price_book_free(struct price_book *b);

/*
 * Rents `units` groups of `tp` GPUs (never split over instances): the cheapest set of whole
 * instances of each provider and region, of which the wish picks one. `override_usd`: price a GPU
 * and hour, or NAN. Release with rental_free(), before the book.
 */
void price_book_rent(const struct price_book *b, const struct price_wish *wish,
		     const struct gpu *gpu, int64_t units, int tp, double override_usd,
		     struct rental *r);

/* False with d filled if a provider or region of the wish is not in the book; case is ignored. */
bool price_book_check_wish(const struct price_book *b, const struct price_wish *wish,
			   struct diag *d);

/* Whether the region's name means every region. */
bool price_book_is_everywhere(const char *region);

/* Whether the row is of a provider and region that the wish allows and of its billing. */
bool price_book_row_matches(const struct price_row *row, const struct price_wish *wish);

#endif
