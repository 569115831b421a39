/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files written whole or not at all: to a temporary name beside the target, then renamed. What
 * is no file there already (a device, a pipe, a link) is written to. All return false with d filled
 * when the machine fails. */
#ifndef COMMAND_ARTEFACT_H
#define COMMAND_ARTEFACT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "command/options.h"

struct artefact {
	FILE *file;
	char *name, *temporary;
};

/* Opens folder/name (folder NULL: name alone); the folder is made if missing. */
bool artefact_open(struct artefact *a, const char *folder, const char *name, struct diag *d);
bool artefact_commit(struct artefact *a, struct diag *d);
/* Gives it up: nothing is left behind. */
void artefact_drop(struct artefact *a);
/* One file from open to commit, filled by write(). */
bool artefact_write(const char *folder, const char *name, void (*write)(const void *what, FILE *to),
		    const void *what, struct diag *d);
/* Whether what --csv and --out name can be written, before any work is done for it. */
bool artefact_check(const struct options *o, struct diag *d);

#endif
