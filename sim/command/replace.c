/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/command.h"
#include "command/counted_gpu.h"
#include "command/picture.h"
#include "command/question.h"
#include "report/document.h"
#include "report/record_csv.h"
#include "report/replace_report.h"

/* Place of `name` among the first *n names, added if it is not there: 4:a100 may be held against
 * a100 itself. */
static size_t candidate_index(const char **names, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(names[i], name))
			return i;
	names[*n] = name;
	return (*n)++;
}

/* Fills the candidates: the from side, then each --to; to[] gets their places. */
static bool list_candidates(const char **gpus, struct replace_setup *setup, size_t *to,
			    const struct options *o, const struct catalog *c, const char *from,
			    struct diag *d)
{
	const char *id = counted_gpu_find(c, "--from", o->from.value[0], from, d);
	size_t n = 0;

	if (!id)
		return false;
	setup->from = candidate_index(gpus, &n, id);
	for (size_t i = 0; i < o->to.count; i++) {
		id = counted_gpu_find(c, "--to", o->to.value[i], o->to.value[i], d);
		if (!id)
			return false;
		to[i] = candidate_index(gpus, &n, id);
		for (size_t j = 0; j < i; j++)
			if (to[j] == to[i])
				return diag_fail(d, "--to %s and --to %s are the same GPU, %s",
						 o->to.value[j], o->to.value[i], id);
	}
	return true;
}

static bool check_options(const struct options *o, struct diag *d)
{
	if (o->from.count != 1)
		return diag_fail(d, "replace needs one --from N:GPU, what is replaced");
	if (!o->to.count)
		return diag_fail(d, "replace needs at least one --to GPU, what replaces it");
	return true;
}

/* Whole tensor-parallel groups are what is replaced. */
static bool check_groups(const struct scenario *s, int64_t count, const char *gpu, struct diag *d)
{
	long long tp = s->deployment.tensor_parallel, n = count;

	if (n % tp == 0)
		return true;
	return diag_fail(d,
			 "--from %lld:%s is no whole number of groups of tensor_parallel %lld: use "
			 "--from %lld:%s",
			 n, gpu, tp, (n / tp + 1) * tp, gpu);
}

static bool ask(struct question *q, struct replace_setup *setup, size_t *to,
		const struct options *o, struct diag *d)
{
	const char *from;

	if (!counted_gpu_read("--from", 1, o->from.value[0], &setup->from_count, &from, d))
		return false;
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, d);
	const char **gpus = xcalloc(o->to.count + 2, sizeof *gpus);
	bool fine = c && list_candidates(gpus, setup, to, o, c, from, d) &&
		    question_ask(q, o, gpus, 1, d) &&
		    check_groups(q->scenario, setup->from_count, from, d);
	free(gpus);
	catalog_del(c);
	return fine;
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
	size_t *to = xcalloc(o->to.count + 1, sizeof *to);
	struct replace_setup setup = {.to = to, .to_count = o->to.count};
	struct diag d;
	int status;

	diag_init(&d);
	if (check_options(o, &d) && ask(&q, &setup, to, o, &d))
		status = search(o, &q, &setup, &d);
	else
		status = options_fail(o, &d);
	free(to);
	question_free(&q);
	return status;
}
