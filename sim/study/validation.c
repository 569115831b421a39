/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "study/outcome.h"

#define BATCH 256 /* rows whose scenarios are held at a time */

const char *const validation_set_names[] = {"check", "check, GPU never fitted", "fit", NULL};

/* ---- records ---- */

#define POINT(KEY, KIND, MEMBER)                                                                   \
	{                                                                                          \
		.key = (KEY), .kind = (KIND), .offset = offsetof(struct validation_point, MEMBER)  \
	}

static const struct field point_fields[] = {
	POINT("table", FIELD_TEXT, name),
	POINT("source", FIELD_TEXT, source),
	POINT("line", FIELD_INT, line),
	POINT("gpu", FIELD_TEXT, gpu),
	POINT("engine", FIELD_TEXT, engine),
	POINT("conditions", FIELD_TEXT, conditions),
	{.key = "set",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_point, set),
	 .of = validation_set_names},
	{.key = "load",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct validation_point, load),
	 .of = validation_load_names},
	POINT("requests", FIELD_INT, requests),
	POINT("replications", FIELD_INT, replications),
	POINT("replayed", FIELD_BOOL, replayed),
	POINT("metric", FIELD_TEXT, metric),
	POINT("measured", FIELD_REAL, measured),
	POINT("simulated", FIELD_REAL, simulated),
	{.key = "band",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct validation_point, band),
	 .count = 2},
	POINT("error", FIELD_REAL, error),
	POINT("inside", FIELD_BOOL, inside),
	POINT("left_out", FIELD_TEXT, left_out),
};

const struct record validation_point_record = {.name = "point",
					       .size = sizeof(struct validation_point),
					       .fields = COUNT(point_fields),
					       .field = point_fields};

#define LEFT(KEY, KIND)                                                                            \
	{                                                                                          \
		.key = #KEY, .kind = (KIND), .offset = offsetof(struct validation_left, KEY)       \
	}

static const struct field left_fields[] = {
	LEFT(reason, FIELD_TEXT),
	LEFT(why, FIELD_TEXT),
	LEFT(rows, FIELD_INT),
	LEFT(figures, FIELD_INT),
};

const struct record validation_left_record = {.name = "reason",
					      .size = sizeof(struct validation_left),
					      .fields = COUNT(left_fields),
					      .field = left_fields};

/* ---- what is known ---- */

/* One row on its way. */
struct job {
	const struct measured_table *table;
	const struct measured_row *row;
	struct scenario *scenario;
	struct validation_row result;
	struct diag failed; /* set: it did */
};

struct campaign {
	struct validation *v;
	const struct validation_setup *setup;
	struct scenario_source from; /* the catalogue, and the scenario of the table at hand */
	struct record_list fitted;   /* ids of GPUs with a row in fit/ */
	struct job job[BATCH];
	size_t jobs;
	size_t done; /* rows */
	struct progress progress;
};

static const char *keep_text(struct validation *v, char *text)
{
	record_texts_add(&v->texts, text);
	return text;
}

/* An id without the sign of overrides, "vllm+": a fitted constant is the catalogue's. */
static const char *keep_id(struct validation *v, const char *id)
{
	return keep_text(v, xasprintf("%.*s", (int)strcspn(id, "+"), id));
}

static bool is_among(const struct record_list *texts, const char *text)
{
	char *const *have = texts->data;

	for (size_t i = 0; i < texts->count; i++)
		if (strcmp(have[i], text) == 0)
			return true;
	return false;
}

/* ---- GPUs that something was fitted on ---- */

/* The first GPU of the scenario's own list; NULL: it has none. */
static const char *own_gpu(const struct json_doc *doc)
{
	const cJSON *gpus = json_doc_member(json_doc_root(doc), "gpus");

	if (cJSON_IsArray(gpus))
		gpus = gpus->child;
	return cJSON_IsString(gpus) ? gpus->valuestring : NULL;
}

