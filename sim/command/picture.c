/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/picture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/child.h"
#include "base/count.h"
#include "base/json_doc.h"
#include "base/text.h"
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

/* ---- one file ---- */

char *picture_temporary(struct diag *d)
{
	const char *place = getenv("TMPDIR");
	char *folder = xasprintf("%s/infercap-XXXXXX", place ? place : "/tmp");

	if (mkdtemp(folder))
		return folder;
	diag_at(d, place ? place : "/tmp", 0, 0);
	diag_fail(d, "no folder can be made there");
	free(folder);
	return NULL;
}

void picture_temporary_drop(char *folder, const struct plot_kind *const *kinds)
{
	static const char *const endings[] = {"csv", "gp", "svg", "png", "pdf"};

	for (size_t i = 0; folder && kinds[i]; i++)
		for (size_t k = 0; k < COUNT(endings); k++) {
			char *file = xasprintf("%s/%s.%s", folder, kinds[i]->name, endings[k]);

			unlink(file);
			free(file);
		}
	if (folder)
		rmdir(folder);
	free(folder);
}

const char *picture_format_of(const char *file, struct diag *d)
{
	static const char *const endings[] = {".svg", ".png", ".pdf", NULL};
	const char *dot = strrchr(file, '.');

	for (size_t i = 0; endings[i]; i++)
		if (text_ends(file, endings[i]))
			return endings[i] + 1;
	diag_at(d, file, 0, 0);
	diag_unknown(d, "ending of a picture", dot ? dot : "", endings);
	return NULL;
}

static struct json_doc *document_of(void (*write)(const void *answer, FILE *to), const void *answer,
				    struct diag *d)
{
	struct json_doc *doc;
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		BUG("no memory stream");
	write(answer, memory);
	fclose(memory);
	doc = json_doc_parse("result", text, d);
	free(text);
	return doc;
}

/* The picture in the folder becomes the file, which may be of another file system. */
static bool move(const char *folder, const struct plot_kind *kind, const char *format,
		 const char *file, struct diag *d)
{
	char *from = xasprintf("%s/%s.%s", folder, kind->name, format);
	FILE *in = fopen(from, "rb");
	struct artefact a;
	char part[4096];
	bool good;

	free(from);
	good = in && artefact_open(&a, NULL, file, d);
	for (size_t n; good && (n = fread(part, 1, sizeof part, in)) > 0;)
		fwrite(part, 1, n, a.file);
	if (in)
		fclose(in);
	return good ? artefact_commit(&a, d)
		    : !d->set && diag_fail(d, "the picture cannot be read back");
}

bool picture_file(const char *file, const struct plot_kind *kind, const struct picture_setup *setup,
		  void (*write)(const void *answer, FILE *to), const void *answer, struct diag *d)
{
	const struct plot_kind *const kinds[] = {kind, NULL};
	struct picture_setup p = *setup;
	struct json_doc *doc = document_of(write, answer, d);
	char *folder = doc ? picture_temporary(d) : NULL;
	bool good = folder != NULL;

	p.folder = folder;
	if (good && !kind->has(json_doc_root(doc)))
		good = diag_fail(d, "nothing that is compared can be drawn");
	good = good && picture_draw(&p, kinds, json_doc_root(doc), d) &&
	       move(folder, kind, p.format, file, d);
	picture_temporary_drop(folder, kinds);
	json_doc_del(doc);
	return good;
}
