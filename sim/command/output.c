/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/output.h"

#include "command/artefact.h"
#include "command/command.h"
#include "command/picture.h"
#include "command/question.h"

static bool save_folder(const struct output *out, const struct options *o, struct diag *d)
{
	void (*result)(const void *, FILE *) =
		out->write_result ? out->write_result : out->write_json;

	return artefact_write(o->out, "result.json", result, out->answer, d) &&
	       artefact_write(o->out, "result.csv", out->write_csv, out->answer, d) &&
	       (!out->write_fleet ||
		artefact_write(o->out, "fleet.json", out->write_fleet, out->answer, d)) &&
	       picture_save(o, d);
}

static bool save(const struct output *out, const struct options *o, struct diag *d)
{
	if (o->csv && !artefact_write(NULL, o->csv, out->write_csv, out->answer, d))
		return false;
	return !o->out || save_folder(out, o, d);
}

/* Files first: with --json an error is the only document. */
int output_give(const struct output *out, const struct options *o, struct diag *d)
{
	bool saved = save(out, o, d);

	if (!o->json)
		out->print(out->answer, question_style(o), stdout);
	else if (saved)
		out->write_json(out->answer, stdout);
	if (!saved)
		return options_fail_machine(o, d);
	return out->no && o->strict ? EXIT_NO : EXIT_ANSWERED;
}