static void note_fitted(struct campaign *w, const struct measured_table *t, const char *own)
{
	for (size_t i = 0; i < t->rows; i++) {
		const char *name = *t->row[i].gpu ? t->row[i].gpu : own, *id;
		struct diag unknown;

		diag_init(&unknown);
		if (!name || measured_rules_row(&w->v->tables.rules, t, &t->row[i]))
			continue;
		id = catalog_find(w->from.catalog, CATALOG_GPU, name, &unknown);
		if (id && !is_among(&w->fitted, id))
			record_texts_add(&w->fitted, xstrdup(id));
	}
}

static bool find_fitted(struct campaign *w, struct diag *d)
{
	const struct measured_tables *tables = &w->v->tables;

	for (size_t i = 0; i < tables->n; i++) {
		const struct measured_table *t = &tables->table[i];
		struct json_doc *doc = t->fit ? json_doc_read(t->scenario_file, d) : NULL;

		if (t->fit && !doc)
			return false;
		if (t->fit)
			note_fitted(w, t, own_gpu(doc));
		json_doc_del(doc);
	}
	return true;
}

/* ---- points ---- */

static struct validation_left *left_for(struct validation *v, const char *reason, const char *why)
{
	for (size_t i = 0; i < v->lefts; i++)
		if (strcmp(v->left[i].reason, reason) == 0)
			return &v->left[i];
	v->left = xrealloc(v->left, (v->lefts + 1) * sizeof *v->left);
	v->left[v->lefts] = (struct validation_left){.reason = xstrdup(reason),
						     .why = why ? xstrdup(why) : NULL};
	return &v->left[v->lefts++];
}

static const char *conditions_of(struct validation *v, const struct measured_row *row)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < row->points.count; i++) {
		char *longer = xasprintf("%s%s%s", all, i ? ", " : "",
					 ((char *const *)row->points.data)[i]);

		free(all);
		all = longer;
	}
	return keep_text(v, all);
}

static const char *pair_of(const struct measured_table *t, const struct measured_row *row,
			   const char *conditions)
{
	const char *pair = measured_cell(t, row, "fact.pair");

	return pair && *pair ? pair : conditions;
}

/* What all points of a row have in common. */
static struct validation_point point_of(struct validation *v, const struct measured_table *t,
					const struct measured_row *row)
{
	const char *conditions = conditions_of(v, row);

	return (struct validation_point){
		.table = t,
		.row = row,
		.name = t->name,
		.source = row->source,
		.line = row->line,
		.gpu = *row->gpu ? row->gpu : NULL,
		.conditions = conditions,
		.pair = pair_of(t, row, conditions),
		.set = t->fit ? VALIDATION_FIT : VALIDATION_CHECK,
		.load = VALIDATION_LOADS,
		.requests = RECORD_INT_UNSET,
		.replications = RECORD_INT_UNSET,
		.simulated = NAN,
		.band = {NAN, NAN},
		.error = NAN,
	};
}

static void add_point(struct validation *v, const struct validation_point *common, size_t figure)
{
	struct validation_point *p;

	v->point = xrealloc(v->point, (v->points + 1) * sizeof *v->point);
	p = &v->point[v->points++];
	*p = *common;
	p->figure = figure;
	p->metric = common->row->figure[figure].path;
	p->measured = common->row->figure[figure].value;
}

/* All figures of a row. */
static void leave_out(struct validation *v, struct validation_point *common, const char *reason,
		      const char *why)
{
	struct validation_left *left = left_for(v, reason, why);

	left->rows++;
	left->figures += (int64_t)common->row->figures;
	common->left_out = keep_text(v, xstrdup(reason));
	for (size_t i = 0; i < common->row->figures; i++)
		add_point(v, common, i);
}

/* Why one figure is left out, or NULL. */
static const char *figure_reason(const struct validation *v, const struct job *j, size_t figure,
				 const char **why)
{
	const struct validation_figure *f = &j->result.figure[figure];
	const struct measured_rule *rule =
		measured_rules_figure(&v->tables.rules, j->table, j->row, &j->row->figure[figure]);

	*why = rule ? rule->why : NULL;
	if (rule)
		return rule->name;
	if (f->impossible) {
		*why = "faster than the GPU's datasheet allows";
		return f->impossible;
	}
	if (!isnan(f->simulated))
		return NULL;
	*why = "as a time between tokens where every answer is one token";
	return "no such figure";
}

