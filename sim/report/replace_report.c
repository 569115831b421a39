/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/replace_report.h"

#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "report/interval_table.h"
#include "report/price_text.h"
#include "report/provenance_text.h"
#include "report/scenario_text.h"
#include "report/table.h"
#include "scenario/units_text.h"

#define UNITS 160 /* bytes */

static void print_side(const struct replace_side *side, FILE *to)
{
	char text[UNITS] = "";

	units_text_add(text, sizeof text, side->units, side->tensor_parallel, side->gpu);
	fputs(text, to);
}

/* Where providers and regions differ, what the others take. */
static void print_range(const double range[3], FILE *to)
{
	char low[48], mid[48], high[48];

	if (!(range[2] > range[0]))
		return;
	number_text(low, range[0], 4);
	number_text(mid, range[1], 4);
	number_text(high, range[2], 4);
	fprintf(to, "; low, mid, high $%s, %s, %s", low, mid, high);
}

static void print_price(const struct replace_side *side, FILE *to)
{
	char text[48];

	fputs("  ", to);
	print_side(side, to);
	if (isnan(side->rental.usd_per_hour)) {
		fprintf(to, ": no price: %s\n", side->rental.reason);
		return;
	}
	fputs(": ", to);
	price_text_print(&side->rental, to);
	price_text_whole(&side->rental, side->count, to);
	print_range(side->rental.range, to);
	number_text(text, side->rental.usd_per_hour_share, 4);
	fprintf(to, "; by share of an instance $%s/h\n", text);
}

/* Another number of units that chance might have found. */
static void print_doubt(const struct replace_side *side, int replications, FILE *to)
{
	double low = side->units_interval.low, high = side->units_interval.high;

	if (!(low < high))
		return;
	fprintf(to, "  within the 95 %% intervals it may be %.0f", low);
	if (isinf(high))
		fputs(" or more", to);
	else
		fprintf(to, " to %.0f", high);
	fprintf(to, "%s%s\n", side->tensor_parallel > 1 ? " groups" : "",
		replications == 1 ? ": --replications 5 looks closer" : "");
}

/* What else it may be as far as constants are known, and which constant matters most. */
static void print_constants(const struct replace_side *side, FILE *to)
{
	struct interval units = side->units_interval_constants;
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	if (!(side->ratio_interval_constants.low < side->ratio_interval_constants.high))
		return;
	number_text(low, side->ratio_interval_constants.low, 3);
	number_text(high, side->ratio_interval_constants.high, 3);
	fputs("  within what is known of the constants ", to);
	if (units.low < units.high)
		fprintf(to, "it may be %.0f to %.0f%s, the ratio", units.low, units.high,
			side->tensor_parallel > 1 ? " groups" : "");
	else
		fputs("it is as many, the ratio", to);
	fprintf(to, " %s to %s", low, high);
	interval_table_largest(side->largest_constant, to);
	fputc('\n', to);
}

static void print_answer(const struct replacement *r, const struct replace_side *side, bool color,
			 FILE *to)
{
	char ratio[48], low[48], high[48], cost[48];

	if (side->verdict != VERDICT_OK) {
		fprintf(to, "%s%s cannot%s: %s\n", color ? "\033[31m" : "", side->gpu,
			color ? "\033[0m" : "", side->reason);
		return;
	}
	fputs(color ? "\033[1m" : "", to);
	print_side(side, to);
	fprintf(to, " replace%s ", side->count == 1 ? "s" : "");
	print_side(&r->from, to);
	fputs(color ? "\033[0m" : "", to);
	if (!isnan(side->cost_ratio)) {
		number_text(cost, side->cost_ratio, 3);
		fprintf(to, " at %s times the cost", cost);
	}
	number_text(ratio, side->ratio, 3);
	number_text(low, side->ratio_interval.low, 3);
	number_text(high, side->ratio_interval.high, 3);
	fprintf(to, "; the unrounded ratio is %s", ratio);
	if (side->tensor_parallel > 1)
		fprintf(to, " units of TP%lld", (long long)side->tensor_parallel);
	if (!isnan(side->ratio_interval.low))
		fprintf(to, " (95 %% interval %s to %s)", low, high);
	fputs("\n", to);
	print_doubt(side, r->replications, to);
	print_constants(side, to);
	if (side->ratio > 2 * (double)side->units)
		fputs("  a unit alone holds far less than its part: the fleet shares what comes in "
		      "bursts\n",
		      to);
}

static void fill_row(struct table *t, const struct replace_side *side,
		     const struct replace_side *from)
{
	table_text(t, side->gpu);
	table_number(t, side->verdict == VERDICT_OK ? (double)side->units : (double)NAN, 0);
	table_number(t, side->tensor_parallel > 0 ? (double)side->tensor_parallel : (double)NAN, 0);
	table_number(t, side->max_rps_each, 4);
	table_number(t, side->max_rps, 4);
	table_number(t, side == from ? 1 : side->ratio, 4);
	table_number(t, side == from ? 1 : side->naive_bandwidth, 3);
	table_number(t, side == from ? 1 : side->naive_compute, 3);
	table_number(t, side == from ? 1 : side->naive_memory, 3);
	table_number(t, side->rental.usd_per_hour, 4);
	table_number(t, side == from ? 1 : side->cost_ratio, 3);
	table_number(t, side == from ? 1 : side->cost_ratio_share, 3);
	table_text(t, side->limited_by[0] ? side->limited_by : NULL);
}

static void print_table(const struct replacement *r, FILE *to)
{
	static const char *const heading[] = {"GPU",
					      "units",
					      "TP",
					      "req/s\na unit",
					      "req/s\nof all",
					      "ratio\nsimulated",
					      "by\nbandwidth",
					      "by\ncompute",
					      "by\nmemory",
					      "$/h\nwhole",
					      "cost ratio\nwhole",
					      "cost ratio\nby share",
					      "limited by"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	fill_row(&t, &r->from, &r->from);
	for (size_t i = 0; i < r->sides; i++)
		fill_row(&t, &r->to[i], &r->from);
	table_print(&t, to);
	table_free(&t);
}

static bool is_elsewhere(const struct price_choice *a, const struct price_choice *b)
{
	return a->region && b->region &&
	       (strcmp(a->provider, b->provider) != 0 || strcmp(a->region, b->region) != 0);
}

static bool prices_differ(const struct replacement *r)
{
	for (size_t i = 0; i < r->sides; i++)
		if (r->to[i].verdict == VERDICT_OK &&
		    is_elsewhere(&r->to[i].rental.price, &r->from.rental.price))
			return true;
	return false;
}

void replace_report_print(const struct scenario *s, const struct replacement *r,
			  struct run_report_style style, FILE *to)
{
	scenario_text_print(s, to);
	fputc('\n', to);
	for (size_t i = 0; i < r->sides; i++)
		print_answer(r, &r->to[i], style.color, to);
	fputc('\n', to);
	print_table(r, to);
	if (!(r->from.max_rps > 0))
		return;
	fputs("\nprices\n", to);
	print_price(&r->from, to);
	for (size_t i = 0; i < r->sides; i++)
		if (r->to[i].verdict == VERDICT_OK)
			print_price(&r->to[i], to);
	if (prices_differ(r))
		fputs("  the two sides are rented in different places: --set prices.providers "
		      "or prices.regions compares within one\n",
		      to);
	fputc('\n', to);
	provenance_text(r->from.gpu, &r->from.provenance, style.verbose, to);
	for (size_t i = 0; i < r->sides; i++)
		if (r->to[i].candidate != r->from.candidate)
			provenance_text(r->to[i].gpu, &r->to[i].provenance, style.verbose, to);
}
