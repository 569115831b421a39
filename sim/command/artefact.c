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
	if (a->temporary)
		unlink(a->temporary);
	free(a->name);
	free(a->temporary);
}

static bool fail(struct artefact *a, struct diag *d)
{
	diag_at(d, a->name, 0, 0);
	diag_fail(d, "cannot be written: %s", strerror(errno));
	artefact_drop(a);
	return false;
}

/* The folder and those above it, as far as they are missing. */
static bool make_folders(const char *folder)
{
	char *path = xstrdup(folder);
	bool made = true;

	for (char *slash = strchr(path + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		made = !mkdir(path, 0777) || errno == EEXIST;
		*slash = '/';
	}
	made = made && (!mkdir(path, 0777) || errno == EEXIST);
	free(path);
	return made;
}

/* A device, a pipe, a link to one: it is written to, not replaced. */
static bool is_special(const char *name)
{
	struct stat s;

	return lstat(name, &s) == 0 && !S_ISREG(s.st_mode);
}

bool artefact_open(struct artefact *a, const char *folder, const char *name, struct diag *d)
{
	*a = (struct artefact){0};
	a->name = folder ? xasprintf("%s/%s", folder, name) : xstrdup(name);
	if (!is_special(a->name))
		a->temporary = xasprintf("%s.%ld.part", a->name, (long)getpid());
	if (folder && !make_folders(folder))
		return fail(a, d);
	a->file = fopen(a->temporary ? a->temporary : a->name, "w");
	return a->file || fail(a, d);
}

bool artefact_commit(struct artefact *a, struct diag *d)
{
	bool written = !ferror(a->file) && !fflush(a->file);
	FILE *file = a->file;

	a->file = NULL;
	if (fclose(file) || !written || (a->temporary && rename(a->temporary, a->name)))
		return fail(a, d);
	free(a->name);
	free(a->temporary);
	return true;
}

bool artefact_write(const char *folder, const char *name, void (*write)(const void *what, FILE *to),
		    const void *what, struct diag *d)
{
	struct artefact a;

	if (!artefact_open(&a, folder, name, d))
		return false;
	write(what, a.file);
	return artefact_commit(&a, d);
}

static bool can_open(const char *folder, const char *name, struct diag *d)
{
	struct artefact a;
	struct stat s;

	if (!folder && !stat(name, &s) && S_ISFIFO(s.st_mode))
		return true; /* who reads it would see its end */
	if (!artefact_open(&a, folder, name, d))
		return false;
	artefact_drop(&a);
	return true;
}

bool artefact_check(const struct options *o, struct diag *d)
{
	return (!o->csv || can_open(NULL, o->csv, d)) && (!o->plot || can_open(NULL, o->plot, d)) &&
	       (!o->out || can_open(o->out, "result.json", d));
}
