/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/provenance.h"

#include <stdlib.h>

#include "base/count.h"
#include "base/xmalloc.h"

static void add(struct record_list *list, const char *name, const struct figure *f)
{
	if (isnan(f->value) || f->origin == ORIGIN_GIVEN || f->origin == ORIGIN_DATASHEET)
		return;
	list->size = sizeof(char *);
	list->data = xrealloc(list->data, (list->count + 1) * sizeof(char *));
	((char **)list->data)[list->count++] =
		f->source != NULL
			? xasprintf("%s: %s (%s)", name, origin_names[f->origin], f->source)
			: xasprintf("%s: %s", name, origin_names[f->origin]);
}

/* The links of a group: the engine's own where it has some. */
static void add_links(struct record_list *list, const struct engine_cost *e, const struct gpu *g,
		      int tp)
{
	const struct figure_tp *busbw =
		isnan(figure_by_tp(&e->link_busbw, tp)) ? &g->link_busbw : &e->link_busbw;
	const struct figure_tp *lat =
		isnan(figure_by_tp(&e->link_lat, tp)) ? &g->link_lat : &e->link_lat;

	static const struct figure shared = {
		.value = 1, .origin = ORIGIN_ASSUMED, .source = "a share of PCIe, as an L40S"};

	if (tp < 2)
		return;
	if (isnan(figure_by_tp(busbw, tp)))
		add(list, "link_busbw_gbs", &shared);
	add(list, "link_busbw_gbs", tp == 2 ? &busbw->at2 : tp <= 4 ? &busbw->at4 : &busbw->at8);
	add(list, "link_lat_us", tp == 2 ? &lat->at2 : tp <= 4 ? &lat->at4 : &lat->at8);
}

void provenance_list(struct record_list *list, const struct engine *engine, const struct gpu *g,
		     const struct unit *u)
{
	const struct engine_cost *e = &engine->cost;
	const struct {
		const char *name;
		const struct figure *figure;
	} used[] = {
		{"mfu", gpu_mfu(g, u->precision.linear)},
		{"mbu", &g->mbu},
		{"amfu", &g->amfu},
		{"ambu", &g->ambu},
		{"p", &g->p},
		{"bandwidth_gbs", &g->bandwidth},
		{"memory_gb", &g->memory},
		{"tdp_w", &g->tdp_w},
		{"idle_w", &g->idle_w},
		{"layer_us", &e->layer},
		{"step_us", &e->step},
		{"request_us", &e->request},
		{"frontend_ms", &e->frontend},
		{"launch_us", &e->launch},
		{"host_seq_us", &e->host_seq},
		{"host_factor", &e->host_factor},
		{"gpu_memory_utilization", &e->gpu_memory_utilization},
		{"reserve_gb", &e->reserve},
	};

	*list = (struct record_list){.count = 0};
	for (size_t i = 0; i < COUNT(used); i++)
		add(list, used[i].name, used[i].figure);
	add_links(list, e, g, u->tp);
}

void provenance_free(struct record_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(((char **)list->data)[i]);
	free(list->data);
	*list = (struct record_list){.count = 0};
}
