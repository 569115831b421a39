/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/counted_gpu.h"
#include "command/output.h"
#include "command/question.h"
#include "report/document.h"
#include "report/mix_report.h"
#include "report/mix_scenario.h"
#include "report/record_csv.h"
#include "study/needs_rate.h"

/* ---- limits ---- */

static bool fail_no_candidate(const struct scenario *s, const char *typed, const char *id,
			      struct diag *d)
{
	char known[256] = "";

	for (size_t i = 0; i < s->candidates; i++)
		text_add(known, sizeof known, "%s%s", i ? ", " : "", s->candidate[i].shown);
	return diag_fail(d, "--limit %s: %s is no candidate; these are: %s", typed, id, known);
}

/* The candidate's own id, or that of what it overrides where no candidate is called so. */
static bool is_named(const struct candidate *c, const char *gpu, const char *id)
{
	return id ? c->gpu.id && !strcmp(c->gpu.id, id) : !strcmp(c->shown, gpu);
}

/* One limit over those of every candidate that is this GPU, with or without overrides. */
static bool set_limit(int64_t *limit, const struct scenario *s, const struct catalog *c,
		      const char *typed, struct diag *d)
{
	const char *gpu, *id = NULL;
	bool found = false;
	int64_t n;

	if (!counted_gpu_read("--limit", 0, typed, &n, &gpu, d))
		return false;
	for (size_t i = 0; i < s->candidates; i++)
		found |= is_named(&s->candidate[i], gpu, NULL);
	if (!found && !(id = counted_gpu_find(c, "--limit", typed, gpu, d)))
		return false;
	for (size_t i = 0; i < s->candidates; i++) {
		if (!is_named(&s->candidate[i], gpu, id))
			continue;
		if (limit[i] != INT64_MAX)
			return diag_fail(d, "--limit %s: %s has a limit already", typed,
					 s->candidate[i].shown);
		limit[i] = n;
		found = true;
	}
	return found || fail_no_candidate(s, typed, id, d);
}

static bool read_limits(int64_t *limit, const struct options *o, const struct scenario *s,
			struct diag *d)
{
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, d);
	bool fine = c != NULL;

	for (size_t i = 0; i < s->candidates; i++)
		limit[i] = INT64_MAX;
	for (size_t i = 0; fine && i < o->limit.count; i++)
		fine = set_limit(limit, s, c, o->limit.value[i], d);
	catalog_del(c);
	return fine;
}

static bool check_candidates(const struct scenario *s, struct diag *d)
{
	if (s->pools) {
		diag_path(d, "pools");
		diag_fail(d, "fleet chooses among the candidates of gpus; pools are a choice made");
		scenario_locate(s, d);
		return false;
	}
	return s->candidates <= MIX_CANDIDATES_MAX ||
	       diag_fail(d, "fleet mixes at most %d GPUs, here are %zu", MIX_CANDIDATES_MAX,
			 s->candidates);
}

static bool check_built(struct diag *d)
{
	return mix_is_built() || diag_fail(d, "%s", mix_not_built);
}

/* ---- the answer ---- */

/* What was asked and what came of it: the mix, then each GPU by itself. */
struct answer {
	const struct question *question;
	struct mix mix;
};

static void write_json(const void *what, FILE *to)
{
	const struct answer *a = what;
	const struct scenario *s = a->question->scenario;
	struct json_write w;

	document_open(&w, to, "fleet", s->resolved, s->traffic.seed);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	document_record(&w, &mix_fleet_record, &a->mix.best);
	for (size_t i = 0; i < a->mix.candidates; i++)
		document_record(&w, &mix_fleet_record, &a->mix.alone[i]);
	json_write_close(&w, ']');
	document_close(&w);
}

static void write_csv(const void *what, FILE *to)
{
	const struct answer *a = what;

	record_csv_heading(&mix_fleet_record, to);
	record_csv_row(&mix_fleet_record, &a->mix.best, to);
	for (size_t i = 0; i < a->mix.candidates; i++)
		record_csv_row(&mix_fleet_record, &a->mix.alone[i], to);
}

/* The answer as a scenario for `run`. */
static void write_scenario(const void *what, FILE *to)
{
	const struct answer *a = what;

	mix_scenario_write(a->question->scenario, &a->mix.best, to);
}

static void print(const void *what, struct run_report_style style, FILE *to)
{
	const struct answer *a = what;

	mix_report_print(a->question->scenario, &a->mix, style, to);
}

static int give(const struct options *o, const struct answer *a, struct diag *d)
{
	bool no = a->mix.best.verdict != VERDICT_OK;
	const struct output out = {.answer = a,
				   .no = no,
				   .print = print,
				   .write_json = write_json,
				   .write_csv = write_csv,
				   .write_fleet = no ? NULL : write_scenario};

	return output_give(&out, o, d);
}

static int search(const struct options *o, const struct question *q, struct diag *d)
{
	struct answer a = {.question = q};
	int64_t *limit = xcalloc(q->scenario->candidates, sizeof *limit);
	struct mix_setup setup = {.base = q->setup, .limit = limit};
	int status;

	if (!read_limits(limit, o, q->scenario, d))
		status = options_fail(o, d);
	else if (!check_built(d) || !artefact_check(o, d))
		status = options_fail_machine(o, d);
	else
		status = mix_find(&a.mix, &setup, d) ? give(o, &a, d) : options_fail(o, d);
	mix_free(&a.mix);
	free(limit);
	return status;
}

int cmd_fleet(const struct options *o)
{
	struct question q = {0};
	struct diag d;
	int status;

	diag_init(&d);
	if (!question_ask(&q, o, NULL, 1, &d) ||
	    !needs_rate(q.scenario, "fleet provides for a rate", &d) ||
	    !check_candidates(q.scenario, &d))
		status = options_fail(o, &d);
	else
		status = search(o, &q, &d);
	question_free(&q);
	return status;
}
