/* SPDX-License-Identifier: GPL-3.0-or-later */
/* External programs by fork and exec, never through a shell. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>

/* Whether `program` is found on PATH. */
bool child_exists(const char *program);

/* Runs argv (NULL-terminated) with LC_ALL=C, output to stderr; its exit status, or -1 if it could
 * not start. */
int child_run(const char *const argv[]);

#endif
