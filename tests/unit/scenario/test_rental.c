/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Price arithmetic by hand on small books, and what must hold of every need on the real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "base/csv.h"
#include "scenario/instance_cover.h"
#include "scenario/owned_machine.h"
#include "small_book.h"

static struct catalog *catalog;

static int set_up(void **state)
{
	struct diag d;

	(void)state;
	diag_init(&d);
	catalog = catalog_new(NULL, ".", &d);
	return catalog ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	catalog_del(catalog);
	return 0;
}

static struct price_book small(const char *text)
{
	struct price_book b;
	struct diag d;

	if (!small_book_read(&b, catalog, text, &d))
		fail_msg("%d:%d: %s", d.line, d.column, d.message);
	return b;
}

/* One, four and eight GPUs in a machine: 1, 3.8 and 8 $/h; another provider has eight for 6. */
static const char sizes[] = HEADING "A,r,one,l4-24gb,1,1,1,on-demand,2026-10-01,s,\n"
				    "A,r,four,l4-24gb,4,3.8,0.95,on-demand,2026-10-01,s,\n"
				    "A,r,eight,l4-24gb,8,8,1,on-demand,2026-10-01,s,\n"
				    "B,q,octet,l4-24gb,8,6,0.75,on-demand,2026-10-01,s,\n";

struct need {
	int64_t units;
	int tp;
	double cheapest, dearest, share;
	int64_t rentable; /* of the cheapest */
};

/* A has ones at 1 $, fours at 3.8 $, so eight cost 7.6 there and 6 at B. */
static const struct need needs[] = {
	{1, 1, 1, 6, 0.75, 1},	  {4, 1, 3.8, 6, 3, 4},	     {5, 1, 4.8, 6, 3.75, 5},
	{6, 1, 5.8, 6, 4.5, 6},	  {7, 1, 6, 6.8, 5.25, 8},   {8, 1, 6, 7.6, 6, 8},
	{9, 1, 8.6, 12, 6.75, 9}, {16, 1, 12, 15.2, 12, 16}, {1, 4, 3.8, 6, 3, 4},
	{3, 4, 11.4, 12, 9, 12},  {1, 8, 6, 8, 6, 8},	     {2, 3, 6, 7.6, 4.5, 8},
};

static void needs_by_hand(void **state)
{
	struct price_book b = small(sizes);
	struct price_wish all = {.all_providers = true};

	(void)state;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		const struct need *n = &needs[i];
		struct rental r = small_book_rent(&b, all, "l4-24gb", n->units, n->tp);

		assert_near(r.usd_per_hour, n->cheapest, 1e-12);
		assert_near(r.range[0], n->cheapest, 1e-12);
		assert_near(r.range[1], n->cheapest, 1e-12); /* of two the lower is the median */
		assert_near(r.range[2], n->dearest, 1e-12);
		assert_near(r.usd_per_hour_share, n->share, 1e-12);
		assert_int_equal(r.rentable_count, n->rentable);
		rental_free(&r);
	}
	price_book_free(&b);
}

/* Eight for 8 $: as eight ones, two fours or an eight; the fewest instances win. Within 0.01 % a
 * set of fewer GPUs wins over a cheaper one. */
static void ties_go_to_fewer_gpus_then_fewer_instances(void **state)
{
	struct price_book b =
		small(HEADING "A,r,one,l4-24gb,1,1,1,on-demand,2026-10-01,s,\n"
			      "A,r,four,l4-24gb,4,4,1,on-demand,2026-10-01,s,\n"
			      "A,r,eight,l4-24gb,8,8,1,on-demand,2026-10-01,s,\n"
			      "B,r,big,t4-16gb,8,4,0.5,on-demand,2026-10-01,s,\n"
			      "B,r,small,t4-16gb,4,4.0002,1.00005,on-demand,2026-10-01,s,\n");
	struct price_wish all = {.all_providers = true};
	struct rental r = small_book_rent(&b, all, "l4-24gb", 8, 1);

	(void)state;
	assert_int_equal(r.price.instances.count, 1);
	assert_string_equal(r.price.instance, "eight");
	rental_free(&r);
	r = small_book_rent(&b, all, "t4-16gb", 4, 1);
	assert_string_equal(r.price.instance, "small");
	assert_near(r.usd_per_hour, 4.0002, 1e-12);
	assert_near(r.usd_per_hour_share, 2, 1e-12);
	rental_free(&r);
	price_book_free(&b);
}

