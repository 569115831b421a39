/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/rental.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "scenario/instance_cover.h"
#include "scenario/owned_machine.h"
#include "scenario/price_book.h"

/* ---- the fields of a result's `price` ---- */

#define ITEM(KEY, KIND, MEMBER, HELP)                                                              \
	{                                                                                          \
		.key = (KEY), .kind = (KIND), .offset = offsetof(struct price_item, MEMBER),       \
		.help = (HELP)                                                                     \
	}
#define CHOICE(KEY, KIND, MEMBER, HELP)                                                            \
	{                                                                                          \
		.key = (KEY), .kind = (KIND), .offset = offsetof(struct price_choice, MEMBER),     \
		.help = (HELP)                                                                     \
	}

static const struct field item_fields[] = {
	ITEM("instance", FIELD_TEXT, instance, "the provider's name of the machine"),
	ITEM("count", FIELD_INT, count, "how many are rented"),
	ITEM("usd_per_hour", FIELD_REAL, usd_per_hour, "of one [$/h]"),
	ITEM("date", FIELD_TEXT, date, "when the price was seen"),
	ITEM("source", FIELD_TEXT, source, "where it was seen"),
};

static const struct record item_record = {
	.name = "rented instance",
	.size = sizeof(struct price_item),
	.fields = COUNT(item_fields),
	.field = item_fields,
};

static const struct field choice_fields[] = {
	CHOICE("provider", FIELD_TEXT, provider, "who rents it out"),
	CHOICE("region", FIELD_TEXT, region, "where"),
	CHOICE("billing", FIELD_TEXT, billing, "on-demand, spot, 3y reserved"),
	CHOICE("usd_per_hour", FIELD_REAL, usd_per_hour, "of all that was asked for [$/h]"),
	{.key = "instances",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct price_choice, instances),
	 .of = &item_record,
	 .help = "the whole instances that are rented"},
	CHOICE("instance", FIELD_TEXT, instance, "of the first of them"),
	CHOICE("date", FIELD_TEXT, date, "of the first of them"),
	CHOICE("source", FIELD_TEXT, source,
	       "of the first of them; --price: given on the command line"),
};

const struct record price_choice_record = {
	.name = "price",
	.size = sizeof(struct price_choice),
	.fields = COUNT(choice_fields),
	.field = choice_fields,
};

/* ---- renting ---- */

struct need {
	const struct price_row **row; /* what may be rented, in the order of the book */
	size_t rows;
	int64_t units;
	int tp;
};

/* The cheapest set of one provider and region. */
struct quote {
	const struct price_row *first; /* the first row of that provider and region */
	double usd;
	int64_t gpus, instances;
};

/* Whether an instance of the row can be had where `first` stands. */
static bool is_offered(const struct price_row *first, const struct price_row *row)
{
	return strcmp(row->provider, first->provider) == 0 &&
	       (strcmp(row->region, first->region) == 0 || price_book_is_everywhere(row->region));
}

static bool starts_group(const struct need *n, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(n->row[k]->provider, n->row[i]->provider) == 0 &&
		    strcmp(n->row[k]->region, n->row[i]->region) == 0)
			return false;
	return true;
}

/* The offers of one provider and region and the rows they come from; both of as many elements as
 * the need has rows. */
static size_t gather(const struct need *n, const struct price_row *first,
		     struct instance_offer *offer, const struct price_row **from)
{
	size_t offers = 0;

	for (size_t i = 0; i < n->rows; i++) {
		const struct price_row *row = n->row[i];

		if (!is_offered(first, row))
			continue;
		int64_t gpus = (int64_t)row->gpus_per_instance;
		from[offers] = row;
		offer[offers++] =
			(struct instance_offer){row->usd_hour_instance, gpus, gpus / n->tp, 0};
	}
	return offers;
}

/* What the group costs; with `choice` its instances are put there. */
static struct quote quote_group(const struct need *n, const struct price_row *first,
				struct price_choice *choice)
{
	struct instance_offer *offer = xcalloc(n->rows, sizeof(*offer));
	const struct price_row **from = xcalloc(n->rows, sizeof(const struct price_row *));
	size_t offers = gather(n, first, offer, from);
	struct quote quote = {first, instance_cover(offer, offers, n->units), 0, 0};

