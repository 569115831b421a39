/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/price_book.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/csv.h"
#include "base/xmalloc.h"

enum { MONTHS_CURRENT = 12, GPUS_MAX = 1024 };

enum column {
	PROVIDER,
	REGION,
	INSTANCE,
	GPU,
	GPUS,
	USD_INSTANCE,
	USD_GPU,
	BILLING,
	DATE,
	SOURCE,
	NOTE,
	COLUMNS
};

static const char *const column_names[] = {"provider",
					   "region",
					   "instance",
					   "gpu",
					   "gpus_per_instance",
					   "price_usd_hour_instance",
					   "price_usd_hour_per_gpu",
					   "billing",
					   "date_observed",
					   "source",
					   "note",
					   NULL};

const char *const price_billing_texts[] = {"on-demand", "spot", "3y reserved", NULL};

/* ---- reading ---- */

struct reader {
	struct csv csv;
	int at[COLUMNS]; /* each column's place in a row */
	size_t width;
	struct diag *d;
};

static bool fail_field(struct reader *r, enum column column, const char *message)
{
	const char *field = r->csv.field[r->at[column]];

	diag_at(r->d, r->csv.name, (int)r->csv.number, (int)(field - r->csv.line) + 1);
	diag_path(r->d, column_names[column]);
	diag_found(r->d, field);
	return diag_fail(r->d, "%s", message);
}

static bool fail_line(struct reader *r, const char *message)
{
	diag_at(r->d, r->csv.name, (int)r->csv.number, 1);
	return diag_fail(r->d, "%s", message);
}

static bool read_heading(struct reader *r)
{
	if (!csv_row(&r->csv))
		return fail_line(r, "the price book is empty");
	r->width = r->csv.fields;
	for (int i = 0; i < COLUMNS; i++) {
		r->at[i] = csv_column(&r->csv, column_names[i]);
		if (r->at[i] < 0) {
			diag_path(r->d, column_names[i]);
			return fail_line(r, "the column is missing");
		}
	}
	return true;
}

static bool read_number(struct reader *r, enum column column, double *value)
{
	const char *text = r->csv.field[r->at[column]];
	char *end;

	*value = strtod(text, &end);
	if (!isdigit((unsigned char)*text) || *end || !isfinite(*value) || !(*value > 0))
		return fail_field(r, column, "not a number above 0");
	return true;
}

static char *read_text(const struct reader *r, enum column column)
{
	return xstrdup(r->csv.field[r->at[column]]);
}

