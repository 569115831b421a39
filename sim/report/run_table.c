/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/run_table.h"

#include <string.h>

#include "base/count.h"
#include "report/column.h"

static const struct column behind[] = {
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

#define COLUMNS_MAX (1 + COLUMN_LATENCIES_MAX + COUNT(behind))

struct columns {
	struct column column[COLUMNS_MAX];
	size_t n;
};

static void choose_columns(struct columns *c, const struct slo *slo)
{
	c->column[0] = (struct column){"GPUs", "gpus_total", 0};
	c->n = 1 + column_latencies(c->column + 1, slo, true);
	for (size_t i = 0; i < COUNT(behind); i++)
		c->column[c->n++] = behind[i];
}

static void fill_row(struct table *t, const struct scenario *s, const struct columns *c,
		     const struct outcome *o)
{
	table_text(t, o->gpu);
	table_text(t, verdict_names[o->verdict]);
	for (size_t i = 0; i < c->n; i++)
		if (column_grows(&c->column[i], s, o))
			table_right(t, "grows");
		else
			table_number(t, column_value(&c->column[i], &outcome_record, o),
				     c->column[i].digits);
	table_text(t, bound_names[o->use.bound]);
}

void run_table_print(const struct scenario *s, const struct outcome *o, size_t n, FILE *to)
{
	struct columns c;
	struct table t;

	choose_columns(&c, &s->slo);
	table_init(&t, c.n + 3);
	table_text(&t, "GPU");
	table_text(&t, "verdict");
	for (size_t i = 0; i < c.n; i++)
		table_text(&t, c.column[i].heading);
	table_text(&t, "bound by");
	for (size_t i = 0; i < n; i++)
		fill_row(&t, s, &c, &o[i]);
	table_print(&t, to);
	table_free(&t);
}