	if (choice)
		choice->instances =
			(struct record_list){0, sizeof(struct price_item),
					     xcalloc(offers + 1, sizeof(struct price_item))};
	for (size_t i = 0; i < offers; i++) {
		if (!offer[i].count)
			continue;
		quote.gpus += offer[i].count * offer[i].gpus;
		quote.instances += offer[i].count;
		if (choice)
			((struct price_item *)choice->instances.data)[choice->instances.count++] =
				(struct price_item){from[i]->shown, offer[i].count, offer[i].usd,
						    from[i]->date, from[i]->source};
	}
	free(from);
	free(offer);
	return quote;
}

/* By price, then GPUs, instances, place in the book. */
static int compare_quotes(const void *left, const void *right)
{
	const struct quote *a = left, *b = right;

	if (a->usd != b->usd)
		return a->usd < b->usd ? -1 : 1;
	if (a->gpus != b->gpus)
		return a->gpus < b->gpus ? -1 : 1;
	if (a->instances != b->instances)
		return a->instances < b->instances ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static bool is_preferred(const struct quote *a, const struct quote *b)
{
	if (a->gpus != b->gpus)
		return a->gpus < b->gpus;
	return a->instances != b->instances ? a->instances < b->instances : a->first < b->first;
}

/* Of sorted quotes the preferred one of those that are as cheap as the first. */
static size_t cheapest(const struct quote *quote, size_t quotes)
{
	size_t best = 0;

	for (size_t i = 1; i < quotes && quote[i].usd <= quote[0].usd * (1 + INSTANCE_COVER_EQUAL);
	     i++)
		if (is_preferred(&quote[i], &quote[best]))
			best = i;
	return best;
}

static void name_choice(struct price_choice *choice, const struct price_row *row, double usd)
{
	choice->provider = row->provider;
	choice->region = *row->region ? row->region : NULL;
	choice->billing = row->billing;
	choice->usd_per_hour = usd;
	choice->instance = row->shown;
	choice->date = row->date;
	choice->source = row->source;
}

/* Fills the price from the quote of one provider and region. */
static void choose(const struct need *n, const struct quote *quote, struct rental *r)
{
	struct price_choice *choice = &r->price;

	quote_group(n, quote->first, choice);
	name_choice(choice, quote->first, quote->usd);
	const struct price_item *item = choice->instances.data;
	choice->instance = item->instance;
	choice->date = item->date;
	choice->source = item->source;
	r->usd_per_hour = quote->usd;
	r->rentable_count = quote->gpus;
}

static size_t quote_all(const struct need *n, struct quote *quote)
{
	size_t quotes = 0;

	for (size_t i = 0; i < n->rows; i++) {
		if (!starts_group(n, i))
			continue;
		quote[quotes] = quote_group(n, n->row[i], NULL);
		quotes += !isnan(quote[quotes].usd);
	}
	return quotes;
}

static void rent_instances(const struct need *n, enum price_pick pick, struct rental *r)
{
	struct quote *quote = xcalloc(n->rows + 1, sizeof(*quote));
	size_t quotes = quote_all(n, quote);

	if (quotes) {
		qsort(quote, quotes, sizeof(*quote), compare_quotes);
		size_t picked[] = {cheapest(quote, quotes), (quotes - 1) / 2, quotes - 1};

		for (size_t i = 0; i < COUNT(picked); i++)
			r->range[i] = quote[picked[i]].usd;
		choose(n, &quote[picked[pick]], r);
	}
	free(quote);
}

static double usd_gpu(const struct price_row *row)
{
	return row->usd_hour_instance / row->gpus_per_instance;
}

/* The lowest price per GPU, whatever the instance's size. */
static void rent_share(const struct need *n, struct rental *r)
{
	const struct price_row *best = NULL;

	for (size_t i = 0; i < n->rows; i++)
		if (!best || usd_gpu(n->row[i]) < usd_gpu(best))
			best = n->row[i];
	if (!best)
		return;
	r->usd_per_hour_share = (double)n->units * n->tp * usd_gpu(best);
	name_choice(&r->price_share, best, r->usd_per_hour_share);
}

static void rent_given(int64_t gpus, double usd, struct rental *r)
{
	static char given[] = "--price";
	double total = (double)gpus * usd;

	r->usd_per_hour = r->usd_per_hour_share = total;
	r->price.usd_per_hour = r->price_share.usd_per_hour = total;
	r->price.source = r->price_share.source = given;
	for (size_t i = 0; i < COUNT(r->range); i++)
		r->range[i] = total;
	r->rentable_count = gpus;
}

/* ---- what may be rented ---- */

static bool is_candidate(const struct price_row *row, const char *gpu,
			 const struct price_wish *wish)
{
	return row->current && strcmp(row->gpu, gpu) == 0 && price_book_row_matches(row, wish);
}

static void rent_from_book(struct need *n, const struct price_book *b,
			   const struct price_wish *wish, const char *gpu, struct rental *r)
{
	n->row = xcalloc(b->rows + 1, sizeof(const struct price_row *));
	for (size_t i = 0; i < b->rows; i++)
		if (is_candidate(&b->row[i], gpu, wish))
			n->row[n->rows++] = &b->row[i];
	rent_instances(n, (enum price_pick)wish->pick, r);
	rent_share(n, r);
	free(n->row);
}

/* An owned machine as what it is beside the book's rows. */
static struct price_row owned_row(const struct owned_machine *m, struct rental *r)
{
	static char provider[] = "owned", source[] = "scenario", nowhere[] = "";
	double usd = owned_machine_usd_per_hour(m);
	struct price_row row = {.provider = provider,
				.region = nowhere,
				.source = source,
				.shown = owned_machine_text(m),
				.gpus_per_instance = (double)m->gpus,
				.usd_hour_instance = usd};

	record_texts_add(&r->owned, row.shown);
	return row;
}

/* False if none of the owned machines has such GPUs. */
static bool rent_owned(struct need *n, const struct record_list *owned, const char *gpu,
		       struct rental *r)
{
	const struct owned_machine *m = owned->data;
	struct price_row *row = xcalloc(owned->count + 1, sizeof(*row));

	n->row = xcalloc(owned->count + 1, sizeof(const struct price_row *));
	for (size_t i = 0; i < owned->count; i++) {
		if (strcmp(m[i].gpu, gpu) != 0)
			continue;
		row[n->rows] = owned_row(&m[i], r);
		n->row[n->rows] = &row[n->rows];
		n->rows++;
	}
	rent_instances(n, PICK_CHEAPEST, r);
	rent_share(n, r);
	free(n->row);
	free(row);
	return n->rows > 0;
}

/* ---- why there is no price ---- */

/* What was asked of the book in vain. */
struct question {
	const struct price_book *book;
	const struct price_wish *wish;
	const char *gpu;
	int tp;
};

#define SAY(r, ...) text_add((r)->reason, sizeof((r)->reason), __VA_ARGS__)

static void say_list(struct rental *r, const struct record_list *list)
{
	char *const *text = list->data;

	for (size_t i = 0; i < list->count; i++)
		SAY(r, "%s%s", i ? ", " : "", text[i]);
}

static const struct price_row *newest_row(const struct question *n)
{
	const struct price_row *best = NULL;

	for (size_t i = 0; i < n->book->rows; i++) {
		const struct price_row *row = &n->book->row[i];

		if (strcmp(row->gpu, n->gpu) == 0 &&
		    (!best || row->month > best->month ||
		     (row->month == best->month && row->day > best->day)))
			best = row;
	}
	return best;
}

/* Whether the row is the first of its provider that would do under the wish. */
static bool is_first_elsewhere(const struct question *n, const struct price_wish *anywhere,
			       const struct price_row *row)
{
	if (!is_candidate(row, n->gpu, anywhere))
		return false;
	for (const struct price_row *r = n->book->row; r < row; r++)
		if (is_candidate(r, n->gpu, anywhere) && strcmp(r->provider, row->provider) == 0)
			return false;
	return true;
}

static void say_elsewhere(const struct question *n, struct rental *r)
{
	struct price_wish anywhere = {.all_providers = true, .billing = n->wish->billing};
	size_t found = 0;

	for (size_t i = 0; i < n->book->rows; i++)
		if (is_first_elsewhere(n, &anywhere, &n->book->row[i]))
			SAY(r, "%s%s", found++ ? ", " : "; current at ", n->book->row[i].provider);
	if (!found)
		SAY(r, "; no provider has a current one");
}

static void explain(const struct question *n, struct rental *r)
{
	const char *billing = price_billing_texts[n->wish->billing];
	const struct price_row *newest = newest_row(n);

	if (!newest) {
		SAY(r, "the price book has no row of %s", n->gpu);
		return;
	}
	if (!isnan(r->usd_per_hour_share)) {
		SAY(r, "no instance with a current %s price holds %d %s in one machine", billing,
		    n->tp, n->gpu);
		return;
	}
	SAY(r, "no current %s price of %s", billing, n->gpu);
	if (!n->wish->all_providers) {
		SAY(r, " at ");
		say_list(r, &n->wish->providers);
	}
	if (n->wish->regions.count) {
		SAY(r, " in ");
		say_list(r, &n->wish->regions);
	}
	SAY(r, "; the newest row is %s %s, %s, %s, %g $/h a GPU, seen %s", newest->provider,
	    newest->region, newest->shown, newest->billing, newest->usd_hour_gpu, newest->date);
	say_elsewhere(n, r);
}

void rental_init(struct rental *r)
{
	const double none = (double)NAN;

	*r = (struct rental){.usd_per_hour = none,
			     .range = {none, none, none},
			     .usd_per_hour_share = none,
			     .rentable_count = RECORD_INT_UNSET,
			     .price.usd_per_hour = none,
			     .price_share.usd_per_hour = none};
}

void price_book_rent(const struct price_book *b, const struct price_wish *wish,
		     const struct gpu *gpu, int64_t units, int tp, double override_usd,
		     struct rental *r)
{
	const char *id = gpu->id ? gpu->id : "a GPU without an id";
	const struct question asked = {b, wish, id, tp};
	struct need need = {.units = units, .tp = tp};

	rental_init(r);
	if (!isnan(override_usd)) {
		rent_given(units * tp, override_usd, r);
		return;
	}
	if (rent_owned(&need, &wish->owned, id, r)) {
		if (isnan(r->usd_per_hour))
			SAY(r, "no owned machine holds %d %s", tp, id);
		return;
	}
	rent_from_book(&need, b, wish, id, r);
	if (isnan(r->usd_per_hour))
		explain(&asked, r);
}

void rental_free(struct rental *r)
{
	free(r->price.instances.data);
	free(r->price_share.instances.data);
	r->price.instances = r->price_share.instances = (struct record_list){0};
	record_texts_free(&r->owned);
}

/* "aws + gcp"; texts that are equal are said once. The sum keeps what is new. */
static void join(struct rental *sum, char **text, char *more)
{
	if (*text && more && strcmp(*text, more) != 0)
		record_texts_add(&sum->owned, *text = xasprintf("%s + %s", *text, more));
	else if (!*text)
		*text = more;
}

static void add_instances(struct record_list *list, const struct record_list *more)
{
	size_t size = sizeof(struct price_item);

	if (!more->count)
		return;
	list->size = size;
	list->data = xrealloc(list->data, (list->count + more->count) * size);
	memcpy((char *)list->data + list->count * size, more->data, more->count * size);
	list->count += more->count;
}

/* Of the first that is rented stay date and source. */
static void add_choice(struct rental *sum, struct price_choice *to, const struct price_choice *more)
{
	double usd_per_hour = to->usd_per_hour + more->usd_per_hour;

	if (isnan(usd_per_hour)) {
		free(to->instances.data);
		*to = (struct price_choice){.usd_per_hour = usd_per_hour};
		return;
	}
	to->usd_per_hour = usd_per_hour;
	join(sum, &to->provider, more->provider);
	join(sum, &to->region, more->region);
	join(sum, &to->billing, more->billing);
	join(sum, &to->instance, more->instance);
	add_instances(&to->instances, &more->instances);
}

/* The other's texts become the sum's. */
static void move_owned(struct rental *sum, struct rental *more)
{
	char **text = more->owned.data;

	for (size_t i = 0; i < more->owned.count; i++)
		record_texts_add(&sum->owned, text[i]);
	free(more->owned.data);
	more->owned = (struct record_list){0};
}

void rental_add(struct rental *sum, struct rental *more)
{
	bool known =
		sum->rentable_count != RECORD_INT_UNSET && more->rentable_count != RECORD_INT_UNSET;

	move_owned(sum, more);
	add_choice(sum, &sum->price, &more->price);
	add_choice(sum, &sum->price_share, &more->price_share);
	sum->usd_per_hour += more->usd_per_hour;
	sum->usd_per_hour_share += more->usd_per_hour_share;
	for (int i = 0; i < 3; i++)
		sum->range[i] += more->range[i];
	sum->rentable_count = known ? sum->rentable_count + more->rentable_count : RECORD_INT_UNSET;
	if (more->reason[0])
		SAY(sum, "%s%s", sum->reason[0] ? "; " : "", more->reason);
	rental_free(more);
}

double rental_usd_for(double usd_per_hour, double a_second, double n)
{
	return usd_per_hour / 3600 / a_second * n;
}
