/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/provenance_text.h"

#include <string.h>

static void print_assumed(const char *gpu, const struct record_list *list, FILE *to)
{
	char *const *line = list->data;
	bool any = false;

	for (size_t i = 0; i < list->count; i++) {
		size_t name = strcspn(line[i], ":");
		if (strncmp(line[i] + name, ": assumed", 9) != 0)
			continue;
		if (!any)
			fprintf(to, "%s: assumed, not measured: ", gpu);
		fprintf(to, "%s%.*s", any ? ", " : "", (int)name, line[i]);
		any = true;
	}
	if (any)
		fputc('\n', to);
}

static void print_all(const char *gpu, const struct record_list *list, FILE *to)
{
	char *const *line = list->data;

	fprintf(to, "\n%s rests on\n", gpu);
	for (size_t i = 0; i < list->count; i++)
		fprintf(to, "  %s\n", line[i]);
}

void provenance_text(const char *gpu, const struct record_list *list, bool all, FILE *to)
{
	if (all)
		print_all(gpu, list, to);
	else
		print_assumed(gpu, list, to);
}
