/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What studies start from: scenario, price book and settings, read from the options. */
#ifndef COMMAND_QUESTION_H
#define COMMAND_QUESTION_H

#include "command/command.h"
#include "report/run_report.h"
#include "study/evaluate.h"

struct question {
	struct scenario *scenario;
	struct price_book book;
	struct evaluate_setup setup;
};

/* `gpus`: the candidates of --from and --to, NULL-terminated, in place of --gpu; NULL: as typed.
 * False with d filled. */
bool question_ask(struct question *q, const struct options *o, const char *const *gpus,
		  int replications, struct diag *d);
/* The same from a source that is open, for commands that read the scenario more than once. */
bool question_ask_from(struct question *q, const struct options *o,
		       const struct scenario_source *from, const struct scenario_options *options,
		       int replications, struct diag *d);
/* With --verbose: names the keys of a Hugging Face config.json that were ignored, on stderr. */
void question_tell_ignored(const struct options *o, const struct scenario *s);
void question_free(struct question *q);

/* Colors only on a terminal, never with --no-color or NO_COLOR. */
struct run_report_style question_style(const struct options *o);

#endif
