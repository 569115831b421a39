/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated against measured, a panel a kind of figure, a mark an engine. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_kind.h"
#include "report/plot_value.h"

static bool is_middle(const char *metric)
{
	return text_ends(metric, ".p50") || text_ends(metric, ".mean");
}

static bool is_of(const char *metric, const char *group)
{
	return strncmp(metric, group, strlen(group)) == 0;
}

static bool is_ttft(const char *metric)
{
	return is_of(metric, "latency.ttft_ms") && is_middle(metric);
}

static bool is_tpot(const char *metric)
{
	return (is_of(metric, "latency.tpot_ms") || is_of(metric, "latency.itl_ms")) &&
	       is_middle(metric);
}

static bool is_e2e(const char *metric)
{
	return is_of(metric, "latency.e2e_ms") && is_middle(metric);
}

static bool is_tail(const char *metric)
{
	return is_of(metric, "latency.") && text_ends(metric, ".p99");
}

static bool is_tokens(const char *metric)
{
	return is_of(metric, "throughput.") && text_ends(metric, "tokens_per_s");
}

static const struct panel {
	const char *name;
	bool (*has)(const char *metric);
} panels[] = {{"ttft", is_ttft},
	      {"tpot", is_tpot},
	      {"e2e", is_e2e},
	      {"tail", is_tail},
	      {"tokens", is_tokens}};

/* The panel of a figure that is compared and was not fitted, or NULL. */
static const struct panel *panel_of(const cJSON *point)
{
	const char *metric = plot_text(point, "metric");

	if (!*metric || *plot_text(point, "left_out") || !strcmp(plot_text(point, "set"), "fit") ||
	    !(plot_real(point, "measured") > 0) || !(plot_real(point, "simulated") > 0))
		return NULL;
	for (size_t i = 0; i < COUNT(panels); i++)
		if (panels[i].has(metric))
			return &panels[i];
	return NULL;
}

static bool has(const cJSON *result)
{
	const cJSON *point;

	if (strcmp(plot_text(result, "command"), "validate") != 0)
		return false;
	cJSON_ArrayForEach(point, plot_at(result, "results")) if (panel_of(point)) return true;
	return false;
}

static void write_csv(const cJSON *result, FILE *to)
{
	struct plot_row row = {.to = to};
	struct record_list engines = {.size = sizeof(char *)};
	const cJSON *point;

	fputs("panel,series,engine,gpu,table,line,metric,load,measured,simulated\n", to);
	cJSON_ArrayForEach(point, plot_at(result, "results"))
	{
		const struct panel *panel = panel_of(point);
		const char *engine = plot_text(point, "engine");

		if (!panel)
			continue;
		plot_row_text(&row, panel->name);
		plot_row_real(&row, (double)plot_name(&engines, engine) + 1);
		plot_row_text(&row, engine);
		plot_row_text(&row, plot_text(point, "gpu"));
		plot_row_text(&row, plot_text(point, "table"));
		plot_row_real(&row, plot_real(point, "line"));
		plot_row_text(&row, plot_text(point, "metric"));
		plot_row_text(&row, plot_text(point, "load"));
		plot_row_real(&row, plot_real(point, "measured"));
		plot_row_real(&row, plot_real(point, "simulated"));
		plot_row_end(&row);
	}
	record_texts_free(&engines);
}

/* The least and the largest value of a panel, figures above 0.9 of saturation left out, or of these
 * if it has no others; low > high: it has none. */
struct range {
	double low, high;
};

static struct range range_of(const cJSON *result, const struct panel *panel, bool above)
{
	struct range r = {INFINITY, 0};
	const cJSON *point;

	cJSON_ArrayForEach(point, plot_at(result, "results"))
	{
		double x = plot_real(point, "measured"), y = plot_real(point, "simulated");

		if (panel_of(point) != panel ||
		    (!above && !strcmp(plot_text(point, "load"), "above 0.9")))
			continue;
		r.low = fmin(r.low, fmin(x, y));
		r.high = fmax(r.high, fmax(x, y));
	}
	return r;
}

static void write_panels(const cJSON *result, FILE *to)
{
	struct record_list drawn = {.size = sizeof(char *)};

	for (size_t i = 0; i < COUNT(panels); i++) {
		struct range r = range_of(result, &panels[i], false);
		char name[32];

		if (r.low > r.high)
			r = range_of(result, &panels[i], true);
		if (r.low > r.high)
			continue;
		record_texts_add(&drawn, xstrdup(panels[i].name));
		snprintf(name, sizeof name, "LOW_%s", panels[i].name);
		plot_head_real(to, name, r.low);
		snprintf(name, sizeof name, "HIGH_%s", panels[i].name);
		plot_head_real(to, name, r.high);
	}
	plot_head_texts(to, "PANEL", &drawn);
	plot_head_real(to, "ROWS", drawn.count < 3 ? 1 : 2);
	plot_head_real(to, "HIGH", drawn.count < 3 ? 400 : 720);
	record_texts_free(&drawn);
}

static void write_head(const cJSON *result, FILE *to)
{
	struct record_list engines = {.size = sizeof(char *)};
	const cJSON *point;

	cJSON_ArrayForEach(point, plot_at(result, "results")) if (panel_of(point))
		plot_name(&engines, plot_text(point, "engine"));
	plot_head_texts(to, "ENGINE", &engines);
	record_texts_free(&engines);
	write_panels(result, to);
}

const struct plot_kind plot_validation = {
	.name = "validation",
	.help = "simulated against measured figures, with bands of 10 %",
	.made_by = "validate --out DIR",
	.has = has,
	.write_csv = write_csv,
	.write_head = write_head,
};
