/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/artefact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xmalloc.h"

void artefact_drop(struct artefact *a)
{
	if (a->file)
		fclose(a->file);
	unlink(a->temporary);
	free(a->name);
	free(a->temporary);
}

static bool fail(struct artefact *a)
{
	fprintf(stderr, "infercap: %s cannot be written: %s\n", a->name, strerror(errno));
	artefact_drop(a);
	return false;
}

bool artefact_open(struct artefact *a, const char *folder, const char *name)
{
	*a = (struct artefact){0};
	a->name = folder ? xasprintf("%s/%s", folder, name) : xstrdup(name);
	a->temporary = xasprintf("%s.%ld.part", a->name, (long)getpid());
	if (folder && mkdir(folder, 0777) && errno != EEXIST)
		return fail(a);
	a->file = fopen(a->temporary, "w");
	return a->file || fail(a);
}

bool artefact_commit(struct artefact *a)
{
	bool written = !ferror(a->file) && !fflush(a->file);
	FILE *file = a->file;

	a->file = NULL;
	if (fclose(file) || !written || rename(a->temporary, a->name))
		return fail(a);
	free(a->name);
	free(a->temporary);
	return true;
}
