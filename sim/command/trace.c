/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/artefact.h"
#include "command/command.h"
#include "report/document.h"
#include "report/trace_table.h"
#include "traffic/trace_format.h"

static void write_json(const struct trace_report *t, FILE *to)
{
	cJSON *tree = record_to_json(&trace_report_record, t);
	struct json_write w;

	document_open(&w, to, "trace", NULL, RECORD_INT_UNSET);
	for (const cJSON *item = tree->child; item; item = item->next) {
		json_write_key(&w, item->string);
		json_write_tree(&w, item);
	}
	document_close(&w);
	cJSON_Delete(tree);
}

static void answer(const struct options *o, const struct trace_report *t)
{
	if (o->json)
		write_json(t, stdout);
	else
		trace_table_print(t, o->operand, stdout);
}

/* The target's format by its extension; false with d filled. */
static bool find_target(const struct options *o, const struct trace_format **as, struct diag *d)
{
	*as = NULL;
	if (!o->to.count)
		return true;
	if (o->to.count > 1)
		return diag_fail(d, "--to is given %zu times: a trace is converted to one file",
				 o->to.count);
	*as = trace_format_by_extension(o->to.value[0]);
	if (*as)
		return true;
	diag_at(d, o->to.value[0], 0, 0);
	return diag_fail(d, "the name must end in .csv (vidur's columns) or .jsonl (mooncake's "
			    "keys)");
}

/* Describes and converts in one pass; the target appears only when all went well. */
static int convert(const struct options *o, const struct trace_format *as, struct diag *d)
{
	struct trace_report t;
	struct artefact a;
	int status = EXIT_ANSWERED;

	if (!artefact_open(&a, NULL, o->to.value[0], d))
		return options_fail_machine(o, d);
	if (!trace_report_read(&t, o->operand, a.file, as, d)) {
		artefact_drop(&a);
		return options_fail(o, d);
	}
	if (artefact_commit(&a, d))
		answer(o, &t);
	else
		status = options_fail_machine(o, d);
	trace_report_free(&t);
	return status;
}

int cmd_trace(const struct options *o)
{
	const struct trace_format *as;
	struct trace_report t;
	struct diag d;

	diag_init(&d);
	if (!find_target(o, &as, &d))
		return options_fail(o, &d);
	if (as)
		return convert(o, as, &d);
	if (!trace_report_read(&t, o->operand, NULL, NULL, &d))
		return options_fail(o, &d);
	answer(o, &t);
	trace_report_free(&t);
	return EXIT_ANSWERED;
}
