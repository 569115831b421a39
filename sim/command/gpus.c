/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/count.h"
#include "command/catalogue.h"
#include "report/catalog_table.h"
#include "scenario/price_book.h"

static const char *const heading[] = {
	"GPU", "architecture", "memory\nGB", "bandwidth\nGB/s", "16-bit dense\nTFLOP/s",
	"mfu", "mbu",	       "TDP\nW",     "on demand\n$/h"};

/* The lowest current on-demand price a GPU and hour, of anybody; NAN: none. */
static double lowest_price(const struct price_book *b, const char *id)
{
	struct price_wish anywhere = {.all_providers = true, .billing = BILLING_ON_DEMAND};
	double least = (double)NAN;

	for (size_t i = 0; i < b->rows; i++) {
		const struct price_row *row = &b->row[i];

		if (row->current && strcmp(row->gpu, id) == 0 &&
		    price_book_row_matches(row, &anywhere))
			least = fmin(least, row->usd_hour_instance / row->gpus_per_instance);
	}
	return least;
}

static void add_row(struct table *t, const struct gpu *g, const struct price_book *b)
{
	double bf16 = gpu_peak(g, COMPUTE_BF16), fp16 = gpu_peak(g, COMPUTE_FP16);

	table_text(t, g->id);
	table_text(t, g->architecture);
	table_number(t, g->memory.value / 1e9, 4);
	table_number(t, g->bandwidth.value / 1e9, 4);
	table_number(t, (isnan(bf16) ? fp16 : bf16) / 1e12, 4);
	table_number(t, gpu_mfu(g, COMPUTE_BF16)->value, 2);
	table_number(t, g->mbu.value, 2);
	catalog_table_number(t, g->tdp_w.value);
	table_number(t, lowest_price(b, g->id), 3);
}

static bool table(const struct catalog *c, const void *entries, size_t n, struct diag *d)
{
	const struct gpu *g = entries;
	struct price_book b;
	struct table t;

	if (!price_book_read(&b, catalog_price_book(c), c, d))
		return false;
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < n; i++)
		add_row(&t, &g[i], &b);
	table_print(&t, stdout);
	table_free(&t);
	puts("\nMemory as the CUDA runtime reports it; dense peaks, - where only 32 bits are "
	     "computed. Price: the lowest\n"
	     "current one of a GPU, of any provider and instance size; infercap prices GPU has "
	     "them all. infercap gpus GPU\n"
	     "has every figure with its source.");
	price_book_free(&b);
	return true;
}

int cmd_gpus(const struct options *o)
{
	static const struct catalogue gpus = {"gpus", CATALOG_GPU, &gpu_record, table, NULL};

	return catalogue_answer(&gpus, o);
}