static bool is_number_at(const char *text, int digits)
{
	for (int i = 0; i < digits; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* "-07" as 7 if it lies in 1..most and no digit follows; 0: it is none. */
static int date_part(const char *text, int most)
{
	if (*text != '-' || !is_number_at(text + 1, 2) || isdigit((unsigned char)text[3]))
		return 0;
	int value = atoi(text + 1);
	return value <= most ? value : 0;
}

/* The first day that the date can mean: the first four digits are its year; without a month or day,
 * the first. */
static void read_date(struct price_row *row)
{
	const char *text = row->date;

	row->month = -1;
	row->day = 0;
	while (*text && !is_number_at(text, 4))
		text++;
	if (!*text)
		return;
	int year = 0;
	for (int i = 0; i < 4; i++)
		year = 10 * year + (text[i] - '0');
	int month = date_part(text + 4, 12);
	int day = month ? date_part(text + 7, 31) : 0;
	row->month = year * 12 + (month ? month - 1 : 0);
	row->day = day ? day : 1;
}

/* The instance's name without " (median of N offers)", which changes from day to day. */
static char *without_sample_size(const char *instance)
{
	const char *cut = strstr(instance, " (median of ");

	return cut ? xasprintf("%.*s", (int)(cut - instance), instance) : xstrdup(instance);
}

static bool check_texts(struct reader *r)
{
	static const enum column needed[] = {PROVIDER, REGION, INSTANCE, GPU,
					     BILLING,  DATE,   SOURCE};

	for (size_t i = 0; i < COUNT(needed); i++)
		if (!*r->csv.field[r->at[needed[i]]])
			return fail_field(r, needed[i], "the field is empty");
	return true;
}

/* The two prices say the same, to the rounding of either. */
static bool check_prices(struct reader *r, const struct price_row *row)
{
	double gpu = row->usd_hour_instance / row->gpus_per_instance;

	if (row->gpus_per_instance > GPUS_MAX)
		return fail_field(r, GPUS, "more GPUs than an instance can hold (1,024)");
	if (fabs(gpu / row->usd_hour_gpu - 1) > 0.01)
		return fail_field(r, USD_GPU, "not the instance's price over its GPUs");
	return true;
}

static bool read_row(struct reader *r, struct price_row *row)
{
	if (r->csv.fields != r->width || r->csv.joined)
		return fail_line(r, "not as many fields as the heading has");
	if (!check_texts(r) || !read_number(r, GPUS, &row->gpus_per_instance) ||
	    !read_number(r, USD_INSTANCE, &row->usd_hour_instance) ||
	    !read_number(r, USD_GPU, &row->usd_hour_gpu) || !check_prices(r, row))
		return false;
	row->provider = read_text(r, PROVIDER);
	row->region = read_text(r, REGION);
	row->instance = read_text(r, INSTANCE);
	row->gpu = read_text(r, GPU);
	row->billing = read_text(r, BILLING);
	row->date = read_text(r, DATE);
	row->source = read_text(r, SOURCE);
	row->note = *r->csv.field[r->at[NOTE]] ? read_text(r, NOTE) : NULL;
	row->shown = without_sample_size(row->instance);
	read_date(row);
	return true;
}

static bool read_rows(struct price_book *b, struct reader *r)
{
	size_t capacity = 0;

	if (!read_heading(r))
		return false;
	while (csv_row(&r->csv)) {
		struct price_row row = {0};

		if (!read_row(r, &row))
			return false;
		if (b->rows == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			b->row = xrealloc(b->row, capacity * sizeof(*b->row));
		}
		b->row[b->rows++] = row;
	}
	return !r->csv.failed || fail_line(r, "the price book cannot be read");
}

/* ---- what is current ---- */

static bool is_gpu_id(const struct catalog *c, const char *id)
{
	for (size_t i = 0; i < catalog_count(c, CATALOG_GPU); i++)
		if (strcmp(catalog_id(c, CATALOG_GPU, i), id) == 0)
			return true;
	return false;
}

static bool is_billing(const char *text)
{
	for (const char *const *known = price_billing_texts; *known; known++)
		if (strcmp(*known, text) == 0)
			return true;
	return false;
}

/* NULL, or why the row names no price that the program could use. */
static const char *why_unusable(const struct price_row *row, const struct catalog *c)
{
	if (!is_gpu_id(c, row->gpu))
		return "its name is no GPU's id";
	if (!is_billing(row->billing))
		return "another way of billing";
	if (row->gpus_per_instance != floor(row->gpus_per_instance))
		return "part of a GPU";
	if (row->note && strstr(row->note, "Spot or Flex-start only"))
		return "spot or flex-start only";
	return NULL;
}

static int compare_series(const struct price_row *a, const struct price_row *b)
{
	int order = strcmp(a->gpu, b->gpu);

	if (!order)
		order = strcmp(a->provider, b->provider);
	if (!order)
		order = strcmp(a->region, b->region);
	if (!order)
		order = strcmp(a->instance, b->instance);
	return order ? order : strcmp(a->billing, b->billing);
}

/* Negative: a's first day is earlier. */
static int compare_days(const struct price_row *a, const struct price_row *b)
{
	return a->month != b->month ? (a->month > b->month) - (a->month < b->month)
				    : (a->day > b->day) - (a->day < b->day);
}

/* By series, the newest first; of one day the earlier row of the file. */
static int compare_rows(const void *left, const void *right)
{
	const struct price_row *a = *(const struct price_row *const *)left;
	const struct price_row *b = *(const struct price_row *const *)right;
	int order = compare_series(a, b);

	if (!order)
		order = compare_days(b, a);
	return order ? order : (a > b) - (a < b);
}

/* The oldest day that is current: twelve months before the newest of the book. */
static struct price_row oldest_current(const struct price_book *b)
{
	struct price_row limit = {.month = -1};

	for (size_t i = 0; i < b->rows; i++)
		if (compare_days(&b->row[i], &limit) > 0)
			limit = b->row[i];
	limit.month -= MONTHS_CURRENT;
	return limit;
}

static const char *why_not_current(const struct price_row *row, const struct price_row *limit,
				   bool newest)
{
	if (row->why_not)
		return row->why_not;
	if (row->month < 0)
		return "the day is unknown";
	if (!newest)
		return "a newer row follows";
	return compare_days(row, limit) < 0 ? "over 12 months old" : NULL;
}

static void mark_current(struct price_book *b, const struct catalog *c)
{
	struct price_row limit = oldest_current(b),
			 **sorted = xcalloc(b->rows + 1, sizeof(struct price_row *));

	for (size_t i = 0; i < b->rows; i++) {
		b->row[i].why_not = why_unusable(&b->row[i], c);
		b->row[i].usable = !b->row[i].why_not;
		sorted[i] = &b->row[i];
	}
	qsort(sorted, b->rows, sizeof(struct price_row *), compare_rows);
	for (size_t i = 0; i < b->rows; i++) {
		bool newest = i == 0 || compare_series(sorted[i - 1], sorted[i]) != 0;

		sorted[i]->why_not = why_not_current(sorted[i], &limit, newest);
		sorted[i]->current = !sorted[i]->why_not;
	}
	free(sorted);
}

bool price_book_read(struct price_book *b, const char *file, const struct catalog *c,
		     struct diag *d)
{
	struct reader r = {.d = d};

	*b = (struct price_book){.file = xstrdup(file)};
	if (!csv_open(&r.csv, file, d)) {
		price_book_free(b);
		return false;
	}
	bool fine = read_rows(b, &r);
	csv_close(&r.csv);
	if (fine)
		mark_current(b, c);
	else
		price_book_free(b);
	return fine;
}

void price_book_free(struct price_book *b)
{
	for (size_t i = 0; i < b->rows; i++) {
		struct price_row *row = &b->row[i];
		char *text[] = {row->provider, row->region, row->instance, row->gpu,  row->billing,
				row->date,     row->source, row->note,	   row->shown};

		for (size_t t = 0; t < COUNT(text); t++)
			free(text[t]);
	}
	free(b->row);
	free(b->file);
	*b = (struct price_book){0};
}

/* ---- wishes ---- */

static bool is_listed(const struct record_list *list, const char *name)
{
	char *const *text = list->data;

	for (size_t i = 0; i < list->count; i++)
		if (strcasecmp(text[i], name) == 0)
			return true;
	return false;
}

bool price_book_is_everywhere(const char *region)
{
	return strcmp(region, "any") == 0 || strcmp(region, "all") == 0;
}

bool price_book_row_matches(const struct price_row *row, const struct price_wish *wish)
{
	return strcmp(row->billing, price_billing_texts[wish->billing]) == 0 &&
	       (wish->all_providers || is_listed(&wish->providers, row->provider)) &&
	       (wish->regions.count == 0 || is_listed(&wish->regions, "all") ||
		price_book_is_everywhere(row->region) || is_listed(&wish->regions, row->region));
}

/* The distinct names in one column of the rows, NULL-terminated. */
static const char **distinct_names(const struct price_book *b, size_t offset)
{
	const char **names = xcalloc(b->rows + 1, sizeof(*names));
	size_t n = 0, i;

	for (size_t row = 0; row < b->rows; row++) {
		const char *name = *(char *const *)((const char *)&b->row[row] + offset);

		for (i = 0; i < n && strcmp(names[i], name) != 0; i++)
			;
		if (i == n)
			names[n++] = name;
	}
	return names;
}

/* Every name of the list must be among the column's. */
static bool check_names(const struct price_book *b, const struct record_list *list, size_t offset,
			const char *what, struct diag *d)
{
	const char **names = distinct_names(b, offset), *const * known;
	char *const *text = list->data;
	bool fine = true;

	for (size_t i = 0; i < list->count && fine; i++) {
		for (known = names; *known && strcasecmp(*known, text[i]) != 0; known++)
			;
		if (*known)
			continue;
		char path[64];

		snprintf(path, sizeof(path), "prices.%ss[%zu]", what, i);
		diag_path(d, path);
		fine = diag_unknown(d, what, text[i], names);
	}
	free(names);
	return fine;
}

bool price_book_check_wish(const struct price_book *b, const struct price_wish *wish,
			   struct diag *d)
{
	return (wish->all_providers ||
		check_names(b, &wish->providers, offsetof(struct price_row, provider), "provider",
			    d)) &&
	       check_names(b, &wish->regions, offsetof(struct price_row, region), "region", d);
}
