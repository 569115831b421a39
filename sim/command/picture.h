/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pictures of a result document: data and script side by side in a folder, drawn by gnuplot. */
#ifndef COMMAND_PICTURE_H
#define COMMAND_PICTURE_H

#include "command/options.h"
#include "report/plot_kind.h"

/* How pictures are made. */
struct picture_setup {
	const char *folder; /* made if missing */
	const char *data_dir;
	const char *format; /* an ending, "svg", or "text": on standard output */
};

/* The formats, NULL-terminated, the default first. */
extern const char *const picture_formats[];

/* Draws these kinds (NULL-terminated): NAME.csv, NAME.gp and NAME.svg, each whole or not at all.
 * Without gnuplot, data and scripts are written before it fails. False with d filled: the machine
 * failed. */
bool picture_draw(const struct picture_setup *p, const struct plot_kind *const *kinds,
		  const cJSON *result, struct diag *d);

/* The pictures that belong to `--out DIR`: all kinds that DIR/result.json, written before, has data
 * for. Says on stderr, unless it is to be quiet, what the folder holds. */
bool picture_save(const struct options *o, struct diag *d);

/* A folder of our own for what nobody asked to keep; NULL with d filled. Dropped with what these
 * kinds put there; NULL: nothing. */
char *picture_temporary(struct diag *d);
void picture_temporary_drop(char *folder, const struct plot_kind *const *kinds);

/* The format that a file's ending asks for, no text; NULL with d filled. */
const char *picture_format_of(const char *file, struct diag *d);

/* One picture of the document that `write` writes, as a file of that name alone. False with d
 * filled: the machine failed. */
bool picture_file(const char *file, const struct plot_kind *kind, const struct picture_setup *setup,
		  void (*write)(const void *answer, FILE *to), const void *answer, struct diag *d);

#endif
