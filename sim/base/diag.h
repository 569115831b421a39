/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's mistake, located: the one way in which an input fails. The first one set is kept. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct diag {
	bool set;
	char file[512];	    /* as the user named it; "" where no file is involved */
	int line, column;   /* from 1, columns count characters; 0: none */
	char path[256];	    /* JSON path: "traffic.arrivals.rate"; "" none */
	char message[1024]; /* one sentence without a full stop */
	char found[256];    /* what stood there; "" none */
	char allowed[1024]; /* what may stand there; "" none */
	char nearest[128];  /* nearest known name; "" none */
};

/* Empties d. */
void diag_init(struct diag *d);

/* Says what is wrong; returns false, so that a function can end with it. Keeps an earlier message.
 */
bool diag_fail(struct diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the place to a diag (only if it has none yet). */
void diag_at(struct diag *d, const char *file, int line, int column);
void diag_path(struct diag *d, const char *path);
/* What stood there, and the names that may stand there (NULL-terminated); each only if there is
 * none yet. */
void diag_found(struct diag *d, const char *text);
void diag_allowed(struct diag *d, const char *const *names);

/* The name as what was found, the allowed names and the nearest of them; each only if there is none
 * yet. */
void diag_suggest(struct diag *d, const char *name, const char *const *names);

/* "unknown WHAT "NAME"", with the allowed names and the nearest of them; returns false. */
bool diag_unknown(struct diag *d, const char *what, const char *name, const char *const *names);

/* Of `names` (NULL-terminated) the one that `name` means: by the table of foreign words, else one
 * that it begins with or that begins with it, else by edit distance; NULL if none is near. */
const char *diag_nearest(const char *name, const char *const *names);

/* "infercap: FILE:LINE:COLUMN: PATH: message, found F; did you mean "x"? (allowed: A)" and a
 * newline; parts that are empty or already in the message are left out. */
void diag_print(const struct diag *d, FILE *to);

/* {"error": {file, line, column, path, message, found, allowed, nearest}} and a newline; what is
 * not known is null. */
void diag_json(const struct diag *d, FILE *to);

#endif