/* The one current reserved row of the book; no discount is made up for others. */
static void reserved_is_what_a_row_says(void **state)
{
	struct price_wish wish = {.all_providers = true, .billing = BILLING_RESERVED};
	struct price_book b;
	struct diag d;

	(void)state;
	diag_init(&d);
	assert_true(price_book_read(&b, "gpus/prices/book.csv", catalog, &d));
	struct rental r = small_book_rent(&b, wish, "h100-sxm-80gb", 2, 1);
	assert_near(r.usd_per_hour, 4.48, 1e-12);
	assert_string_equal(r.price.provider, "Paperspace");
	assert_string_equal(r.price.billing, "3y reserved");
	rental_free(&r);
	r = small_book_rent(&b, wish, "l4-24gb", 1, 1);
	assert_true(isnan(r.usd_per_hour));
	assert_non_null(strstr(r.reason, "no current 3y reserved price of l4-24gb"));
	assert_non_null(strstr(r.reason, "no provider has a current one"));
	price_book_free(&b);
}

/* An eight-GPU machine at 11.5 $/h and a single one at 2 $/h, of a GPU that the book has too. */
static struct owned_machine bought[] = {
	{(char *)"l4-24gb", 8, 350640, 4, 10000, 1.5, 0.1},
	{(char *)"l4-24gb", 1, 8766, 1, 10000, 1, 0.1},
	{(char *)"t4-16gb", 2, 8766, 1, 0, 1, 0},
};

static void owned_machines_replace_the_book(void **state)
{
	struct price_book b = small(sizes);
	struct price_wish wish = {.providers = TEXTS("nobody"),
				  .billing = BILLING_SPOT,
				  .pick = PICK_DEAREST,
				  .owned = {3, sizeof(bought[0]), bought}};
	struct rental r = small_book_rent(&b, wish, "l4-24gb", 3, 1);

	(void)state;
	assert_near(r.usd_per_hour, 6, 1e-12); /* three single ones */
	assert_near(r.usd_per_hour_share, 3 * 11.5 / 8, 1e-12);
	assert_near(r.range[0], 6, 1e-12);
	assert_near(r.range[2], 6, 1e-12);
	assert_int_equal(r.rentable_count, 3);
	assert_string_equal(r.price.provider, "owned");
	assert_string_equal(r.price.source, "scenario");
	assert_null(r.price.region);
	assert_null(r.price.billing);
	assert_null(r.price.date);
	assert_string_equal(r.price.instance, "1 x l4-24gb, 8766 US$ over 1 years, 10000 W at PUE "
					      "1 and 0.1 US$/kWh");
	rental_free(&r);
	r = small_book_rent(&b, wish, "l4-24gb", 9, 1);
	assert_near(r.usd_per_hour, 13.5, 1e-12);
	assert_int_equal(r.price.instances.count, 2);
	rental_free(&r);
	r = small_book_rent(&b, wish, "l4-24gb", 2, 4); /* both groups in the one machine */
	assert_near(r.usd_per_hour, 11.5, 1e-12);
	assert_int_equal(r.rentable_count, 8);
	rental_free(&r);
	r = small_book_rent(&b, wish, "t4-16gb", 1, 4);
	assert_true(isnan(r.usd_per_hour));
	assert_string_equal(r.reason, "no owned machine holds 4 t4-16gb");
	rental_free(&r);
	price_book_free(&b);
}

