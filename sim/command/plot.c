/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_doc.h"
#include "base/xmalloc.h"
#include "command/command.h"
#include "command/picture.h"
#include "report/document.h"
#include "report/plot.h"
#include "report/plot_value.h"

/* A result document, what is to be drawn of it, and where. */
struct drawing {
	struct json_doc *doc;
	const struct plot_kind *kinds[PLOT_KINDS_MAX + 1];
	struct picture_setup setup;
	char *temporary; /* a folder of our own for text that nobody asked to keep; or NULL */
};

/* The file, or the result.json of a folder. */
static struct json_doc *read_result(const char *operand, struct diag *d)
{
	struct stat s;
	bool folder = strcmp(operand, "-") != 0 && !stat(operand, &s) && S_ISDIR(s.st_mode);
	char *file = folder ? xasprintf("%s/result.json", operand) : xstrdup(operand);
	struct json_doc *doc = json_doc_read(file, d);

	free(file);
	return doc;
}

/* Every document has its version and command on top. */
static bool check_result(const struct json_doc *doc, struct diag *d)
{
	const cJSON *root = json_doc_root(doc);

	if (*plot_text(root, "infercap") && *plot_text(root, "command"))
		return true;
	json_doc_locate(doc, root, d);
	return diag_fail(d, "this is no result: it must be the document that --json prints or "
			    "that --out writes as result.json");
}

static bool fail_no_data(const struct json_doc *doc, const struct plot_kind *kind, struct diag *d)
{
	diag_at(d, json_doc_name(doc), 0, 0);
	return diag_fail(d, "this result of %s has no data for %s: that comes from %s",
			 plot_text(json_doc_root(doc), "command"), kind->name, kind->made_by);
}

static bool fail_nothing(const struct json_doc *doc, struct diag *d)
{
	diag_at(d, json_doc_name(doc), 0, 0);
	diag_fail(d,
		  "this result of %s has nothing that can be drawn; infercap plot --help says "
		  "what can be",
		  plot_text(json_doc_root(doc), "command"));
	return false;
}

static bool choose_kinds(struct drawing *w, const struct option_list *wanted, struct diag *d)
{
	const cJSON *root = json_doc_root(w->doc);

	if (!wanted->count) {
		plot_list(root, w->kinds);
		return w->kinds[0] || fail_nothing(w->doc, d);
	}
	if (wanted->count > PLOT_KINDS_MAX)
		return diag_fail(d, "--kind is given %zu times", wanted->count);
	for (size_t i = 0; i < wanted->count; i++) {
		w->kinds[i] = plot_find(wanted->value[i], d);
		if (!w->kinds[i])
			return false;
		if (!w->kinds[i]->has(root))
			return fail_no_data(w->doc, w->kinds[i], d);
	}
	return true;
}

static bool choose_format(struct drawing *w, const struct options *o, struct diag *d)
{
	const char *wanted = o->format ? o->format : picture_formats[0];

	size_t i = 0;

	while (picture_formats[i] && strcmp(picture_formats[i], wanted) != 0)
		i++;
	if (!picture_formats[i])
		return diag_unknown(d, "format", wanted, picture_formats);
	w->setup.format = picture_formats[i];
	if (o->json && !strcmp(wanted, "text"))
		return diag_fail(d, "--json leaves no room for --format text on standard output");
	return true;
}

static bool choose_folder(struct drawing *w, const struct options *o, struct diag *d)
{
	const char *folder = json_doc_folder(w->doc);

	w->setup.folder = o->out ? o->out : folder ? folder : ".";
	if (o->out || strcmp(w->setup.format, "text") != 0)
		return true;
	w->setup.folder = w->temporary = picture_temporary(d);
	return w->temporary != NULL;
}

static void write_file(struct json_write *w, const struct drawing *of, const struct plot_kind *kind,
		       const char *key, const char *ending)
{
	char *file = xasprintf("%s/%s.%s", of->setup.folder, kind->name, ending);

	json_write_key(w, key);
	json_write_text(w, file);
	free(file);
}

static void write_json(const struct drawing *of)
{
	struct json_write w;

	document_open(&w, stdout, "plot", NULL, RECORD_INT_UNSET);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; of->kinds[i]; i++) {
		json_write_open(&w, '{');
		json_write_key(&w, "kind");
		json_write_text(&w, of->kinds[i]->name);
		write_file(&w, of, of->kinds[i], "picture", of->setup.format);
		write_file(&w, of, of->kinds[i], "data", "csv");
		write_file(&w, of, of->kinds[i], "script", "gp");
		json_write_close(&w, '}');
	}
	json_write_close(&w, ']');
	document_close(&w);
}

static void answer(const struct options *o, const struct drawing *w)
{
	if (o->json)
		write_json(w);
	else if (strcmp(w->setup.format, "text") != 0)
		for (size_t i = 0; w->kinds[i]; i++)
			printf("%s/%s.%s\n", w->setup.folder, w->kinds[i]->name, w->setup.format);
}

static int draw(struct drawing *w, const struct options *o, struct diag *d)
{
	int status = EXIT_ANSWERED;

	if (!choose_kinds(w, &o->kind, d))
		return options_fail(o, d);
	if (choose_folder(w, o, d) && picture_draw(&w->setup, w->kinds, json_doc_root(w->doc), d))
		answer(o, w);
	else
		status = options_fail_machine(o, d);
	picture_temporary_drop(w->temporary, w->kinds);
	return status;
}

int cmd_plot(const struct options *o)
{
	struct drawing w = {.setup = {.data_dir = o->data_dir, .format = picture_formats[0]}};
	struct diag d;
	int status;

	diag_init(&d);
	if (choose_format(&w, o, &d) && (w.doc = read_result(o->operand, &d)) &&
	    check_result(w.doc, &d))
		status = draw(&w, o, &d);
	else
		status = options_fail(o, &d);
	json_doc_del(w.doc);
	return status;
}
