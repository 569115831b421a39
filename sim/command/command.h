/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file a subcommand: read options, call a study, print. The only room that may exit. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "scenario/scenario.h"

enum exit_status { EXIT_ANSWERED = 0, EXIT_NO = 1, EXIT_WRONG = 2, EXIT_MACHINE = 3 };

/* A repeatable option's values, NULL-terminated. */
struct option_list {
	const char **value;
	size_t count;
};

/* What was typed, parsed; see option_table in options.c. */
struct options {
	const struct command *command;
	const char *operand[4];
	int operands;
	struct option_list gpu, set, price, catalog, from, to;
	const char *csv, *out;
	int64_t seed;     /* RECORD_INT_UNSET: the scenario's */
	int replications; /* 0: the command's default */
	int jobs;         /* 0: all processors */
	int64_t input, output, tp, max_model_len; /* memory; RECORD_INT_UNSET */
	const char *precision, *engine;
	bool json, strict, quiet, no_color, verbose;
	const char *data_dir;
};

struct command {
	const char *name, *usage, *help;
	int (*run)(struct options *o);
	unsigned takes; /* bit mask of option groups */
};

extern const struct command commands[]; /* ends with a NULL name */

int cmd_run(struct options *o);
int cmd_replace(struct options *o);
int cmd_memory(struct options *o);
int cmd_trace(struct options *o);
int cmd_gpus(struct options *o);
int cmd_models(struct options *o);
int cmd_engines(struct options *o);
int cmd_prices(struct options *o);

/* Fills scenario_options from what was typed. */
void options_scenario(const struct options *o, struct scenario_options *s);
/* Prints the diag (JSON document with --json, else stderr) and returns EXIT_WRONG. */
int options_fail(const struct options *o, const struct diag *d);

#endif
