/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "near.h"

#include "small_book.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

struct fixture {
	struct catalog *catalog;
	struct price_book book;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct diag d;

	diag_init(&d);
	f->catalog = catalog_new(NULL, ".", &d);
	if (!f->catalog || !price_book_read(&f->book, "gpus/prices/book.csv", f->catalog, &d)) {
		diag_print(&d, stderr);
		return 1;
	}
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	price_book_free(&f->book);
	catalog_del(f->catalog);
	free(f);
	return 0;
}

static const struct price_item *item_of(const struct rental *r, size_t i)
{
	assert_true(i < r->price.instances.count);
	return (const struct price_item *)r->price.instances.data + i;
}

/* ---- the book in gpus/prices ---- */

static void the_book_has_the_stated_rows(void **state)
{
	const struct fixture *f = *state;
	size_t current = 0, by_billing[3] = {0}, without_gpu = 0;

	assert_int_equal(f->book.rows, 626);
	for (size_t i = 0; i < f->book.rows; i++) {
		const struct price_row *row = &f->book.row[i];

		current += row->current;
		for (size_t k = 0; row->current && price_billing_texts[k]; k++)
			by_billing[k] += strcmp(price_billing_texts[k], row->billing) == 0;
		without_gpu += row->why_not && strstr(row->why_not, "no GPU's id") != NULL;
		assert_true(row->current == !row->why_not);
		assert_true(row->usable || !row->current);
	}
	assert_int_equal(current, 381);
	assert_int_equal(by_billing[BILLING_ON_DEMAND], 290);
	assert_int_equal(by_billing[BILLING_SPOT], 90);
	assert_int_equal(by_billing[BILLING_RESERVED], 1);
	assert_int_equal(without_gpu, 102);
}

/* 15 L4: GCP us-east4, 15 x g2-standard-4 at 0.704518; AWS, 15 x g6.xlarge at 0.8048. One A100
 * 80GB: a2-ultragpu-1g; on AWS only a p4de with eight. */
static void the_readme_example_holds(void **state)
{
	const struct fixture *f = *state;
	struct price_wish both = {.providers = TEXTS("aws", "GCP")},
			  aws = {.providers = TEXTS("aws")};
	struct rental l4 = small_book_rent(&f->book, both, "l4-24gb", 15, 1),
		      l4_aws = small_book_rent(&f->book, aws, "l4-24gb", 15, 1);
	struct rental a100 = small_book_rent(&f->book, both, "a100-sxm-80gb", 1, 1);
	struct rental a100_aws = small_book_rent(&f->book, aws, "a100-sxm-80gb", 1, 1);

	assert_near(l4.usd_per_hour, 10.568, 5e-4);
	assert_string_equal(l4.price.provider, "GCP");
	assert_string_equal(l4.price.region, "us-east4");
	assert_int_equal(l4.price.instances.count, 1);
	assert_int_equal(item_of(&l4, 0)->count, 15);
	assert_string_equal(item_of(&l4, 0)->instance, "g2-standard-4");
	assert_string_equal(l4.price.instance, "g2-standard-4");
	assert_near(l4_aws.usd_per_hour, 12.072, 5e-4);
	assert_string_equal(l4_aws.price.instance, "g6.xlarge");
	assert_int_equal(l4_aws.rentable_count, 15);
	assert_near(a100.usd_per_hour, 5.069, 5e-4);
	assert_string_equal(a100.price.instance, "a2-ultragpu-1g");
	assert_near(a100_aws.usd_per_hour, 27.447, 5e-4);
	assert_string_equal(a100_aws.price.instance, "p4de.24xlarge");
	assert_int_equal(a100_aws.rentable_count, 8);
	assert_near(a100.usd_per_hour_share, 3.431, 5e-4);
	assert_string_equal(a100.price_share.instance, "p4de.24xlarge");
	assert_near(l4.usd_per_hour / a100.usd_per_hour, 2.08, 0.006);
	assert_near(l4_aws.usd_per_hour / a100_aws.usd_per_hour, 0.44, 0.005);
	assert_near(l4.usd_per_hour_share / a100.usd_per_hour_share, 3.08, 0.005);
	rental_free(&l4);
	rental_free(&l4_aws);
	rental_free(&a100);
	rental_free(&a100_aws);
}

