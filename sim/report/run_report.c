/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/run_report.h"

#include <string.h>

#include "base/bug.h"
#include "base/count.h"
#include "report/scenario_text.h"
#include "base/number.h"
#include "report/table.h"

/* A column of the table: a field of outcome_record by its path. */
static const struct column {
	const char *heading, *path;
	int digits;
} columns[] = {
	{"GPUs", "gpus_total", 0},
	{"TTFT p50\nms", "latency.ttft_ms.p50", 4},
	{"TTFT p99\nms", "latency.ttft_ms.p99", 4},
	{"TPOT p50\nms", "latency.tpot_ms.p50", 3},
	{"TPOT p99\nms", "latency.tpot_ms.p99", 3},
	{"out tok/s", "throughput.output_tokens_per_s", 4},
	{"saturates\nreq/s", "throughput.saturated_rps", 3},
	{"busy", "utilization.busy", 2},
	{"batch", "utilization.batch_mean", 3},
	{"KV max", "utilization.kv_max", 2},
	{"$/h", "cost.usd_per_hour", 4},
	{"$ per 1k\nrequests", "cost.usd_per_1k_requests", 3},
	{"$ per 1M\nout tok", "cost.usd_per_1m_output_tokens", 3},
	{"J per\nrequest", "energy.joules_per_request", 3},
};
#define COLUMNS COUNT(columns)

static double field_value(const struct outcome *o, const char *path)
{
	struct diag d;
	void *object = (void *)o;
	const struct field *f;

	diag_init(&d);
	f = record_find(&outcome_record, &object, path, &d);
	if (!f)
		BUG("no field %s in a result: %s", path, d.message);
	const char *at = (const char *)object + f->offset;
	if (f->kind == FIELD_INT)
		return *(const int64_t *)at == RECORD_INT_UNSET ? (double)NAN
								: (double)*(const int64_t *)at;
	return *(const double *)at / (f->scale != 0 ? f->scale : 1);
}

/* `endless`: arrivals go on, so that an overloaded queue has no TTFT, only one that grows. */
static void fill_row(struct table *t, const struct outcome *o, bool endless)
{
	bool grows = endless && o->verdict == VERDICT_OVERLOADED;

	table_text(t, o->gpu);
	table_text(t, verdict_names[o->verdict]);
	for (size_t c = 0; c < COLUMNS; c++)
		if (grows && !strncmp(columns[c].path, "latency.ttft", 12))
			table_right(t, "grows");
		else
			table_number(t, field_value(o, columns[c].path), columns[c].digits);
	table_text(t, bound_names[o->bound]);
}

static void print_table(const struct outcome *o, size_t n, bool endless, FILE *to)
{
	struct table t;

	table_init(&t, COLUMNS + 3);
	table_text(&t, "GPU");
	table_text(&t, "verdict");
	for (size_t c = 0; c < COLUMNS; c++)
		table_text(&t, columns[c].heading);
	table_text(&t, "bound by");
	for (size_t i = 0; i < n; i++)
		fill_row(&t, &o[i], endless);
	table_print(&t, to);
	table_free(&t);
}

static void print_verdict(const struct outcome *o, bool color, FILE *to)
{
	if (o->verdict != VERDICT_OK)
		fprintf(to, "%s%s: %s%s: %s\n", color ? "\033[31m" : "", o->gpu,
			verdict_names[o->verdict], color ? "\033[0m" : "", o->reason);
	if (o->notes[0])
		fprintf(to, "%s: %s\n", o->gpu, o->notes);
	if (isnan(o->rental.usd_per_hour) && o->rental.reason[0])
		fprintf(to, "%s: no price: %s\n", o->gpu, o->rental.reason);
}

/* The cheapest GPU that holds, in a sentence. */
static void print_advice(const struct outcome *o, size_t n, bool color, FILE *to)
{
	const struct outcome *best = NULL;
	char thousand[48], hour[48];

	for (size_t i = 0; i < n; i++)
		if (o[i].verdict == VERDICT_OK && !isnan(o[i].usd_per_1k_requests) &&
		    (!best || o[i].usd_per_1k_requests < best->usd_per_1k_requests))
			best = &o[i];
	if (!best || n < 2)
		return;
	number_text(thousand, best->usd_per_1k_requests, 3);
	number_text(hour, best->rental.usd_per_hour, 4);
	fprintf(to, "%scheapest that holds: %s%s, $%s per 1,000 requests ($%s/h",
		color ? "\033[32m" : "", best->gpu, color ? "\033[0m" : "", thousand, hour);
	if (best->rental.price.provider)
		fprintf(to, ", %s %s", best->rental.price.provider, best->rental.price.region);
	if (best->rental.price.instance)
		fprintf(to, ", %s, seen %s", best->rental.price.instance, best->rental.price.date);
	fputs(")\n", to);
}

static void print_provenance(const struct outcome *o, FILE *to)
{
	char *const *line = o->provenance.data;

	fprintf(to, "\n%s rests on\n", o->gpu);
	for (size_t i = 0; i < o->provenance.count; i++)
		fprintf(to, "  %s\n", line[i]);
}

void run_report_print(const struct scenario *s, const struct outcome *o, size_t n,
		      struct run_report_style style, FILE *to)
{
	scenario_text_print(s, to);
	fputc('\n', to);
	print_table(o, n, !traffic_is_terminating(&s->traffic), to);
	fputc('\n', to);
	for (size_t i = 0; i < n; i++)
		print_verdict(&o[i], style.color, to);
	print_advice(o, n, style.color, to);
	for (size_t i = 0; style.verbose && i < n; i++)
		print_provenance(&o[i], to);
}
