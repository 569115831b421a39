/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer on its way out: to the files of --csv and --out, and to standard output. */
#ifndef COMMAND_OUTPUT_H
#define COMMAND_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "command/options.h"
#include "report/run_report.h"

/* How an answer is written; each function is given `answer`. */
struct output {
	const void *answer;
	bool no; /* it is "no": with --strict the exit status says so */
	void (*print)(const void *answer, struct run_report_style style, FILE *to);
	void (*write_json)(const void *answer, FILE *to);
	void (*write_csv)(const void *answer, FILE *to);
	void (*write_result)(const void *answer, FILE *to); /* result.json; NULL: as write_json */
	void (*write_fleet)(const void *answer, FILE *to);  /* fleet.json; NULL: there is none */
};

/* Writes the files, then answers on standard output; returns the exit status. A file that cannot be
 * written is reported, and people are answered all the same. */
int output_give(const struct output *out, const struct options *o, struct diag *d);

#endif
