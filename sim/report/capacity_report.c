/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/capacity_report.h"

#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "report/column.h"
#include "report/provenance_text.h"
#include "report/scenario_text.h"

/* By dollars where any has a price, else by the rate. */
static const struct capacity_result *best_of(const struct capacity_result *r, size_t n)
{
	const struct capacity_result *best = NULL;

	for (size_t i = 0; i < n; i++) {
		double usd = r[i].usd_per_1k_requests;

		if (r[i].verdict != VERDICT_OK)
			continue;
		if (!best || usd < best->usd_per_1k_requests ||
		    (!isnan(usd) && isnan(best->usd_per_1k_requests)) ||
		    (isnan(usd) && isnan(best->usd_per_1k_requests) &&
		     r[i].max_rps > best->max_rps))
			best = &r[i];
	}
	return best;
}

static void print_answer(const struct scenario *s, const struct capacity_result *r, size_t n,
			 bool color, FILE *to)
{
	const struct capacity_result *best = best_of(r, n);
	const char *within =
		slo_is_set(&s->slo) ? "within the SLO" : "with a queue that does not grow";
	char rate[NUMBER_TEXT], thousand[NUMBER_TEXT], hour[NUMBER_TEXT];

	if (!best) {
		fprintf(to, "%s holds %s rate %s\n", n > 1 ? "none of these" : r->gpu,
			n > 1 ? "any" : "no", within);
		return;
	}
	number_text(rate, best->max_rps, 3);
	number_text(thousand, best->usd_per_1k_requests, 3);
	number_text(hour, best->usd_per_hour, 4);
	fprintf(to, "%s%s%s holds ", color ? "\033[32m" : "", best->gpu, color ? "\033[0m" : "");
	if (n > 1)
		fprintf(to, "most%s: ", isnan(best->usd_per_hour) ? "" : " per dollar");
	fprintf(to, "%s requests/s %s", rate, within);
	if (isnan(best->usd_per_hour))
		fputs(", at no known price\n", to);
	else
		fprintf(to, ", at $%s/h: $%s per 1,000 requests\n", hour, thousand);
}

static const struct column behind[] = {
	{"out tok/s", "throughput.output_tokens_per_s", 4},
};

#define COLUMNS_MAX (COLUMN_LATENCIES_MAX + COUNT(behind))

static void add_row(struct table *t, const struct capacity_result *r, const struct column *c,
		    size_t columns)
{
	static const struct interval none = {NAN, NAN};

	table_text(t, r->gpu);
	table_text(t, verdict_names[r->verdict]);
	table_number(t, (double)r->gpus_total, 0);
	table_number(t, r->max_rps, 4);
	table_interval(t, r->interval, 3);
	table_interval(t, r->interval_constants ? r->interval_constants->max_rps : none, 3);
	table_text(t, r->limited_by[0] ? r->limited_by : NULL);
	for (size_t i = 0; i < columns; i++)
		table_number(t, r->at ? column_value(&c[i], &outcome_record, r->at) : (double)NAN,
			     c[i].digits);
	table_number(t, r->saturated_rps, 4);
	table_number(t, r->usd_per_hour, 4);
	table_number(t, r->usd_per_1k_requests, 3);
}

static void print_table(const struct scenario *s, const struct capacity_result *r, size_t n,
			FILE *to)
{
	static const char *const first[] = {"GPU",
					    "verdict",
					    "GPUs",
					    "holds\nreq/s",
					    "95 % interval\nby chance",
					    "\nby constants",
					    "limited by"};
	static const char *const last[] = {"saturates\nreq/s", "$/h", "$ per 1k\nrequests"};
	struct column c[COLUMNS_MAX];
	size_t columns = column_latencies(c, &s->slo, false);
	struct table t;

	memcpy(c + columns, behind, sizeof behind);
	columns += COUNT(behind);
	table_init(&t, COUNT(first) + columns + COUNT(last));
	for (size_t i = 0; i < COUNT(first); i++)
		table_text(&t, first[i]);
	for (size_t i = 0; i < columns; i++)
		table_text(&t, c[i].heading);
	for (size_t i = 0; i < COUNT(last); i++)
		table_text(&t, last[i]);
	for (size_t i = 0; i < n; i++)
		add_row(&t, &r[i], c, columns);
	table_print(&t, to);
	table_free(&t);
}

/* What happens beyond the rate: an SLO missed is not a queue that grows. */
static void print_beyond(const struct capacity_result *r, FILE *to)
{
	char rate[NUMBER_TEXT], saturated[NUMBER_TEXT];

	number_text(rate, r->max_rps, 4);
	number_text(saturated, r->saturated_rps, 4);
	if (strcmp(r->limited_by, "saturation") == 0)
		fprintf(to,
			"%s: beyond %s requests/s the queue grows without bound (saturated at "
			"%s)\n",
			r->gpu, rate, saturated);
	else
		fprintf(to,
			"%s: beyond %s requests/s %s misses its limit; the queue grows without "
			"bound from %s on\n",
			r->gpu, rate, r->limited_by, saturated);
}

/* Where a limit is just met, the run at that rate may find it just missed. */
static void print_doubt(const struct capacity_result *r, FILE *to)
{
	if (r->at->verdict != VERDICT_OK)
		fprintf(to, "%s: %sin the run at that rate %s%s\n", r->gpu,
			r->certain ? "" : "not certain: ", r->at->reason,
			r->certain ? ": that is chance, or within what is known of the rate" : "");
	else if (!r->certain)
		fprintf(to, "%s: not certain: the rate has no 95 %% interval\n", r->gpu);
}

static void print_constants(const struct capacity_result *r, FILE *to)
{
	const struct capacity_constants *c = r->interval_constants;
	char share[NUMBER_TEXT];

	if (!c || !c->largest[0])
		return;
	number_text(share, 100 * c->largest_share, 2);
	fprintf(to, "%s: %s %% of the variance from constants is that of %s\n", r->gpu, share,
		c->largest);
}

static void print_verdict(const struct capacity_result *r, bool color, FILE *to)
{
	if (r->verdict == VERDICT_OK)
		print_beyond(r, to);
	else
		fprintf(to, "%s%s: %s%s: %s\n", color ? "\033[31m" : "", r->gpu,
			verdict_names[r->verdict], color ? "\033[0m" : "", r->reason);
	if (!r->at)
		return;
	print_doubt(r, to);
	print_constants(r, to);
	run_report_notes(r->at, to);
}

void capacity_report_print(const struct scenario *s, const struct capacity_result *r, size_t n,
			   struct run_report_style style, FILE *to)
{
	scenario_text_print(s, to);
	fputc('\n', to);
	print_answer(s, r, n, style.color, to);
	fputc('\n', to);
	print_table(s, r, n, to);
	fputc('\n', to);
	for (size_t i = 0; i < n; i++)
		print_verdict(&r[i], style.color, to);
	for (size_t i = 0; i < n; i++)
		if (r[i].at)
			provenance_text(r[i].gpu, &r[i].at->provenance, style.verbose, to);
}
