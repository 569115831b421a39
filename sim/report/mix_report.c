/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/mix_report.h"

#include <string.h>

#include "base/count.h"
#include "base/number.h"
#include "report/price_text.h"
#include "report/provenance_text.h"
#include "report/scenario_text.h"
#include "report/table.h"

#define TEXT 128

/* The cheapest fleet of one kind that holds the load; NULL: none does. */
static const struct mix_fleet *cheapest_alone(const struct mix *m)
{
	const struct mix_fleet *best = NULL;

	for (size_t i = 0; i < m->candidates; i++)
		if (m->alone[i].verdict == VERDICT_OK &&
		    (!best || m->alone[i].usd_per_hour < best->usd_per_hour))
			best = &m->alone[i];
	return best;
}

static void print_saving(const struct mix *m, FILE *to)
{
	const struct mix_fleet *alone = cheapest_alone(m);
	char hour[NUMBER_TEXT], part[NUMBER_TEXT];

	if (!alone) {
		fputs("; no fleet of one kind does", to);
		return;
	}
	number_text(hour, alone->usd_per_hour, 4);
	number_text(part, 100 * (1 - m->best.usd_per_hour / alone->usd_per_hour), 2);
	if (m->best.pools.count == 1)
		fputs("; no mix that was tried is cheaper", to);
	else
		fprintf(to, ", %s %% below the cheapest fleet of one kind (%s, $%s/h)", part,
			alone->fleet, hour);
}

static void print_answer(const struct scenario *s, const struct mix *m, bool color, FILE *to)
{
	const struct mix_fleet *f = &m->best;
	char rate[NUMBER_TEXT], hour[NUMBER_TEXT], thousand[NUMBER_TEXT];

	number_text(rate, s->facts.rate_rps, 3);
	if (f->verdict != VERDICT_OK) {
		fprintf(to, "%scannot%s: %s\n", color ? "\033[31m" : "", color ? "\033[0m" : "",
			f->reason);
		return;
	}
	number_text(hour, f->usd_per_hour, 4);
	number_text(thousand, f->usd_per_1k_requests, 3);
	fprintf(to, "%s%s%s hold%s %s requests/s at $%s/h ($%s per 1,000 requests)",
		color ? "\033[32m" : "", f->fleet, color ? "\033[0m" : "",
		f->gpus_total == 1 ? "s" : "", rate, hour, thousand);
	print_saving(m, to);
	fputc('\n', to);
	fprintf(to, "  router: %s", f->router);
	if (f->nearest[0])
		fprintf(to, "; %s", f->nearest);
	fputc('\n', to);
	if (!f->certain)
		fputs("  not certain: the limit is too near for a 95 % interval that decides\n",
		      to);
	if (f->search && !f->search->proven)
		fputs("  the search ended before everything cheaper was tried: a cheaper mix may "
		      "hold\n",
		      to);
}

static void add_row(struct table *t, const char *name, const struct mix_fleet *f)
{
	table_text(t, name);
	table_text(t, verdict_names[f->verdict]);
	table_text(t, f->fleet[0] ? f->fleet : NULL);
	table_number(t, f->usd_per_hour, 4);
	table_number(t, f->usd_per_1k_requests, 3);
	table_text(t, f->router);
	table_number(t, f->load, 2);
}

static void print_fleets(const struct mix *m, FILE *to)
{
	static const char *const heading[] = {
		"fleet",  "verdict",	     "GPUs", "$/h", "$ per 1k\nrequests",
		"router", "load by\nclasses"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	add_row(&t, "mix", &m->best);
	for (size_t i = 0; i < m->candidates; i++)
		add_row(&t, m->alone[i].gpu, &m->alone[i]);
	table_print(&t, to);
	table_free(&t);
}

/* The classes of prompts: where each goes, if the router knows of them, and what a unit holds of
 * it alone. */
static void print_classes(const struct mix_fleet *f, FILE *to)
{
	const struct mix_pool *p = f->pools.data;
	const struct mix_class *c = f->classes.data;
	bool routed = f->pools.count > 1 && !strcmp(f->router, "length-aware");
	char text[TEXT];
	struct table t;

	table_init(&t, 3 + (routed ? 2 : 1) * f->pools.count);
	table_text(&t, "prompts of");
	table_text(&t, "% of\nrequests");
	table_text(&t, "req/s");
	for (size_t i = 0; i < f->pools.count; i++) {
		snprintf(text, sizeof text, "%% to\n%s", p[i].gpu);
		if (routed)
			table_text(&t, text);
		snprintf(text, sizeof text, "req/s a unit\nof %s", p[i].gpu);
		table_text(&t, text);
	}
	for (size_t k = 0; k < f->classes.count; k++) {
		const double *fraction = c[k].fractions.data, *each = c[k].max_rps_each.data;

		if (k + 1 < f->classes.count)
			snprintf(text, sizeof text, "%lld to %lld", (long long)c[k].input_min,
				 (long long)c[k].input_max);
		else
			snprintf(text, sizeof text, "%lld and more", (long long)c[k].input_min);
		table_text(&t, text);
		table_number(&t, 100 * c[k].share, 3);
		table_number(&t, c[k].rate_rps, 4);
		for (size_t i = 0; i < f->pools.count; i++) {
			if (routed)
				table_number(&t, 100 * fraction[i], 3);
			table_number(&t, each[i] > 0 ? each[i] : (double)NAN, 4);
		}
	}
	table_print(&t, to);
	table_free(&t);
}

static void print_price(const struct mix_pool *p, FILE *to)
{
	fprintf(to, "  %lld %s: ", (long long)p->count, p->gpu);
	price_text_print(&p->rental, to);
	price_text_whole(&p->rental, p->count, to);
	fputc('\n', to);
}

void mix_report_print(const struct scenario *s, const struct mix *m, struct run_report_style style,
		      FILE *to)
{
	const struct mix_pool *p = m->best.pools.data;

	scenario_text_print(s, to);
	fputc('\n', to);
	print_answer(s, m, style.color, to);
	fputc('\n', to);
	print_fleets(m, to);
	if (m->best.classes.count > 0) {
		fputc('\n', to);
		print_classes(&m->best, to);
	}
	fputc('\n', to);
	for (size_t i = 0; i < m->candidates; i++)
		if (m->alone[i].verdict != VERDICT_OK)
			fprintf(to, "%s by itself: %s\n", m->alone[i].gpu, m->alone[i].reason);
	if (m->best.pools.count > 0)
		fputs("prices\n", to);
	for (size_t i = 0; i < m->best.pools.count; i++)
		print_price(&p[i], to);
	for (size_t i = 0; i < m->best.pools.count; i++)
		provenance_text(p[i].gpu, &p[i].provenance, style.verbose, to);
}
