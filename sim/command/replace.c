/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "command/artefact.h"
#include "command/command.h"
#include "command/picture.h"
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
	json_write_key(&w, "to");
	json_write_open(&w, '[');
	for (size_t i = 0; i < r->sides; i++)
		document_record(&w, &replace_to_record, &r->to[i]);
	json_write_close(&w, ']');
	if (r->points) {
		json_write_key(&w, "curve");
		json_write_open(&w, '[');
		for (size_t i = 0; i < r->points; i++)
			document_record(&w, &cost_point_record, &r->point[i]);
		json_write_close(&w, ']');
	}
	document_close(&w);
}

static void write_sides(const void *what, FILE *to)
{
	const struct replacement *r = ((const struct answer *)what)->r;

	record_csv_heading(&replace_to_record, to);
	for (size_t i = 0; i < r->sides; i++)
		record_csv_row(&replace_to_record, &r->to[i], to);
}

static bool save(const struct options *o, const struct answer *a, struct diag *d)
{
	if (o->csv && !artefact_write(NULL, o->csv, write_sides, a, d))
		return false;
	return !o->out ||
	       (artefact_write(o->out, "result.json", write_json, a, d) && picture_save(o, d));
}

/* Files first: with --json an error is the only document. */
static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	bool saved = save(o, a, d), no = false;

	for (size_t i = 0; i < a->r->sides; i++)
		no |= a->r->to[i].verdict != VERDICT_OK;
	if (!o->json)
		replace_report_print(a->question->scenario, a->r, question_style(o), stdout);
	else if (saved)
		write_json(a, stdout);
	if (!saved)
		return options_fail_machine(o, d);
	return no && o->strict ? EXIT_NO : EXIT_ANSWERED;
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