/* --price l4=0.70 wins over the book and over a machine, in single GPUs. */
static void a_given_price_wins(void **state)
{
	struct price_book b = small(sizes);
	struct price_wish wish = {.all_providers = true, .owned = {3, sizeof(bought[0]), bought}};
	struct gpu g = {.id = (char *)"l4-24gb"};
	struct rental r;

	(void)state;
	price_book_rent(&b, &wish, &g, 3, 2, 0.70, &r);
	assert_near(r.usd_per_hour, 4.2, 1e-12);
	assert_near(r.usd_per_hour_share, 4.2, 1e-12);
	assert_int_equal(r.rentable_count, 6);
	assert_string_equal(r.price.source, "--price");
	assert_null(r.price.provider);
	rental_free(&r);
	price_book_free(&b);
}

/* 0.8048 $/h at 2 req/s: 0.8048 / 7,200 $ a request; at 512 tok/s 0.8048 / 1.8432 $ a million. */
static void a_rate_at_a_price_by_hand(void **state)
{
	(void)state;
	assert_near(rental_usd_for(0.8048, 2, 1e3), 0.111777777777778, 1e-14);
	assert_near(rental_usd_for(0.8048, 512, 1e6), 0.436631944444444, 1e-14);
	assert_true(isnan(rental_usd_for((double)NAN, 2, 1e3)));
	assert_true(isnan(rental_usd_for(1, (double)NAN, 1e3)));
}

/* The published table, whose slips are not reproduced. */
static void published_costs_of_tokens(void **state)
{
	struct csv c;
	struct diag d;
	int at[6], rows = 0, slips = 0;
	static const char *const names[] = {"usd_per_hour", "output_tokens_per_s", "low",
					    "high",	    "published",	   "point"};

	(void)state;
	diag_init(&d);
	assert_true(csv_open(&c, "tests/cases/cost.csv", &d));
	assert_true(csv_row(&c));
	for (int i = 0; i < 6; i++)
		at[i] = csv_column(&c, names[i]);
	while (csv_row(&c)) {
		double value[5];

		for (int i = 0; i < 5; i++)
			value[i] = strtod(c.field[at[i]], NULL);
		double usd = rental_usd_for(value[0], value[1], 1e6);
		if (!(usd >= value[2] && usd <= value[3]))
			fail_msg("%s: %g $ a million tokens, not %g to %g", c.field[at[5]], usd,
				 value[2], value[3]);
		rows++;
		slips += value[4] < value[2] || value[4] > value[3];
	}
	csv_close(&c);
	assert_int_equal(rows, 5);
	assert_int_equal(slips, 2);
}

/* ---- every need on the real book ---- */

/* What holds of one answer, and against that for one unit fewer. */
static void check_rental(const struct rental *r, const struct rental *fewer, const char *what)
{
	const double slack = 1 + INSTANCE_COVER_EQUAL;
	bool sound = r->usd_per_hour > 0 && r->usd_per_hour * slack >= r->usd_per_hour_share &&
		     r->range[0] <= r->range[1] * slack && r->range[1] <= r->range[2];

	for (int i = 0; i < 3; i++)
		sound = sound && (isnan(fewer->range[i]) || r->range[i] * slack >= fewer->range[i]);
	sound = sound && (isnan(fewer->usd_per_hour_share) ||
			  r->usd_per_hour_share > fewer->usd_per_hour_share);
	if (!sound)
		fail_msg("%s: %.9g $/h, by share %.9g, range %.9g %.9g %.9g; one unit fewer %.9g",
			 what, r->usd_per_hour, r->usd_per_hour_share, r->range[0], r->range[1],
			 r->range[2], fewer->usd_per_hour);
}

static void check_instances(const struct rental *r, int64_t units, int tp, const char *what)
{
	const struct price_item *item = r->price.instances.data;
	double usd = 0;

	for (size_t i = 0; i < r->price.instances.count; i++)
		usd += (double)item[i].count * item[i].usd_per_hour;
	assert_near(usd, r->usd_per_hour, 1e-9 * usd);
	if (r->rentable_count < units * tp)
		fail_msg("%s: %lld GPUs rented", what, (long long)r->rentable_count);
}

