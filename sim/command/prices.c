/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "command/catalogue.h"
#include "report/catalog_table.h"
#include "report/document.h"
#include "scenario/price_book.h"

static const char *const current_heading[] = {"GPU", "provider",   "region", "instance", "GPUs",
					      "$/h", "$/h\na GPU", "paid",   "seen"};
static const char *const gpu_heading[] = {"provider",	"region", "instance", "GPUs",	 "$/h",
					  "$/h\na GPU", "paid",	  "seen",     "current", "source"};

/* The rows that were asked for. */
struct selection {
	const struct price_row **row;
	size_t rows, current;
};

/* Current rows first, by GPU, billing and price a GPU; older ones by day, the newest first. */
static int compare_rows(const void *left, const void *right)
{
	const struct price_row *a = *(const struct price_row *const *)left;
	const struct price_row *b = *(const struct price_row *const *)right;
	int order = (int)b->current - (int)a->current;

	if (!order)
		order = strcmp(a->gpu, b->gpu);
	if (!order && !a->current)
		order = a->month != b->month ? b->month - a->month : b->day - a->day;
	if (!order)
		order = strcmp(a->billing, b->billing);
	if (!order && a->usd_hour_gpu != b->usd_hour_gpu)
		order = a->usd_hour_gpu < b->usd_hour_gpu ? -1 : 1;
	return order ? order : (a > b) - (a < b);
}

/* Rows of a GPU by its id, or by the very name that the book has; without either all rows. */
static struct selection select_rows(const struct price_book *b, const char *id, const char *name)
{
	struct selection s = {.row = xcalloc(b->rows + 1, sizeof(const struct price_row *))};

	for (size_t i = 0; i < b->rows; i++) {
		const struct price_row *row = &b->row[i];

		if (name && strcmp(row->gpu, name) != 0 && (!id || strcmp(row->gpu, id) != 0))
			continue;
		s.row[s.rows++] = row;
		s.current += row->current;
	}
	qsort(s.row, s.rows, sizeof(const struct price_row *), compare_rows);
	return s;
}

static void add_price(struct table *t, const struct price_row *row)
{
	table_text(t, row->provider);
	table_text(t, row->region);
	table_text(t, row->shown);
	catalog_table_number(t, row->gpus_per_instance);
	table_number(t, row->usd_hour_instance, 4);
	table_number(t, row->usd_hour_gpu, 4);
	table_text(t, row->billing);
	table_text(t, row->date);
}

static void print_current(const struct selection *s)
{
	struct table t;

	table_begin(&t, current_heading, COUNT(current_heading));
	for (size_t i = 0; i < s->current; i++) {
		table_text(&t, s->row[i]->gpu);
		add_price(&t, s->row[i]);
	}
	table_print(&t, stdout);
	table_free(&t);
	printf("\n%zu current prices; %zu further rows of the book are not current, and no cost is "
	       "computed from them.\n"
	       "infercap prices GPU lists all rows of a GPU with their sources.\n",
	       s->current, s->rows - s->current);
}

/* The number of a source in the list that is printed below the table, from 1. */
static size_t number_source(const char **sources, size_t *n, const char *source)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(sources[i], source) == 0)
			return i + 1;
	sources[(*n)++] = source;
	return *n;
}

static void print_sources(const char *const *sources, size_t n)
{
	puts("\nsources");
	for (size_t i = 0; i < n; i++) {
		printf("%4zu  ", i + 1);
		catalog_table_wrap(sources[i], 6, stdout);
	}
}

/* "yes", or why the row is history. */
static void add_state(struct table *t, const struct price_row *row)
{
	char *state = row->current ? xstrdup("yes") : xasprintf("no: %s", row->why_not);

	table_text(t, state);
	free(state);
}

static void add_range(struct table *t, const struct price_book *b, const char *id, int billing,
		      int64_t gpus)
{
	const struct price_wish anybody = {.all_providers = true, .billing = billing};
	const struct gpu gpu = {.id = (char *)id};
	struct rental r;

	price_book_rent(b, &anybody, &gpu, gpus, 1, (double)NAN, &r);
	table_text(t, price_billing_texts[billing]);
	table_number(t, (double)gpus, 0);
	for (size_t i = 0; i < COUNT(r.range); i++)
		table_number(t, r.range[i], 4);
	rental_free(&r);
}

/* What one GPU and eight cost over all providers and regions, by how they are paid. */
static void print_ranges(const struct price_book *b, const char *id)
{
	static const char *const heading[] = {"whole\ninstances", "GPUs", "low\n$/h", "mid\n$/h",
					      "high\n$/h"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (int billing = 0; price_billing_texts[billing]; billing++)
		for (int64_t gpus = 1; gpus <= 8; gpus += 7)
			add_range(&t, b, id, billing, gpus);
	putchar('\n');
	table_print(&t, stdout);
	table_free(&t);
}

static void print_gpu(const struct selection *s, const struct price_book *b, const char *id)
{
	const char **sources = xcalloc(s->rows + 1, sizeof(*sources));
	size_t n = 0;
	struct table t;

	table_begin(&t, gpu_heading, COUNT(gpu_heading));
	for (size_t i = 0; i < s->rows; i++) {
		const struct price_row *row = s->row[i];

		add_price(&t, row);
		add_state(&t, row);
		table_number(&t, (double)number_source(sources, &n, row->source), 1);
	}
	table_print(&t, stdout);
	table_free(&t);
	if (id)
		print_ranges(b, id);
	print_sources(sources, n);
	free(sources);
}

static void write_json(const struct selection *s)
{
	struct json_write w;

	document_open(&w, stdout, "prices", NULL, RECORD_INT_UNSET);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < s->rows; i++)
		document_record(&w, &price_row_record, s->row[i]);
	json_write_close(&w, ']');
	document_close(&w);
}

static bool print_rows(const struct options *o, const struct price_book *b, const char *id,
		       struct diag *d)
{
	struct selection s = select_rows(b, id, o->operand);
	bool fine = s.rows || !o->operand || id;

	if (fine && o->json)
		write_json(&s);
	else if (fine && o->operand && !s.rows)
		printf("The price book has no row of %s.\n", id);
	else if (fine && o->operand)
		print_gpu(&s, b, id);
	else if (fine)
		print_current(&s);
	if (fine)
		diag_init(d); /* the name is the book's own, no GPU's */
	free(s.row);
	return fine;
}

static bool answer(const struct options *o, const struct catalog *c, struct diag *d)
{
	struct price_book b;

	if (!price_book_read(&b, catalog_price_book(c), c, d))
		return false;
	const char *id = o->operand ? catalog_find(c, CATALOG_GPU, o->operand, d) : NULL;
	bool fine = print_rows(o, &b, id, d);
	price_book_free(&b);
	return fine;
}

int cmd_prices(const struct options *o)
{
	struct diag d;

	diag_init(&d);
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, &d);
	bool fine = c && answer(o, c, &d);
	catalog_del(c);
	return fine ? EXIT_ANSWERED : options_fail(o, &d);
}
