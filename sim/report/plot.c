/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_value.h"

void plot_list(const cJSON *result, const struct plot_kind **kinds)
{
	size_t n = 0;

	for (size_t i = 0; plot_kinds[i] && n < PLOT_KINDS_MAX; i++)
		if (plot_kinds[i]->has(result))
			kinds[n++] = plot_kinds[i];
	kinds[n] = NULL;
}

const struct plot_kind *plot_find(const char *name, struct diag *d)
{
	const char *names[PLOT_KINDS_MAX + 1] = {NULL};

	for (size_t i = 0; plot_kinds[i]; i++) {
		if (!strcmp(plot_kinds[i]->name, name))
			return plot_kinds[i];
		if (i < PLOT_KINDS_MAX)
			names[i] = plot_kinds[i]->name;
	}
	diag_unknown(d, "kind of picture", name, names);
	return NULL;
}

static bool copy_stream(FILE *from, FILE *to)
{
	char part[4096];
	size_t n;

	while ((n = fread(part, 1, sizeof part, from)) > 0)
		fwrite(part, 1, n, to);
	return !ferror(from);
}

static bool copy(const char *data_dir, const char *name, FILE *to, struct diag *d)
{
	char *file = xasprintf("%s/plots/%s.gp", data_dir, name);
	FILE *from = fopen(file, "r");
	bool fine = from && copy_stream(from, to);

	if (!fine) {
		diag_at(d, file, 0, 0);
		diag_fail(d, "the template cannot be read: %s", strerror(errno));
	}
	if (from)
		fclose(from);
	free(file);
	return fine;
}

/* What a picture is called: the scenario's name, else its model. */
static const char *title(const cJSON *result)
{
	const char *name = plot_text(result, "scenario/name");

	return *name ? name : plot_text(result, "scenario/model/id");
}

bool plot_script(const struct plot_kind *kind, const cJSON *result, const char *data_dir, FILE *to,
		 struct diag *d)
{
	plot_head_text(to, "NAME", kind->name);
	plot_head_text(to, "TITLE", title(result));
	kind->write_head(result, to);
	fputc('\n', to);
	if (!copy(data_dir, "style", to, d))
		return false;
	fputc('\n', to);
	return copy(data_dir, kind->name, to, d);
}
