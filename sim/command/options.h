/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was typed: the option table reads it, and every command takes it from there. */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "scenario/scenario.h"

struct command;

/* A repeatable option's values, NULL-terminated; value is NULL when there is none. */
struct option_list {
	const char **value;
	size_t count;
};

/* What was typed, parsed; the table is in options.c. */
struct options {
	const struct command *command;
	const char *operand;	     /* scenario, model, trace or id; NULL */
	struct option_list operands; /* of a command that takes several: all of them */
	struct option_list gpu, set, price, catalog, from, to, limit, over, kind, measured;
	const char *csv, *out, *format, *kernels, *plot;
	int64_t seed;	      /* RECORD_INT_UNSET: the scenario's */
	int64_t replications; /* RECORD_INT_UNSET: the command's default */
	int64_t jobs;	      /* RECORD_INT_UNSET: all processors */
	bool json, strict, quiet, no_color, verbose, help, version;
	char *data_dir; /* where gpus/ and workloads/ are found */
};

/* Which options a command takes. */
enum option_group {
	TAKES_OUTPUT = 1,      /* --json --quiet --no-color --verbose */
	TAKES_SCENARIO = 2,    /* --gpu --set --price --catalog --seed --strict */
	TAKES_STUDY = 4,       /* --replications --jobs --csv */
	TAKES_FROM = 8,	       /* --from */
	TAKES_TO = 16,	       /* --to */
	TAKES_OUT = 32,	       /* --out */
	TAKES_CATALOG = 64,    /* --catalog alone */
	TAKES_GPU = 128,       /* --gpu */
	TAKES_PLOT = 256,      /* --kind --format */
	TAKES_LIMIT = 512,     /* --limit */
	TAKES_OVER = 1024,     /* --over */
	TAKES_FIT = 2048,      /* --kernels --measured */
	TAKES_VALIDATE = 4096, /* --seed --replications --jobs --csv --plot */
};

/* Reads argv; false with d filled. Nothing is printed. */
bool options_parse(struct options *o, int argc, char **argv, struct diag *d);
void options_free(struct options *o);
void options_print_help(const struct command *command, FILE *to); /* NULL: of the whole program */
/* Fills scenario_options from what was typed. */
void options_scenario(const struct options *o, struct scenario_options *s);
/* Prints the diag (JSON document with --json, else stderr) and returns EXIT_WRONG. */
int options_fail(const struct options *o, const struct diag *d);
/* The same for what the machine failed: returns EXIT_MACHINE. */
int options_fail_machine(const struct options *o, const struct diag *d);

#endif
