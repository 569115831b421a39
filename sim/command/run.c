/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/progress.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/output.h"
#include "command/question.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "report/run_report.h"
#include "study/run_data.h"

/* What was asked and what came of it, a result a GPU. */
struct answer {
	const struct question *question;
	struct outcome *outcome;
	size_t n;
};

/* The outcome with what pictures need behind it. */
static void write_data(struct json_write *w, const struct outcome *o)
{
	cJSON *tree = record_to_json(&outcome_record, o);
	cJSON *data = o->data ? record_to_json(&run_data_record, o->data) : NULL;

	while (data && data->child) {
		cJSON *part = cJSON_DetachItemViaPointer(data, data->child);

		cJSON_AddItemToObject(tree, part->string, part);
	}
	json_write_tree(w, tree);
	cJSON_Delete(data);
	cJSON_Delete(tree);
}

static void write_json(const void *what, FILE *to)
{
	const struct answer *a = what;
	const struct scenario *s = a->question->scenario;
	struct json_write w;

	document_open(&w, to, "run", s->resolved, s->traffic.seed);
	document_list(&w, "results", &outcome_record, a->outcome, a->n);
	document_close(&w);
}

static void write_result(const void *what, FILE *to)
{
	const struct answer *a = what;
	const struct scenario *s = a->question->scenario;
	struct json_write w;

	document_open(&w, to, "run", s->resolved, s->traffic.seed);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < a->n; i++)
		write_data(&w, &a->outcome[i]);
	json_write_close(&w, ']');
	document_close(&w);
}

static void write_csv(const void *what, FILE *to)
{
	const struct answer *a = what;

	record_csv_table(&outcome_record, a->outcome, a->n, to);
}

static void print(const void *what, struct run_report_style style, FILE *to)
{
	const struct answer *a = what;

	run_report_print(a->question->scenario, a->outcome, a->n, style, to);
}

static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	struct output out = {.answer = a,
			     .print = print,
			     .write_json = write_json,
			     .write_csv = write_csv,
			     .write_result = write_result};

	for (size_t i = 0; i < a->n; i++)
		out.no |= a->outcome[i].verdict != VERDICT_OK;
	return output_give(&out, o, d);
}

static int evaluate_all(const struct options *o, const struct question *q, struct diag *d)
{
	size_t n = q->scenario->candidates;
	struct answer a = {.question = q, .outcome = xcalloc(n, sizeof *a.outcome), .n = n};
	struct progress p;
	bool fine = true;

	progress_init(&p, "simulating", n, o->quiet);
	for (size_t i = 0; i < n && fine; i++) {
		fine = evaluate(&q->setup, i, &a.outcome[i], d);
		progress_step(&p, i + 1);
	}
	progress_end(&p);
	int status = fine ? give(o, &a, d) : options_fail(o, d);
	for (size_t i = 0; i < n; i++)
		outcome_free(&a.outcome[i]);
	free(a.outcome);
	return status;
}

int cmd_run(const struct options *o)
{
	struct question q;
	struct diag d;
	int status;

	diag_init(&d);
	if (!question_ask(&q, o, NULL, 5, &d))
		status = options_fail(o, &d);
	else if (!artefact_check(o, &d))
		status = options_fail_machine(o, &d);
	else {
		q.setup.keep_data = o->out != NULL;
		q.setup.constants = true;
		status = evaluate_all(o, &q, &d);
	}
	question_free(&q);
	return status;
}
