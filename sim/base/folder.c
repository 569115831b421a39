/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **folder_list(const char *folder, const char *ending)
{
	DIR *dir = opendir(folder);
	char **names = NULL;
	size_t n = 0;

	if (!dir)
		return NULL;
	names = xcalloc(1, sizeof(*names));
	for (struct dirent *file; (file = readdir(dir));) {
		if (file->d_name[0] == '.' || !text_ends(file->d_name, ending))
			continue;
		names = xrealloc(names, (n + 2) * sizeof(*names));
		names[n++] = xstrdup(file->d_name);
		names[n] = NULL;
	}
	closedir(dir);
	qsort(names, n, sizeof(*names), by_name);
	return names;
}