static void compare(struct validation *v, const struct job *j,
		    const struct validation_point *common, size_t figure)
{
	const struct validation_figure *f = &j->result.figure[figure];
	const char *why, *reason = figure_reason(v, j, figure, &why);
	struct validation_point *p;

	add_point(v, common, figure);
	p = &v->point[v->points - 1];
	p->simulated = f->simulated;
	p->band[0] = f->low;
	p->band[1] = f->high;
	p->error = f->simulated / p->measured - 1;
	p->inside = f->low <= p->measured && p->measured <= f->high;
	if (!reason)
		return;
	left_for(v, reason, why)->figures++;
	p->left_out = keep_text(v, xstrdup(reason));
}

static void fill_common(struct validation_point *p, const struct campaign *w, const struct job *j)
{
	const struct scenario *s = j->scenario;

	p->gpu = keep_id(w->v,
			 s->candidate[0].gpu.id ? s->candidate[0].gpu.id : s->candidate[0].shown);
	p->engine = keep_id(w->v, scenario_engine(s, &s->candidate[0])->id);
	if (p->set == VALIDATION_CHECK && !is_among(&w->fitted, p->gpu))
		p->set = VALIDATION_UNFITTED;
	if (j->result.verdict != VERDICT_OK)
		return;
	p->load = j->result.load;
	p->requests = j->result.requests;
	p->replications = j->result.replications;
	p->replayed = j->result.replayed;
}

static void add_points(struct campaign *w, const struct job *j)
{
	struct validation_point common = point_of(w->v, j->table, j->row);

	fill_common(&common, w, j);
	if (j->result.verdict == VERDICT_DOES_NOT_FIT)
		leave_out(w->v, &common, "does not fit",
			  "by the program's memory plan the model does not fit the GPUs");
	else if (j->result.verdict != VERDICT_OK)
		leave_out(w->v, &common, j->result.reason, NULL);
	else
		w->v->rows_compared++;
	for (size_t i = 0; i < j->row->figures && j->result.verdict == VERDICT_OK; i++)
		compare(w->v, j, &common, i);
}

/* ---- rows ---- */

static void run_job(size_t i, void *arg)
{
	struct campaign *w = arg;
	struct job *j = &w->job[i];
	const struct validation_row_setup setup = {.replications = w->setup->replications,
						   .jobs = parallel_inner(w->jobs, w->setup->jobs)};

	diag_init(&j->failed);
	if (!validation_row_run(&j->result, &setup, j->scenario, j->row, &j->failed))
		text_add(j->failed.message, sizeof j->failed.message,
			 ", with the row in line %ld of %s", j->row->line, j->table->file);
}

static void step(size_t count, void *arg)
{
	struct campaign *w = arg;

	progress_step(&w->progress, w->done + count);
}

/* Simulates the rows that wait. */
static bool flush(struct campaign *w, struct diag *d)
{
	bool fine = true;

	parallel_for(w->jobs, w->setup->jobs, run_job, step, w);
	for (size_t i = 0; i < w->jobs; i++) {
		struct job *j = &w->job[i];

		if (j->failed.set && fine)
			*d = j->failed;
		fine = fine && !j->failed.set;
		if (fine)
			add_points(w, j);
		scenario_del(j->scenario);
		validation_row_free(&j->result);
	}
	w->done += w->jobs;
	w->jobs = 0;
	return fine;
}

/* Whether a row cannot be read because the program does not have what it names. */
static bool is_refused(const struct diag *d)
{
	return strstr(d->message, "not in this version") != NULL ||
	       strncmp(d->message, "unknown GPU", 11) == 0 ||
	       strncmp(d->message, "unknown model", 13) == 0 ||
	       strstr(d->message, "is not the name of a GPU") != NULL;
}

