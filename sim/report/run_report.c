/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/run_report.h"

#include "base/number.h"
#include "report/interval_table.h"
#include "report/pool_table.h"
#include "report/price_text.h"
#include "report/provenance_text.h"
#include "report/run_table.h"
#include "report/scenario_text.h"

void run_report_notes(const struct outcome *o, FILE *to)
{
	if (o->notes[0])
		fprintf(to, "%s: %s\n", o->gpu, o->notes);
	if (isnan(o->rental.usd_per_hour) && o->rental.reason[0])
		fprintf(to, "%s: no price: %s\n", o->gpu, o->rental.reason);
	if (o->rental.rentable_count > o->gpus_total)
		fprintf(to, "%s: whole instances hold %lld GPUs, all of them paid for\n", o->gpu,
			(long long)o->rental.rentable_count);
}

static void print_verdict(const struct outcome *o, bool color, FILE *to)
{
	if (o->verdict != VERDICT_OK)
		fprintf(to, "%s%s: %s%s: %s\n", color ? "\033[31m" : "", o->gpu,
			verdict_names[o->verdict], color ? "\033[0m" : "", o->reason);
	if (!o->certain)
		fprintf(to,
			"%s: not certain: the run is too short, or the limit too near, for a 95 %% "
			"interval that decides\n",
			o->gpu);
	run_report_notes(o, to);
}

/* How much of the cost pays for capacity that the load leaves unused, if that is known. */
static void print_idle(const struct outcome *o, FILE *to)
{
	char floor[48];

	if (isnan(o->usd_per_1k_requests_idle))
		return;
	number_text(floor, o->usd_per_1k_requests_saturated, 3);
	fprintf(to, "  %.0f %% of that pays for idle capacity; saturated it would be $%s\n",
		100 * o->idle_share, floor);
}

/* What the cheapest GPU that holds costs, in a sentence. */
static void print_advice(const struct outcome *o, size_t n, bool color, FILE *to)
{
	const struct outcome *best = NULL;
	char thousand[NUMBER_TEXT];

	for (size_t i = 0; i < n; i++)
		if (o[i].verdict == VERDICT_OK && !isnan(o[i].usd_per_1k_requests) &&
		    (!best || o[i].usd_per_1k_requests < best->usd_per_1k_requests))
			best = &o[i];
	if (!best) {
		fputs(n > 1 ? "none of these holds the load at a known price\n" : "", to);
		return;
	}
	number_text(thousand, best->usd_per_1k_requests, 3);
	fprintf(to, "%s%s: %s%s, $%s per 1,000 requests at ", color ? "\033[32m" : "",
		n > 1 ? "cheapest that holds" : "holds", best->gpu, color ? "\033[0m" : "",
		thousand);
	price_text_print(&best->rental, to);
	fputs(best->certain ? "\n" : ", not certain\n", to);
	print_idle(best, to);
}

void run_report_print(const struct scenario *s, const struct outcome *o, size_t n,
		      struct run_report_style style, FILE *to)
{
	scenario_text_print(s, to);
	fputc('\n', to);
	run_table_print(s, o, n, to);
	fputc('\n', to);
	interval_table_print(s, o, n, to);
	for (size_t i = 0; i < n; i++)
		pool_table_print(&o[i], to);
	for (size_t i = 0; i < n; i++)
		print_verdict(&o[i], style.color, to);
	print_advice(o, n, style.color, to);
	for (size_t i = 0; i < n; i++)
		provenance_text(o[i].gpu, &o[i].provenance, style.verbose, to);
}
