/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/question.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "report/run_report.h"

static void write_json(const struct question *q, const struct outcome *o, size_t n, FILE *to)
{
	struct json_write w;

	document_open(&w, to, "run", q->scenario->resolved, q->scenario->traffic.seed);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < n; i++)
		document_record(&w, &outcome_record, &o[i]);
	json_write_close(&w, ']');
	document_close(&w);
}

static void write_csv(const struct outcome *o, size_t n, FILE *to)
{
	record_csv_heading(&outcome_record, to);
	for (size_t i = 0; i < n; i++)
		record_csv_row(&outcome_record, &o[i], to);
}

static bool save(const struct options *o, const struct question *q, const struct outcome *out,
		 size_t n)
{
	struct artefact a;

	if (o->csv) {
		if (!artefact_open(&a, NULL, o->csv))
			return false;
		write_csv(out, n, a.file);
		if (!artefact_commit(&a))
			return false;
	}
	if (!o->out)
		return true;
	if (!artefact_open(&a, o->out, "result.json"))
		return false;
	write_json(q, out, n, a.file);
	if (!artefact_commit(&a) || !artefact_open(&a, o->out, "result.csv"))
		return false;
	write_csv(out, n, a.file);
	return artefact_commit(&a);
}

static int answer(const struct options *o, const struct question *q, const struct outcome *out,
		  size_t n)
{
	bool no = false;

	for (size_t i = 0; i < n; i++)
		no |= out[i].verdict != VERDICT_OK;
	if (!save(o, q, out, n))
		return EXIT_MACHINE;
	if (o->json)
		write_json(q, out, n, stdout);
	else
		run_report_print(q->scenario, out, n, question_style(o), stdout);
	return no && o->strict ? EXIT_NO : EXIT_ANSWERED;
}

int cmd_run(const struct options *o)
{
	struct question q;
	struct diag d;
	int status;

	diag_init(&d);
	if (!question_ask(&q, o, NULL, 5, &d)) {
		status = options_fail(o, &d);
		question_free(&q);
		return status;
	}
	size_t n = q.scenario->candidates;
	struct outcome *out = xcalloc(n, sizeof *out);
	struct progress p;
	bool fine = true;
	progress_init(&p, "simulating", n, o->quiet);
	for (size_t i = 0; i < n && fine; i++) {
		fine = evaluate(&q.setup, i, &out[i], &d);
		progress_step(&p, i + 1);
	}
	progress_end(&p);
	status = fine ? answer(o, &q, out, n) : options_fail(o, &d);
	for (size_t i = 0; i < n; i++)
		outcome_free(&out[i]);
	free(out);
	question_free(&q);
	return status;
}
