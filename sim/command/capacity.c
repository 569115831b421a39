/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/picture.h"
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
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < a->n; i++)
		document_record(&w, &capacity_result_record, &a->result[i]);
	json_write_close(&w, ']');
	document_close(&w);
}

static void write_csv(const void *what, FILE *to)
{
	const struct answer *a = what;

	record_csv_heading(&capacity_result_record, to);
	for (size_t i = 0; i < a->n; i++)
		record_csv_row(&capacity_result_record, &a->result[i], to);
}

static bool save(const struct options *o, const struct answer *a, struct diag *d)
{
	if (o->csv && !artefact_write(NULL, o->csv, write_csv, a, d))
		return false;
	return !o->out ||
	       (artefact_write(o->out, "result.json", write_json, a, d) &&
		artefact_write(o->out, "result.csv", write_csv, a, d) && picture_save(o, d));
}

/* Files first: with --json an error is the only document. */
static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	bool saved = save(o, a, d), no = false;

	for (size_t i = 0; i < a->n; i++)
		no |= a->result[i].verdict != VERDICT_OK;
	if (!o->json)
		capacity_report_print(a->question->scenario, a->result, a->n, question_style(o),
				      stdout);
	else if (saved)
		write_json(a, stdout);
	if (!saved)
		return options_fail_machine(o, d);
	return no && o->strict ? EXIT_NO : EXIT_ANSWERED;
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
	else
		status = search(o, &q, &d);
	question_free(&q);
	return status;
}
