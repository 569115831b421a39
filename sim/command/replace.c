/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/artefact.h"
#include "command/command.h"
#include "command/output.h"
#include "command/question.h"
#include "command/sides.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "report/replace_report.h"

static bool ask(struct question *q, struct sides *sides, const struct options *o, struct diag *d)
{
	return sides_read(sides, o, d) && question_ask(q, o, sides->gpus, 1, d) &&
	       sides_check(sides, q->scenario, d);
}

/* What was asked and what came of it. */
struct answer {
	const struct question *question;
	const struct replacement *r;
};

static void write_json(const void *what, FILE *to)
{
	const struct answer *a = what;
	const struct replacement *r = a->r;
	const struct scenario *s = a->question->scenario;
	struct json_write w;

	document_open(&w, to, "replace", s->resolved, s->traffic.seed);
	json_write_key(&w, "from");
	document_record(&w, &replace_from_record, &r->from);
	document_list(&w, "to", &replace_to_record, r->to, r->sides);
	if (r->points)
		document_list(&w, "curve", &cost_point_record, r->point, r->points);
	document_close(&w);
}

static void write_csv(const void *what, FILE *to)
{
	const struct replacement *r = ((const struct answer *)what)->r;

	record_csv_table(&replace_to_record, r->to, r->sides, to);
}

static void print(const void *what, struct run_report_style style, FILE *to)
{
	const struct answer *a = what;

	replace_report_print(a->question->scenario, a->r, style, to);
}

static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	struct output out = {
		.answer = a, .print = print, .write_json = write_json, .write_csv = write_csv};

	for (size_t i = 0; i < a->r->sides; i++)
		out.no |= a->r->to[i].verdict != VERDICT_OK;
	return output_give(&out, o, d);
}

static int search(const struct options *o, const struct question *q, struct replace_setup *setup,
		  struct diag *d)
{
	struct replacement r = {0};
	const struct answer a = {.question = q, .r = &r};

	if (!artefact_check(o, d))
		return options_fail_machine(o, d);
	setup->base = q->setup;
	setup->curve = o->out != NULL;
	setup->base.constants = true;
	int status = replace_run(setup, &r, d) ? give(o, &a, d) : options_fail(o, d);
	replace_free(&r);
	return status;
}

int cmd_replace(const struct options *o)
{
	struct question q = {0};
	struct sides sides;
	struct diag d;

	diag_init(&d);
	int status = ask(&q, &sides, o, &d) ? search(o, &q, &sides.setup, &d) : options_fail(o, &d);
	sides_free(&sides);
	question_free(&q);
	return status;
}
