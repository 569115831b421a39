/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "command/command.h"
#include "command/question.h"
#include "report/document.h"
#include "report/memory_report.h"

/* Every GPU of the catalogue, NULL-terminated; the ids belong to the catalogue. */
static const char **all_gpus(const struct catalog *c)
{
	size_t n = catalog_count(c, CATALOG_GPU);
	const char **gpus = xcalloc(n + 1, sizeof *gpus);

	for (size_t i = 0; i < n; i++)
		gpus[i] = catalog_id(c, CATALOG_GPU, i);
	return gpus;
}

/* A scenario around the model: lengths without a bound, so that the context is as long as the pool
 * allows. */
static struct scenario *read_around(const struct options *o, const char *const *gpus,
				    struct diag *d)
{
	struct scenario_options options;
	cJSON *model = cJSON_CreateString(o->operand);
	char *quoted = cJSON_PrintUnformatted(model);
	char *name = xasprintf("memory %s", o->operand);
	char *text = xasprintf(
		"{\"model\": %s, \"gpus\": [\"l4-24gb\"], \"traffic\": {\"arrivals\": "
		"{\"process\": \"closed\","
		" \"concurrency\": 1}, \"input\": {\"dist\": \"exponential\", \"mean\": 1024}, "
		"\"output\": {\"dist\": \"exponential\", \"mean\": 256}}}",
		quoted);

	options_scenario(o, &options);
	options.file = name;
	options.text = text;
	options.gpus = gpus;
	struct scenario *s = scenario_read(&options, d);
	free(name);
	free(text);
	cJSON_free(quoted);
	cJSON_Delete(model);
	return s;
}

static void write_json(const struct scenario *s, const struct unit *u, FILE *to)
{
	struct json_write w;

	document_open(&w, to, "memory", s->resolved, s->traffic.seed);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < s->candidates; i++)
		memory_report_json(s, &s->candidate[i], &u[i], &w);
	json_write_close(&w, ']');
	document_close(&w);
}

static int answer(const struct options *o, const struct scenario *s)
{
	struct unit *u = xcalloc(s->candidates, sizeof *u);
	bool no = false;

	for (size_t i = 0; i < s->candidates; i++) {
		unit_init(&u[i], s, &s->candidate[i], (int)s->deployment.tensor_parallel);
		no |= u[i].verdict != VERDICT_OK;
	}
	if (o->json)
		write_json(s, u, stdout);
	else if (!o->gpu.count)
		memory_report_table(s, u, stdout);
	for (size_t i = 0; i < s->candidates && o->gpu.count && !o->json; i++) {
		if (i)
			fputc('\n', stdout);
		memory_report_budget(s, &s->candidate[i], &u[i], stdout);
	}
	for (size_t i = 0; i < s->candidates; i++)
		unit_free(&u[i]);
	free(u);
	return no && o->strict ? EXIT_NO : EXIT_ANSWERED;
}

int cmd_memory(const struct options *o)
{
	struct diag d;
	int status;

	diag_init(&d);
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, &d);
	const char **all = c && !o->gpu.count ? all_gpus(c) : NULL;
	struct scenario *s = c ? read_around(o, all ? all : o->gpu.value, &d) : NULL;
	if (s)
		question_tell_ignored(o, s);
	status = s ? answer(o, s) : options_fail(o, &d);
	scenario_del(s);
	free(all);
	catalog_del(c);
	return status;
}
