/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/pool_table.h"

#include "base/count.h"
#include "report/table.h"

static void fill_row(struct table *t, const struct outcome_pool *p)
{
	table_text(t, p->gpu);
	table_number(t, (double)p->replicas, 0);
	table_number(t, (double)p->tensor_parallel, 0);
	table_number(t, p->share, 3);
	table_number(t, p->use.busy, 2);
	table_number(t, p->use.batch_mean, 3);
	table_number(t, p->use.kv_max, 2);
	table_number(t, p->watts, 3);
	table_text(t, bound_names[p->use.bound]);
}

void pool_table_print(const struct outcome *o, FILE *to)
{
	static const char *const heading[] = {"pool",	 "units", "TP",	    "share of\nrequests",
					      "busy",	 "batch", "KV max", "W",
					      "bound by"};
	const struct outcome_pool *pool = o->pools.data;
	struct table t;

	if (!o->pools.count)
		return;
	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < o->pools.count; i++)
		fill_row(&t, &pool[i]);
	table_print(&t, to);
	table_free(&t);
	fputc('\n', to);
}
