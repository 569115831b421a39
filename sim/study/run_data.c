/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/run_data.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/xmalloc.h"

static const struct field run_data_fields[] = {
	{.key = "distribution",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct run_data, distribution),
	 .of = &distribution_record},
	{.key = "timeline",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct run_data, timeline),
	 .of = &timeline_record},
	{.key = "roofline",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct run_data, roofline),
	 .of = &roofline_use_record},
};

const struct record run_data_record = {.name = "run data",
				       .size = sizeof(struct run_data),
				       .fields = COUNT(run_data_fields),
				       .field = run_data_fields};

static void fill_rooflines(struct record_list *list, const struct load *l, const struct fleet *f)
{
	struct roofline_use *r = xcalloc(f->parts, sizeof *r);

	for (size_t i = 0; i < f->parts; i++)
		roofline_use_fill(&r[i], l, i, &f->part[i].unit->cost, f->part[i].candidate->shown);
	*list = (struct record_list){.count = f->parts, .size = sizeof *r, .data = r};
}

struct run_data *run_data_new(const struct load *l, const struct load_setup *setup, struct diag *d)
{
	struct run_data *data = xcalloc(1, sizeof *data);

	if (!timeline_fill(&data->timeline, l, setup, d)) {
		run_data_del(data);
		return NULL;
	}
	distribution_fill(&data->distribution, l);
	fill_rooflines(&data->roofline, l, setup->fleet);
	return data;
}

void run_data_del(struct run_data *data)
{
	if (!data)
		return;
	record_free(&run_data_record, data);
	free(data);
}
