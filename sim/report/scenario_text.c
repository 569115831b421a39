/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/scenario_text.h"

#include <string.h>

#include "base/number.h"
#include "report/table.h"
#include "study/load.h"

/* A text of the resolved scenario by its path, "" if absent. */
static const char *resolved_text(const cJSON *tree, const char *path)
{
	while (tree && path) {
		char key[64];
		size_t length = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)length, path);
		tree = cJSON_GetObjectItemCaseSensitive(tree, key);
		path = path[length] ? path + length + 1 : NULL;
	}
	const char *text = cJSON_GetStringValue(tree);
	return text ? text : "";
}

static void print_traffic(const struct scenario *s, FILE *to)
{
	const struct traffic *t = &s->traffic;
	const struct traffic_facts *facts = &s->facts;
	int64_t used = load_plan_requests(s, 1);
	char rate[NUMBER_TEXT], input[NUMBER_TEXT], output[NUMBER_TEXT];
	char requests[NUMBER_TEXT], all[NUMBER_TEXT];

	number_plain(rate, facts->rate_rps);
	number_text(input, facts->input_mean, 4);
	number_text(output, facts->output_mean, 4);
	number_text(requests, (double)used, 0);
	number_text(all, (double)facts->requests, 0);
	if (t->trace && used < facts->requests)
		fprintf(to, "traffic: the first %s of %s requests of %s (%s)", requests, all,
			t->trace, facts->format);
	else if (t->trace)
		fprintf(to, "traffic: %s requests of %s (%s)", requests, t->trace, facts->format);
	else
		fprintf(to, "traffic: %s", resolved_text(s->resolved, "traffic.arrivals.process"));
	if (!isnan(facts->rate_rps))
		fprintf(to, ", %s requests/s", rate);
	if (!isnan(t->arrivals.cv))
		fprintf(to, ", cv %.3g", t->arrivals.cv);
	if (!isnan(t->arrivals.on_s))
		fprintf(to, ", on %.4g s, off %.4g s", t->arrivals.on_s, t->arrivals.off_s);
	if (traffic_is_closed(t))
		fprintf(to, ", %lld clients", (long long)t->arrivals.concurrency);
	fprintf(to, ", %s tokens in and %s out on average\n", input, output);
	if (facts->skipped > 0)
		fprintf(to, "         %lld rows could not be used, the first in line %ld: %s\n",
			(long long)facts->skipped, facts->skipped_line, facts->skipped_reason);
}

static void print_limits(const struct slo *slo, FILE *to)
{
	const char *between = "SLO:     ";

	if (!slo_is_set(slo))
		return;
	for (int m = 0; m < SLO_METRICS; m++)
		for (int k = 0; k < SLO_STATISTICS; k++) {
			char limit[48];
			if (isnan(slo->limit_s[m][k]))
				continue;
			number_plain(limit, slo->limit_s[m][k] * 1e3);
			fprintf(to, "%s%s %s <= %s", between, slo_metric_names[m],
				slo_statistic_names[k], limit);
			between = ", ";
		}
	if (!isnan(slo->attainment))
		fprintf(to, ", together met by %g %% of requests", slo->attainment * 100);
	fputc('\n', to);
}

void scenario_text_print(const struct scenario *s, FILE *to)
{
	const struct deployment *p = &s->deployment;

	if (s->name)
		fprintf(to, "%s\n", s->name);
	fprintf(to, "model:   %s on %s", s->model.id, s->engine.id);
	if (s->pools)
		fprintf(to, ", pools behind %s", resolved_text(s->resolved, "deployment.router"));
	if (p->replicas > 1)
		fprintf(to, ", %lld replicas behind %s", (long long)p->replicas,
			resolved_text(s->resolved, "deployment.router"));
	if (p->tensor_parallel > 1)
		fprintf(to, ", tensor parallel %lld", (long long)p->tensor_parallel);
	fputc('\n', to);
	print_traffic(s, to);
	print_limits(&s->slo, to);
}
