/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files written whole or not at all: to a temporary name beside the target, then renamed. Failures
 * print one line. */
#ifndef COMMAND_ARTEFACT_H
#define COMMAND_ARTEFACT_H

#include <stdbool.h>
#include <stdio.h>

struct artefact {
	FILE *file;
	char *name, *temporary;
};

/* Opens folder/name (folder NULL: name alone); the folder is made if missing. */
bool artefact_open(struct artefact *a, const char *folder, const char *name);
bool artefact_commit(struct artefact *a);
/* Gives it up: nothing is left behind, nothing printed. */
void artefact_drop(struct artefact *a);

#endif
