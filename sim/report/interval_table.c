/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/interval_table.h"

#include "base/count.h"
#include "base/number.h"
#include "report/table.h"
#include "study/run_constants.h"

static void add_ms(struct table *t, struct interval v)
{
	table_interval(t, (struct interval){1e3 * v.low, 1e3 * v.high}, 3);
}

static void add_row(struct table *t, const struct outcome *o)
{
	const struct run_constants *c = o->interval_constants;

	table_text(t, o->gpu);
	if (o->verdict == VERDICT_OVERLOADED) {
		table_right(t, "grows");
		table_right(t, "grows");
	} else {
		add_ms(t, o->ttft_p99);
		add_ms(t, c->ttft_p99);
	}
	add_ms(t, o->tpot_p99);
	add_ms(t, c->tpot_p99);
	table_interval(t, o->throughput, 3);
	table_interval(t, c->throughput, 3);
	table_text(t, c->largest[0] ? c->largest : NULL);
}

static bool holds(struct interval v, double limit)
{
	return v.low <= limit && limit < v.high;
}

static void print_limit(const struct outcome *o, int metric, struct interval v, double limit_s,
			FILE *to)
{
	char limit[NUMBER_TEXT];

	if (!holds(v, limit_s))
		return;
	number_plain(limit, limit_s * 1e3);
	fprintf(to,
		"%s: within what is known of the constants %s p99 may lie on either side of %s ms",
		o->gpu, slo_metric_names[metric], limit);
	interval_table_largest(o->interval_constants->largest, to);
	fputc('\n', to);
}

void interval_table_largest(const char *name, FILE *to)
{
	if (name[0])
		fprintf(to, ", mostly by %s", name);
}

static void print_limits(const struct scenario *s, const struct outcome *o, FILE *to)
{
	const struct run_constants *c = o->interval_constants;

	print_limit(o, SLO_TTFT, c->ttft_p99, s->slo.limit_s[SLO_TTFT][SLO_P99], to);
	print_limit(o, SLO_TPOT, c->tpot_p99, s->slo.limit_s[SLO_TPOT][SLO_P99], to);
}

void interval_table_print(const struct scenario *s, const struct outcome *o, size_t n, FILE *to)
{
	static const char *const heading[] = {"95 %\nintervals", "TTFT p99 ms\nby chance",
					      "\nby constants",	 "TPOT p99 ms\nby chance",
					      "\nby constants",	 "req/s\nby chance",
					      "\nby constants",	 "most by"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < n; i++)
		if (o[i].interval_constants)
			add_row(&t, &o[i]);
	if (t.rows > 1) {
		table_print(&t, to);
		fputc('\n', to);
	}
	table_free(&t);
	for (size_t i = 0; i < n; i++)
		if (o[i].interval_constants && o[i].verdict != VERDICT_OVERLOADED)
			print_limits(s, &o[i], to);
}
