/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/output.h"
#include "command/question.h"
#include "command/sides.h"
#include "report/sweep_document.h"
#include "report/sweep_replace_report.h"
#include "report/sweep_report.h"

/* What was asked and what came of it: runs, or with --from and --to replacements. */
struct answer {
	const struct options *o;
	struct question question;
	struct sides sides; /* with --from */
	struct sweep sweep;
	struct sweep_runs runs;
	struct replacement *replacement; /* one a point; NULL: runs */
};

static bool wants_replacements(const struct options *o)
{
	return o->from.count || o->to.count;
}

static bool check_options(const struct options *o, struct diag *d)
{
	if (!o->over.count)
		return diag_fail(d, "sweep needs an --over, what is changed: --over "
				    "traffic.arrivals.rate=1:32:12");
	if (wants_replacements(o) && o->gpu.count)
		return diag_fail(d, "--from and --to name the GPUs: leave out --gpu");
	return true;
}

/* ---- asking ---- */

static bool check_point(const struct answer *a, const struct scenario *s, struct diag *d)
{
	if (price_book_check_wish(&a->question.book, &s->prices, d))
		return !wants_replacements(a->o) || sides_check(&a->sides, s, d);
	scenario_locate(s, d);
	return false;
}

static bool check_points(const struct answer *a, struct diag *d)
{
	for (size_t i = 0; i < a->sweep.points; i++)
		if (!check_point(a, a->sweep.point[i].scenario, d)) {
			sweep_blame(&a->sweep, i, d);
			return false;
		}
	return true;
}

static bool read_points(struct answer *a, const struct scenario_source *from,
			struct scenario_options *options, struct diag *d)
{
	if (wants_replacements(a->o)) {
		options->gpus = a->sides.gpus;
		options->gpus_option = "--from";
	}
	return question_ask_from(&a->question, a->o, from, options,
				 wants_replacements(a->o) ? 1 : 5, d) &&
	       sweep_init(&a->sweep, a->o->over.value, &a->question.setup, from, options, d) &&
	       check_points(a, d);
}

static bool ask(struct answer *a, struct diag *d)
{
	struct scenario_options options;
	struct scenario_source from;

	if (!check_options(a->o, d) ||
	    (wants_replacements(a->o) && !sides_read(&a->sides, a->o, d)))
		return false;
	options_scenario(a->o, &options);
	if (!scenario_source_open(&from, &options, d))
		return false;
	bool fine = read_points(a, &from, &options, d);
	scenario_source_close(&from);
	return fine;
}

/* ---- giving ---- */

static void write_json(const void *what, FILE *to)
{
	const struct answer *a = what;

	if (a->replacement)
		sweep_document_replacements(a->question.scenario, &a->sweep, a->replacement, to);
	else
		sweep_document_runs(a->question.scenario, &a->sweep, &a->runs, to);
}

static void write_csv(const void *what, FILE *to)
{
	const struct answer *a = what;

	if (a->replacement)
		sweep_csv_replacements(&a->sweep, a->replacement, to);
	else
		sweep_csv_runs(&a->sweep, &a->runs, to);
}

static void print(const void *what, struct run_report_style style, FILE *to)
{
	const struct answer *a = what;
	const struct scenario *s = a->question.scenario;

	if (a->replacement)
		sweep_replace_report_print(s, &a->sweep, a->replacement, style, to);
	else
		sweep_report_print(s, &a->sweep, &a->runs, style, to);
}

static bool is_no(const struct answer *a)
{
	bool no = false;

	for (size_t i = 0; i < a->runs.n; i++)
		no |= a->runs.run[i].outcome.verdict != VERDICT_OK;
	for (size_t i = 0; a->replacement && i < a->sweep.points; i++)
		for (size_t k = 0; k < a->replacement[i].sides; k++)
			no |= a->replacement[i].to[k].verdict != VERDICT_OK;
	return no;
}

static int give(const struct answer *a, struct diag *d)
{
	const struct output out = {.answer = a,
				   .no = is_no(a),
				   .print = print,
				   .write_json = write_json,
				   .write_csv = write_csv};

	return output_give(&out, a->o, d);
}

/* ---- answering ---- */

static bool find(struct answer *a, struct diag *d)
{
	if (!wants_replacements(a->o))
		return sweep_evaluate(&a->runs, &a->sweep, &a->question.setup, d);
	a->replacement = xcalloc(a->sweep.points, sizeof *a->replacement);
	a->sides.setup.base = a->question.setup;
	return sweep_replace(a->replacement, &a->sweep, &a->sides.setup, d);
}

static void free_answer(struct answer *a)
{
	for (size_t i = 0; a->replacement && i < a->sweep.points; i++)
		replace_free(&a->replacement[i]);
	free(a->replacement);
	sweep_runs_free(&a->runs);
	sweep_free(&a->sweep);
	sides_free(&a->sides);
	question_free(&a->question);
}

int cmd_sweep(const struct options *o)
{
	struct answer a = {.o = o};
	struct diag d;
	int status;

	diag_init(&d);
	if (!ask(&a, &d))
		status = options_fail(o, &d);
	else if (!artefact_check(o, &d))
		status = options_fail_machine(o, &d);
	else
		status = find(&a, &d) ? give(&a, &d) : options_fail(o, &d);
	free_answer(&a);
	return status;
}
