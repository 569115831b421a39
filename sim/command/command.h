/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One file a subcommand: read options, call a study, print. The only room that may exit. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "command/options.h"

enum exit_status { EXIT_ANSWERED = 0, EXIT_NO = 1, EXIT_WRONG = 2, EXIT_MACHINE = 3 };

struct command {
	const char *name, *operand,
		*help; /* operand: "SCENARIO", "[ID]"; in brackets: may be absent; NULL: none; with
			  "..." there may be several */
	int (*run)(const struct options *o);
	unsigned takes;
};

extern const struct command commands[]; /* ends with a NULL name */

int cmd_run(const struct options *o);
int cmd_capacity(const struct options *o);
int cmd_fleet(const struct options *o);
int cmd_sweep(const struct options *o);
int cmd_replace(const struct options *o);
int cmd_memory(const struct options *o);
int cmd_trace(const struct options *o);
int cmd_gpus(const struct options *o);
int cmd_models(const struct options *o);
int cmd_engines(const struct options *o);
int cmd_prices(const struct options *o);
int cmd_calibrate(const struct options *o);
int cmd_validate(const struct options *o);
int cmd_plot(const struct options *o);

#endif