static bool leave_row_out(struct campaign *w, const struct measured_table *t,
			  const struct measured_row *row, const char *reason, const char *why)
{
	struct validation_point common = point_of(w->v, t, row);

	leave_out(w->v, &common, reason, why);
	w->done++;
	return true;
}

static bool add_row(struct campaign *w, const struct measured_table *t,
		    const struct measured_row *row, struct diag *d)
{
	const struct measured_rule *rule = measured_rules_row(&w->v->tables.rules, t, row);
	const struct scenario_options options = {
		.file = t->scenario_file, .data_dir = w->setup->data_dir, .seed = w->setup->seed};
	struct diag refused;
	struct scenario *s;

	if (rule)
		return leave_row_out(w, t, row, rule->name, rule->why);
	diag_init(&refused);
	s = measured_scenario(t, row, &w->from, &options, &refused);
	if (!s && is_refused(&refused))
		return leave_row_out(w, t, row, refused.message, NULL);
	if (!s) {
		*d = refused;
		return false;
	}
	w->job[w->jobs++] = (struct job){.table = t, .row = row, .scenario = s};
	return w->jobs < BATCH || flush(w, d);
}

static bool run_table(struct campaign *w, const struct measured_table *t, struct diag *d)
{
	bool fine = validation_row_check(t, d) &&
		    (w->from.doc = json_doc_read(t->scenario_file, d)) != NULL;

	for (size_t i = 0; i < t->rows && fine; i++)
		fine = add_row(w, t, &t->row[i], d);
	json_doc_del(w->from.doc);
	w->from.doc = NULL;
	return fine;
}

static bool run_tables(struct campaign *w, struct diag *d)
{
	const struct measured_tables *tables = &w->v->tables;
	bool fine = find_fitted(w, d);

	for (size_t i = 0; i < tables->n && fine; i++)
		fine = !tables->picked[i] || run_table(w, &tables->table[i], d);
	return fine && flush(w, d);
}

static int by_place(const void *a, const void *b)
{
	const struct validation_point *x = a, *y = b;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->figure < y->figure ? -1 : x->figure > y->figure;
}

/* Whole rows count before single figures, reasons of many before those of few. */
static int by_weight(const void *a, const void *b)
{
	const struct validation_left *x = a, *y = b;

	if (x->rows != y->rows)
		return x->rows > y->rows ? -1 : 1;
	if (x->figures != y->figures)
		return x->figures > y->figures ? -1 : 1;
	return strcmp(x->reason, y->reason);
}

static void put_in_order(struct validation *v)
{
	if (v->points)
		qsort(v->point, v->points, sizeof *v->point, by_place);
	if (v->lefts)
		qsort(v->left, v->lefts, sizeof *v->left, by_weight);
}

bool validation_run(struct validation *v, struct measured_tables *tables,
		    const struct validation_setup *setup, struct diag *d)
{
	struct campaign *w = xcalloc(1, sizeof *w);
	bool fine;

	*v = (struct validation){.tables = *tables};
	*tables = (struct measured_tables){0};
	*w = (struct campaign){.v = v, .setup = setup};
	for (size_t i = 0; i < v->tables.n; i++)
		v->rows += v->tables.picked[i] ? (int64_t)v->tables.table[i].rows : 0;
	w->from.catalog = catalog_new(setup->catalog, setup->data_dir, d);
	progress_init(&w->progress, "simulating", (size_t)v->rows, setup->quiet);
	fine = w->from.catalog && run_tables(w, d);
	progress_end(&w->progress);
	for (size_t i = 0; i < w->jobs; i++)
		scenario_del(w->job[i].scenario);
	catalog_del(w->from.catalog);
	record_texts_free(&w->fitted);
	free(w);
	put_in_order(v);
	return fine;
}

void validation_free(struct validation *v)
{
	for (size_t i = 0; i < v->lefts; i++) {
		free(v->left[i].reason);
		free(v->left[i].why);
	}
	free(v->left);
	free(v->point);
	record_texts_free(&v->texts);
	measured_tables_free(&v->tables);
	*v = (struct validation){.points = 0};
}
