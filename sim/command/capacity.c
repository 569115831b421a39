/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/output.h"
#include "command/question.h"
#include "report/capacity_report.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "study/needs_rate.h"

/* What was asked and what came of it, a result a GPU. */
struct answer {
	const struct question *question;
	struct capacity_result *result;
	struct diag *failed; /* a diag a GPU: set if it failed */
	size_t n;
	struct progress progress;
};

static void write_json(const void *what, FILE *to)
{
	const struct answer *a = what;
	const struct scenario *s = a->question->scenario;
	struct json_write w;

	document_open(&w, to, "capacity", s->resolved, s->traffic.seed);
	document_list(&w, "results", &capacity_result_record, a->result, a->n);
	document_close(&w);
}

static void write_csv(const void *what, FILE *to)
{
	const struct answer *a = what;

	record_csv_table(&capacity_result_record, a->result, a->n, to);
}

static void print(const void *what, struct run_report_style style, FILE *to)
{
	const struct answer *a = what;

	capacity_report_print(a->question->scenario, a->result, a->n, style, to);
}

static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	struct output out = {
		.answer = a, .print = print, .write_json = write_json, .write_csv = write_csv};

	for (size_t i = 0; i < a->n; i++)
		out.no |= a->result[i].verdict != VERDICT_OK;
	return output_give(&out, o, d);
}

/* The candidates side by side; processors that are left over share the runs of one. */
static void find_one(size_t i, void *arg)
{
	struct answer *a = arg;
	struct evaluate_setup setup = a->question->setup;
	setup.jobs = parallel_inner(a->n, setup.jobs);
	capacity_result_find(&a->result[i], &setup, i, &a->failed[i]);
}

static void step(size_t count, void *arg)
{
	struct answer *a = arg;

	progress_step(&a->progress, count);
}

static bool find_all(struct answer *a, bool quiet, struct diag *d)
{
	bool fine = true;

	for (size_t i = 0; i < a->n; i++)
		diag_init(&a->failed[i]);
	progress_init(&a->progress, "searching", a->n, quiet);
	parallel_for(a->n, a->question->setup.jobs, find_one, step, a);
	progress_end(&a->progress);
	for (size_t i = 0; i < a->n && fine; i++) {
		fine = !a->failed[i].set;
		if (!fine)
			*d = a->failed[i];
	}
	return fine;
}

static int search(const struct options *o, const struct question *q, struct diag *d)
{
	size_t n = q->scenario->candidates;
	struct answer a = {.question = q,
			   .result = xcalloc(n, sizeof *a.result),
			   .failed = xcalloc(n, sizeof *a.failed),
			   .n = n};
	int status = find_all(&a, o->quiet, d) ? give(o, &a, d) : options_fail(o, d);

	for (size_t i = 0; i < n; i++)
		capacity_result_free(&a.result[i]);
	free(a.result);
	free(a.failed);
	return status;
}

int cmd_capacity(const struct options *o)
{
	struct question q;
	struct diag d;
	int status;

	diag_init(&d);
	if (!question_ask(&q, o, NULL, 5, &d) ||
	    !needs_rate(q.scenario, "capacity searches a rate", &d))
		status = options_fail(o, &d);
	else if (!artefact_check(o, &d))
		status = options_fail_machine(o, &d);
	else {
		q.setup.constants = true;
		status = search(o, &q, &d);
	}
	question_free(&q);
	return status;
}
