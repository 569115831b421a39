/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/artefact.h"
#include "command/command.h"
#include "command/output.h"
#include "command/picture.h"
#include "report/validation_report.h"

static void print(const void *what, struct run_report_style style, FILE *to)
{
	validation_report_print(what, style.verbose, to);
}

static void write_json(const void *what, FILE *to)
{
	validation_report_json(what, to);
}

static void write_csv(const void *what, FILE *to)
{
	validation_report_csv(what, to);
}

static bool draw(const struct options *o, const struct validation_answer *a, struct diag *d)
{
	struct picture_setup setup = {.data_dir = o->data_dir};

	if (!o->plot)
		return true;
	setup.format = picture_format_of(o->plot, d);
	return picture_file(o->plot, &plot_validation, &setup, write_json, a, d);
}

static int give(const struct options *o, const struct validation *v, struct diag *d)
{
	struct validation_answer a = {.validation = v, .seed = o->seed};
	const struct output out = {
		.answer = &a, .print = print, .write_json = write_json, .write_csv = write_csv};
	int status;

	validation_ratios_find(&a.ratios, v);
	validation_goals_find(&a.goals, v, &a.ratios);
	status = draw(o, &a, d) ? output_give(&out, o, d) : options_fail_machine(o, d);
	validation_goals_free(&a.goals);
	validation_ratios_free(&a.ratios);
	return status;
}

static int simulate(const struct options *o, struct measured_tables *tables, struct diag *d)
{
	const struct validation_setup setup = {
		.replications = o->replications == RECORD_INT_UNSET ? 0 : (int)o->replications,
		.jobs = o->jobs == RECORD_INT_UNSET ? 0 : (int)o->jobs,
		.seed = o->seed,
		.catalog = o->catalog.value,
		.data_dir = o->data_dir,
		.quiet = o->quiet,
	};
	struct validation v;
	int status = validation_run(&v, tables, &setup, d) ? give(o, &v, d) : options_fail(o, d);

	validation_free(&v);
	return status;
}

int cmd_validate(const struct options *o)
{
	struct measured_tables tables;
	struct diag d;

	diag_init(&d);
	if (o->plot && !picture_format_of(o->plot, &d))
		return options_fail(o, &d);
	if (!measured_tables_read(&tables, o->data_dir, o->operands.value, &d))
		return options_fail(o, &d);
	if (artefact_check(o, &d))
		return simulate(o, &tables, &d);
	measured_tables_free(&tables);
	return options_fail_machine(o, &d);
}