static void nineteen_gpus_have_no_price_by_default(void **state)
{
	const struct fixture *f = *state;
	struct price_wish usual = {.providers = TEXTS("aws", "gcp", "azure")},
			  all = {.all_providers = true};
	size_t none = 0, none_anywhere = 0;

	for (size_t i = 0; i < catalog_count(f->catalog, CATALOG_GPU); i++) {
		const char *id = catalog_id(f->catalog, CATALOG_GPU, i);
		struct rental r = small_book_rent(&f->book, usual, id, 1, 1),
			      everywhere = small_book_rent(&f->book, all, id, 1, 1);

		none += isnan(r.usd_per_hour);
		none_anywhere += isnan(everywhere.usd_per_hour);
		assert_true(isnan(r.usd_per_hour) == (r.reason[0] != 0));
		assert_true(isnan(r.usd_per_hour) == isnan(r.usd_per_hour_share));
		rental_free(&r);
		rental_free(&everywhere);
	}
	assert_int_equal(none, 19);
	assert_true(none_anywhere < none);
}

static void the_reason_names_what_there_is(void **state)
{
	const struct fixture *f = *state;
	struct price_wish usual = {.providers = TEXTS("aws", "gcp", "azure")};
	struct rental r = small_book_rent(&f->book, usual, "rtx-4090-24gb", 1, 1);

	assert_true(isnan(r.usd_per_hour));
	assert_non_null(strstr(r.reason, "aws, gcp, azure"));
	assert_non_null(strstr(r.reason, "newest row is RunPod"));
	assert_non_null(strstr(r.reason, "2026-"));
	assert_non_null(strstr(r.reason, "current at RunPod"));
	assert_null(r.price.provider);
	assert_int_equal(r.rentable_count, RECORD_INT_UNSET);
	r = small_book_rent(&f->book, usual, "a16-4x16gb", 1, 1);
	assert_string_equal(r.reason, "the price book has no row of a16-4x16gb");
}

static void a_sample_size_is_not_shown(void **state)
{
	const struct fixture *f = *state;
	struct price_wish vast = {.providers = TEXTS("vast.ai")};
	struct rental r = small_book_rent(&f->book, vast, "h100-sxm-80gb", 2, 1);

	assert_string_equal(r.price.instance, "1x");
	assert_string_equal(r.price_share.instance, "1x");
	assert_near(r.usd_per_hour, 2 * 2.4024, 1e-9);
	rental_free(&r);
}

static void names_are_checked(void **state)
{
	const struct fixture *f = *state;
	struct price_wish good = {.providers = TEXTS("AWS", "runpod"),
				  .regions = TEXTS("us-east-1", "any")};
	struct price_wish bad = {.providers = TEXTS("aws", "runpot")},
			  region = {.regions = TEXTS("us-eats-1")};
	struct diag d;

	diag_init(&d);
	assert_true(price_book_check_wish(&f->book, &good, &d));
	assert_false(price_book_check_wish(&f->book, &bad, &d));
	assert_string_equal(d.nearest, "RunPod");
	assert_string_equal(d.path, "prices.providers[1]");
	diag_init(&d);
	assert_false(price_book_check_wish(&f->book, &region, &d));
	assert_string_equal(d.nearest, "us-east-1");
	assert_string_equal(d.path, "prices.regions[0]");
}

/* ---- small books ---- */

/* Three regions of one provider at 1, 2 and 5 $/h, a fourth row for every region at 3. */
static const char regions[] = HEADING "A,r1,one,l4-24gb,1,1,1,on-demand,2026-10-01,s,\n"
				      "A,r2,one,l4-24gb,1,2,2,on-demand,2026-10-01,s,\n"
				      "A,r3,one,l4-24gb,1,5,5,on-demand,2026-10-01,s,\n"
				      "B,any,four,l4-24gb,4,3,0.75,on-demand,2026-10-01,s,\n"
				      "B,any,four,l4-24gb,4,2,0.5,spot,2026-10-01,s,\n";

static void pick_takes_cheapest_median_dearest(void **state)
{
	static const double expected[] = {1, 2, 5};
	const struct fixture *f = *state;
	struct price_book b;
	struct diag d;

	assert_true(small_book_read(&b, f->catalog, regions, &d));
	for (int pick = PICK_CHEAPEST; pick <= PICK_DEAREST; pick++) {
		struct price_wish wish = {.all_providers = true, .pick = pick};
		struct rental r = small_book_rent(&b, wish, "l4-24gb", 1, 1);

		assert_near(r.usd_per_hour, expected[pick], 1e-12);
		for (size_t i = 0; i < 3; i++)
			assert_near(r.range[i], expected[i], 1e-12);
		assert_near(r.usd_per_hour_share, 0.75, 1e-12);
		rental_free(&r);
	}
	price_book_free(&b);
}

