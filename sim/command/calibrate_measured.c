/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "command/calibrate.h"
#include "command/command.h"
#include "report/calibration_report.h"
#include "report/document.h"
#include "report/overlay.h"
#include "scenario/bench_result.h"
#include "study/calibration.h"

/* What a fit starts from. */
struct fit {
	struct scenario_options options;
	struct scenario_source from;
	struct measured_table *table;
	size_t tables;
	char *names; /* of the tables, for people */
	struct record_list warnings;
	struct measured_rules rules;
	struct calibration result;
};

/* The rules that came with the program know its own tables by name. */
static bool read_rules(struct fit *f, const struct options *o, struct diag *d)
{
	char *file = xasprintf("%s/workloads/measured/rules.json", o->data_dir);
	bool good = access(file, F_OK) != 0 || measured_rules_read(&f->rules, file, d);

	free(file);
	return good;
}

/* Rows that test the constants are no rows to fit them to. */
static bool is_fair(const struct measured_table *t, struct diag *d)
{
	if (!text_ends(t->folder, "measured/check"))
		return true;
	diag_at(d, t->file, 0, 0);
	return diag_fail(d, "holds rows that check what was fitted: no constant is fitted to them");
}

static bool read_tables(struct fit *f, const struct options *o, struct diag *d)
{
	f->table = xcalloc(o->measured.count, sizeof *f->table);
	for (size_t i = 0; i < o->measured.count; i++) {
		struct measured_table *t = &f->table[i];
		char *before = f->names;

		if (!bench_result_read(t, o->measured.value[i], &f->from, &f->options, &f->warnings,
				       d))
			return false;
		f->tables++;
		free(t->scenario_file);
		t->scenario_file = xstrdup(o->operand);
		if (!is_fair(t, d))
			return false;
		f->names = before ? xasprintf("%s, %s", before, f->table[i].name)
				  : xstrdup(f->table[i].name);
		free(before);
	}
	return true;
}

static void warn(const struct fit *f, const struct options *o)
{
	char *const *text = f->warnings.data;

	for (size_t i = 0; !o->quiet && i < f->warnings.count; i++)
		fprintf(stderr, "infercap: %s\n", text[i]);
}

static bool ask(struct fit *f, const struct options *o, struct diag *d)
{
	options_scenario(o, &f->options);
	if (!read_rules(f, o, d) || !scenario_source_open(&f->from, &f->options, d) ||
	    !read_tables(f, o, d))
		return false;
	warn(f, o);
	const struct calibration_setup setup = {.table = f->table,
						.tables = f->tables,
						.rules = &f->rules,
						.from = &f->from,
						.options = &f->options,
						.jobs = o->jobs == RECORD_INT_UNSET ? 0
										    : (int)o->jobs,
						.quiet = o->quiet};
	return calibration_run(&f->result, &setup, d);
}

static void write_engine(const void *engine, FILE *to)
{
	overlay_write(&engine_record, engine, to);
}

static void write_gpu(const void *gpu, FILE *to)
{
	overlay_write(&gpu_record, gpu, to);
}

/* DIR/engines/ID.json or DIR/gpus/ID.json with what was fitted in it. */
static bool write_entry(const struct fit *f, const struct options *o, enum constant_of of,
			const char *id, struct diag *d)
{
	enum catalog_kind kind = of == CONSTANT_OF_GPU ? CATALOG_GPU : CATALOG_ENGINE;
	char *folder = xasprintf("%s/%s", o->out, of == CONSTANT_OF_GPU ? "gpus" : "engines");
	char *name = xasprintf("%s.json", id), *source = xasprintf("fitted to %s", f->names);
	void *object = xcalloc(1, catalog_record(kind)->size);

	bool good = catalog_read(f->from.catalog, kind, id, object, d);
	if (good && calibration_apply(&f->result, of, id, object, source))
		good = artefact_write(folder, name,
				      of == CONSTANT_OF_GPU ? write_gpu : write_engine, object, d);
	if (good)
		record_free(catalog_record(kind), object);
	free(object);
	free(source);
	free(name);
	free(folder);
	return good;
}

static bool is_first_of_owner(const struct calibration *c, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (c->constant[j].of == c->constant[i].of &&
		    strcmp(c->constant[j].owner, c->constant[i].owner) == 0)
			return false;
	return true;
}

static bool write_overlay(const struct fit *f, const struct options *o, struct diag *d)
{
	const struct calibration *c = &f->result;

	for (size_t i = 0; o->out && i < c->constants; i++)
		if (is_first_of_owner(c, i) &&
		    !write_entry(f, o, c->constant[i].of, c->constant[i].owner, d))
			return false;
	return true;
}

static void print_json(const struct calibration *c)
{
	struct json_write w;

	document_open(&w, stdout, "calibrate", NULL, RECORD_INT_UNSET);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	calibration_report_json(c, &w);
	json_write_close(&w, ']');
	document_close(&w);
}

static int give(const struct fit *f, const struct options *o, struct diag *d)
{
	if (!write_overlay(f, o, d))
		return options_fail_machine(o, d);
	if (o->json)
		print_json(&f->result);
	else
		calibration_report_print(&f->result, stdout);
	return EXIT_ANSWERED;
}

int calibrate_measured(const struct options *o)
{
	struct fit f = {.warnings.size = sizeof(char *)};
	struct diag d;

	diag_init(&d);
	int status = ask(&f, o, &d) ? give(&f, o, &d) : options_fail(o, &d);
	calibration_free(&f.result);
	if (f.from.catalog)
		scenario_source_close(&f.from);
	measured_rules_free(&f.rules);
	for (size_t i = 0; i < f.tables; i++)
		measured_free(&f.table[i]);
	free(f.table);
	free(f.names);
	record_texts_free(&f.warnings);
	return status;
}