static size_t sweep_units(const struct price_book *b, const char *gpu, struct price_wish wish,
			  int tp)
{
	struct rental fewer;
	size_t priced = 0;
	char what[128];

	rental_init(&fewer);
	for (int64_t units = 1; units <= 20; units++) {
		struct rental r = small_book_rent(b, wish, gpu, units, tp);

		snprintf(what, sizeof(what), "%lld x %d %s, %s", (long long)units, tp, gpu,
			 price_billing_texts[wish.billing]);
		if (isnan(r.usd_per_hour)) {
			assert_true(r.reason[0] && isnan(r.range[0]) && isnan(r.range[2]));
			assert_true(isnan(fewer.usd_per_hour)); /* all units or none */
		} else {
			check_rental(&r, &fewer, what);
			check_instances(&r, units, tp, what);
			priced++;
		}
		rental_free(&fewer);
		fewer = r;
	}
	rental_free(&fewer);
	return priced;
}

static void every_need_is_sound(void **state)
{
	static const int degrees[] = {1, 2, 4, 8};
	struct price_book b;
	struct diag d;
	size_t priced = 0;

	(void)state;
	diag_init(&d);
	assert_true(price_book_read(&b, "gpus/prices/book.csv", catalog, &d));
	assert_int_equal(catalog_count(catalog, CATALOG_GPU), 36);
	for (size_t g = 0; g < 36; g++)
		for (int billing = BILLING_ON_DEMAND; billing <= BILLING_RESERVED; billing++)
			for (int t = 0; t < 4; t++)
				for (int all = 0; all < 2; all++) {
					struct price_wish wish = {
						.providers = TEXTS("aws", "gcp", "azure"),
						.all_providers = all,
						.billing = billing};

					priced +=
						sweep_units(&b, catalog_id(catalog, CATALOG_GPU, g),
							    wish, degrees[t]);
				}
	printf("%zu needs have a price\n", priced);
	assert_true(priced > 2000);
	price_book_free(&b);
}

/* Two kinds together: sums, instances one behind another, texts that differ joined. */
static void two_rentals_are_added(void **state)
{
	struct price_book b = small(HEADING "A,r,one,l4-24gb,1,1,1,on-demand,2026-10-01,s,\n"
					    "B,q,big,t4-16gb,2,4,2,on-demand,2026-09-01,t,\n");
	struct price_wish all = {.all_providers = true};
	struct rental sum = small_book_rent(&b, all, "l4-24gb", 3, 1);
	struct rental more = small_book_rent(&b, all, "t4-16gb", 1, 1);

	(void)state;
	rental_add(&sum, &more);
	assert_near(sum.usd_per_hour, 7, 1e-12);
	assert_near(sum.usd_per_hour_share, 5, 1e-12);
	assert_near(sum.range[2], 7, 1e-12);
	assert_near(sum.price.usd_per_hour, 7, 1e-12);
	assert_int_equal(sum.rentable_count, 5);
	assert_string_equal(sum.price.provider, "A + B");
	assert_string_equal(sum.price.region, "r + q");
	assert_string_equal(sum.price.billing, "on-demand");
	assert_string_equal(sum.price.date, "2026-10-01");
	assert_int_equal(sum.price.instances.count, 2);
	const struct price_item *item = sum.price.instances.data;
	assert_int_equal(item[0].count, 3);
	assert_string_equal(item[1].instance, "big");
	/* what has no price takes the sum's away, and says why */
	more = small_book_rent(&b, all, "h100-sxm-80gb", 1, 1);
	rental_add(&sum, &more);
	assert_true(isnan(sum.usd_per_hour) && isnan(sum.range[0]));
	assert_null(sum.price.provider);
	assert_int_equal(sum.price.instances.count, 0);
	assert_non_null(strstr(sum.reason, "h100-sxm-80gb"));
	rental_free(&sum);
	price_book_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(needs_by_hand),
		cmocka_unit_test(ties_go_to_fewer_gpus_then_fewer_instances),
		cmocka_unit_test(reserved_is_what_a_row_says),
		cmocka_unit_test(owned_machines_replace_the_book),
		cmocka_unit_test(a_given_price_wins),
		cmocka_unit_test(two_rentals_are_added),
		cmocka_unit_test(a_rate_at_a_price_by_hand),
		cmocka_unit_test(published_costs_of_tokens),
		cmocka_unit_test(every_need_is_sound),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