static void wishes_are_kept(void **state)
{
	const struct fixture *f = *state;
	struct price_book b;
	struct diag d;

	assert_true(small_book_read(&b, f->catalog, regions, &d));
	struct price_wish region = {.all_providers = true, .regions = TEXTS("R2")};
	struct rental r = small_book_rent(&b, region, "l4-24gb", 1, 1);
	assert_near(r.range[0], 2, 1e-12);
	assert_near(r.range[2], 3, 1e-12); /* of B, whose region is any */
	rental_free(&r);
	struct price_wish spot = {.all_providers = true, .billing = BILLING_SPOT};
	r = small_book_rent(&b, spot, "l4-24gb", 5, 1);
	assert_near(r.usd_per_hour, 4, 1e-12);
	assert_string_equal(r.price.billing, "spot");
	assert_int_equal(r.rentable_count, 8);
	rental_free(&r);
	struct price_wish reserved = {.all_providers = true, .billing = BILLING_RESERVED};
	r = small_book_rent(&b, reserved, "l4-24gb", 1, 1);
	assert_true(isnan(r.usd_per_hour));
	assert_non_null(strstr(r.reason, "no provider has a current one"));
	price_book_free(&b);
}

static void a_group_stays_in_one_machine(void **state)
{
	const struct fixture *f = *state;
	struct price_book b;
	struct diag d;

	assert_true(small_book_read(&b, f->catalog, regions, &d));
	struct price_wish all = {.all_providers = true};
	struct rental r = small_book_rent(&b, all, "l4-24gb", 2,
					  3); /* a machine of four holds one group of three */
	assert_near(r.usd_per_hour, 6, 1e-12);
	assert_int_equal(r.rentable_count, 8);
	assert_near(r.usd_per_hour_share, 6 * 0.75, 1e-12);
	rental_free(&r);
	r = small_book_rent(&b, all, "l4-24gb", 1, 8);
	assert_true(isnan(r.usd_per_hour));
	assert_near(r.usd_per_hour_share, 6, 1e-12);
	assert_non_null(strstr(r.reason, "holds 8 l4-24gb in one machine"));
	price_book_free(&b);
}

static void a_given_price_replaces_the_book(void **state)
{
	const struct fixture *f = *state;
	struct price_wish usual = {.providers = TEXTS("aws")};
	struct gpu g = {.id = (char *)"a16-4x16gb"};
	struct rental r;

	price_book_rent(&f->book, &usual, &g, 3, 2, 0.5, &r);
	assert_near(r.usd_per_hour, 3, 1e-12);
	assert_near(r.usd_per_hour_share, 3, 1e-12);
	assert_near(r.range[1], 3, 1e-12);
	assert_int_equal(r.rentable_count, 6);
	assert_string_equal(r.price.source, "--price");
	assert_string_equal(r.reason, "");
	rental_free(&r);
}

/* Dates without a day, the twelve months, a newer row that stands for an older one, excluded rows.
 */
