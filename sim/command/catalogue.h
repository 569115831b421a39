/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gpus`, `models` and `engines` share: one entry in full, or a table of all; either as JSON.
 */
#ifndef COMMAND_CATALOGUE_H
#define COMMAND_CATALOGUE_H

#include "command/command.h"
#include "report/table.h"

struct catalogue {
	const char *command;
	enum catalog_kind kind;
	const struct record *record;
	/* Prints all entries, an array of the record's structs; false with d filled. */
	bool (*table)(const struct catalog *c, const void *entries, size_t n, struct diag *d);
	/* Adds to an entry's JSON what follows from it; may be NULL. */
	void (*derive)(cJSON *json, const void *entry);
};

/* Answers the command; returns the exit status. */
int catalogue_answer(const struct catalogue *k, const struct options *o);

#endif
