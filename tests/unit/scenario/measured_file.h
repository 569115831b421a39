/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts as files of a folder that goes away again: t.csv, t.json, rules.json. */
#ifndef TESTS_UNIT_SCENARIO_MEASURED_FILE_H
#define TESTS_UNIT_SCENARIO_MEASURED_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder NAME/fit under /tmp, in one of a few static places; release with measured_folder_drop().
 */
static inline char *measured_folder(void)
{
	static char names[4][64];
	static int next;
	char *name = names[next++ % 4];

	snprintf(name, sizeof names[0], "/tmp/infercap_measured_XXXXXX");
	if (!mkdtemp(name))
		abort();
	strcat(name, "/fit");
	mkdir(name, 0777);
	return name;
}

/* Writes FOLDER/NAME and returns its path, in one of a few static places. */
static inline const char *measured_file(const char *folder, const char *name, const char *text)
{
	static char path[4][128];
	static int next;
	char *at = path[next++ % 4];

	snprintf(at, sizeof path[0], "%s/%s", folder, name);
	FILE *f = fopen(at, "w");
	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
	return at;
}

static inline void measured_folder_drop(char *folder)
{
	static const char *const names[] = {"t.csv", "t.json", "rules.json", "trace.csv"};
	char path[192];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
	*strrchr(folder, '/') = '\0';
	rmdir(folder);
}

#endif