static void dates_and_exclusions(void **state)
{
	static const char text[] =
		HEADING "A,r,new,l4-24gb,1,1,1,on-demand,2026-11-09,s,\n"
			"A,r,edge,l4-24gb,1,1,1,on-demand,2025-11-09,s,\n"
			"A,r,late,l4-24gb,1,1,1,on-demand,2025-11-08,s,\n"
			"A,r,year,l4-24gb,1,1,1,on-demand,\"2026 (v8 catalog, day unknown)\",s,\n"
			"A,r,span,l4-24gb,1,1,1,on-demand,c. 2024-2025 (v6 catalog),s,\n"
			"A,r,glued,l4-24gb,1,1,1,on-demand,2026-1027,s,\n"
			"A,r,month,l4-24gb,1,1,1,on-demand,2025-12,s,\n"
			"A,r,never,l4-24gb,1,1,1,on-demand,unknown,s,\n"
			"A,r,twice,l4-24gb,1,1,1,on-demand,2026-01-02,s,\n"
			"A,r,twice,l4-24gb,1,2,2,on-demand,2026-01-03,s,\n"
			"A,r,twice,l4-24gb,1,3,3,on-demand,2026-01-03,s,\n"
			"A,r,short,l4,1,1,1,on-demand,2026-11-09,s,\n"
			"A,r,part,l4-24gb,0.5,1,2,on-demand,2026-11-09,s,\n"
			"A,r,flex,l4-24gb,1,1,1,on-demand,2026-11-09,s,Spot or Flex-start only\n"
			"A,r,promo,l4-24gb,1,1,1,reserved or promo,2026-11-09,s,\n";
	static const bool current[] = {true,  true, false, true,  false, true,	true, false,
				       false, true, false, false, false, false, false};
	const struct fixture *f = *state;
	struct price_book b;
	struct diag d;

	assert_true(small_book_read(&b, f->catalog, text, &d));
	assert_int_equal(b.rows, COUNT(current));
	for (size_t i = 0; i < b.rows; i++)
		if (b.row[i].current != current[i])
			fail_msg("%s, %s: %s", b.row[i].instance, b.row[i].date, b.row[i].why_not);
	assert_int_equal(b.row[3].month, 2026 * 12);
	assert_int_equal(b.row[4].month, 2024 * 12);
	assert_int_equal(b.row[5].month, 2026 * 12);
	price_book_free(&b);
}

static void malformed_rows_are_located(void **state)
{
	static const struct {
		const char *row, *path;
		int column;
	} bad[] = {
		{"A,r,i,l4-24gb,1,free,1,on-demand,2026-11-09,s,", "price_usd_hour_instance", 17},
		{"A,r,i,l4-24gb,0,1,1,on-demand,2026-11-09,s,", "gpus_per_instance", 15},
		{"A,r,i,l4-24gb,1,-1,1,on-demand,2026-11-09,s,", "price_usd_hour_instance", 17},
		{"A,r,i,l4-24gb,1,1,nan,on-demand,2026-11-09,s,", "price_usd_hour_per_gpu", 19},
		{"A,r,i,l4-24gb,2,1,1,on-demand,2026-11-09,s,", "price_usd_hour_per_gpu", 19},
		{"A,r,i,l4-24gb,2000,2000,1,on-demand,2026-11-09,s,", "gpus_per_instance", 15},
		{",r,i,l4-24gb,1,1,1,on-demand,2026-11-09,s,", "provider", 1},
		{"A,r,i,l4-24gb,1,1,1,on-demand,2026-11-09", "", 1},
		{"A,r,i,l4-24gb,1,1,1,on-demand,2026-11-09,s,\"open", "", 1},
	};
	const struct fixture *f = *state;
	struct price_book b;
	struct diag d;

	for (size_t i = 0; i < COUNT(bad); i++) {
		char text[1000];

		snprintf(text, sizeof(text),
			 HEADING "A,r,i,l4-24gb,1,1,1,on-demand,2026-11-09,s,\n%s\nx\n",
			 bad[i].row);
		assert_false(small_book_read(&b, f->catalog, text, &d));
		assert_int_equal(d.line, 3);
		assert_int_equal(d.column, bad[i].column);
		assert_string_equal(d.path, bad[i].path);
		assert_non_null(strstr(d.file, "price_book_"));
	}
	assert_false(small_book_read(&b, f->catalog, "provider,region\n", &d));
	assert_string_equal(d.path, "instance");
	assert_false(small_book_read(&b, f->catalog, "", &d));
	diag_init(&d);
	assert_false(price_book_read(&b, "/no/such/book.csv", f->catalog, &d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_book_has_the_stated_rows),
		cmocka_unit_test(the_readme_example_holds),
		cmocka_unit_test(nineteen_gpus_have_no_price_by_default),
		cmocka_unit_test(the_reason_names_what_there_is),
		cmocka_unit_test(a_sample_size_is_not_shown),
		cmocka_unit_test(names_are_checked),
		cmocka_unit_test(pick_takes_cheapest_median_dearest),
		cmocka_unit_test(wishes_are_kept),
		cmocka_unit_test(a_group_stays_in_one_machine),
		cmocka_unit_test(a_given_price_replaces_the_book),
		cmocka_unit_test(dates_and_exclusions),
		cmocka_unit_test(malformed_rows_are_located),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
