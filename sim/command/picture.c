/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/picture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/child.h"
#include "base/json_doc.h"
#include "base/xmalloc.h"
#include "command/artefact.h"
#include "report/plot.h"

const char *const picture_formats[] = {"svg", "png", "pdf", "text", NULL};

static bool save_script(const struct picture_setup *p, const struct plot_kind *kind,
			const cJSON *result, struct diag *d)
{
	struct artefact script;
	char *name = xasprintf("%s.gp", kind->name);
	bool opened = artefact_open(&script, p->folder, name, d);

	free(name);
	if (!opened)
		return false;
	if (plot_script(kind, result, p->data_dir, script.file, d))
		return artefact_commit(&script, d);
	artefact_drop(&script);
	return false;
}

static bool save_data(const struct picture_setup *p, const struct plot_kind *kind,
		      const cJSON *result, struct diag *d)
{
	struct artefact data;
	char *name = xasprintf("%s.csv", kind->name);
	bool opened = artefact_open(&data, p->folder, name, d);

	free(name);
	if (!opened)
		return false;
	kind->write_csv(result, data.file);
	return artefact_commit(&data, d);
}

/* Columns and lines of the terminal, as a setting of the script. */
static char *text_size(void)
{
	struct winsize w = {0};
	const char *columns = getenv("COLUMNS");
	int wide = columns ? atoi(columns) : 0;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col)
		wide = w.ws_col;
	if (wide < 40 || wide > 1000)
		wide = 100;
	return xasprintf("OUT=\"-\"; COLUMNS=%d; LINES=%d", wide, wide < 96 ? 24 : 32);
}

static bool show(const struct picture_setup *p, const char *script)
{
	char *settings = text_size();
	const char *const argv[] = {"gnuplot", "-d", "-e", settings, script, NULL};
	bool drawn = child_run(p->folder, argv, STDOUT_FILENO) == 0;

	free(settings);
	return drawn;
}

/* Under a name of its own until it is whole. */
static bool render(const struct picture_setup *p, const char *kind, const char *script)
{
	char *part = xasprintf("%s.%ld.%s", kind, (long)getpid(), p->format);
	char *settings = xasprintf("OUT=\"%s\"", part);
	char *from = xasprintf("%s/%s", p->folder, part);
	char *to = xasprintf("%s/%s.%s", p->folder, kind, p->format);
	const char *const argv[] = {"gnuplot", "-d", "-e", settings, script, NULL};
	bool drawn = child_run(p->folder, argv, STDERR_FILENO) == 0 && rename(from, to) == 0;

	if (!drawn)
		unlink(from);
	free(part);
	free(settings);
	free(from);
	free(to);
	return drawn;
}

static bool draw(const struct picture_setup *p, const struct plot_kind *kind, struct diag *d)
{
	char *script = xasprintf("%s.gp", kind->name);
	bool drawn =
		strcmp(p->format, "text") != 0 ? render(p, kind->name, script) : show(p, script);

	free(script);
	if (drawn)
		return true;
	diag_at(d, p->folder, 0, 0);
	return diag_fail(d, "gnuplot could not draw %s.gp", kind->name);
}

bool picture_draw(const struct picture_setup *p, const struct plot_kind *const *kinds,
		  const cJSON *result, struct diag *d)
{
	for (size_t i = 0; kinds[i]; i++)
		if (!save_data(p, kinds[i], result, d) || !save_script(p, kinds[i], result, d))
			return false;
	if (kinds[0] && !child_exists("gnuplot")) {
		diag_at(d, p->folder, 0, 0);
		return diag_fail(d,
				 "gnuplot is missing (Debian: apt-get install gnuplot-nox); data "
				 "and script are there: gnuplot %s.gp draws them",
				 kinds[0]->name);
	}
	for (size_t i = 0; kinds[i]; i++)
		if (!draw(p, kinds[i], d))
			return false;
	return true;
}

static void tell(const char *folder, const struct plot_kind *const *kinds, const char *format)
{
	fprintf(stderr, "infercap: %s holds result.json", folder);
	for (size_t i = 0; kinds[i]; i++)
		fprintf(stderr, "%s %s.%s", i ? "," : " and, with data and script,", kinds[i]->name,
			format);
	fputc('\n', stderr);
}

bool picture_save(const struct options *o, struct diag *d)
{
	const struct picture_setup p = {
		.folder = o->out, .data_dir = o->data_dir, .format = picture_formats[0]};
	const struct plot_kind *kinds[PLOT_KINDS_MAX + 1];
	char *file = xasprintf("%s/result.json", o->out);
	struct json_doc *doc = json_doc_read(file, d);
	bool drawn = false;

	free(file);
	if (doc) {
		plot_list(json_doc_root(doc), kinds);
		drawn = picture_draw(&p, kinds, json_doc_root(doc), d);
	}
	json_doc_del(doc);
	if (drawn && kinds[0] && !o->quiet)
		tell(o->out, kinds, p.format);
	return drawn;
}
