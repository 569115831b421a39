/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Price books of a few rows, written to a file for the reader. Include after cmocka.h. */
#ifndef TESTS_SMALL_BOOK_H
#define TESTS_SMALL_BOOK_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenario/price_book.h"

#define HEADING                                                                                    \
	"provider,region,instance,gpu,gpus_per_instance,price_usd_hour_instance,price_usd_hour_"   \
	"per_gpu,billing,"                                                                         \
	"date_observed,source,note\n"

/* A list of texts as a price_wish has it. */
#define TEXTS(...)                                                                                 \
	{                                                                                          \
		sizeof((char *[]){__VA_ARGS__}) / sizeof(char *), sizeof(char *), (char *[])       \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

/* Reads a book from a text; false with d filled. */
static inline bool small_book_read(struct price_book *b, const struct catalog *c, const char *text,
				   struct diag *d)
{
	char name[] = "/tmp/price_book_XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	FILE *file = fdopen(fd, "w");
	fputs(text, file);
	fclose(file);
	diag_init(d);
	bool fine = price_book_read(b, name, c, d);
	unlink(name);
	return fine;
}

/* Release with rental_free(). */
static inline struct rental small_book_rent(const struct price_book *b, struct price_wish wish,
					    const char *gpu, int64_t units, int tp)
{
	struct gpu g = {.id = (char *)gpu};
	struct rental r;

	price_book_rent(b, &wish, &g, units, tp, (double)NAN, &r);
	return r;
}

#endif
