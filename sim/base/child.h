/* SPDX-License-Identifier: GPL-3.0-or-later */
/* External programs by fork and exec, never through a shell. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>

/* Whether `program` is found on PATH. */
bool child_exists(const char *program);

/* Runs argv (NULL-terminated) in `folder` (NULL: this one), decimal points whatever the locale, its
 * standard output going to the descriptor `output`: stderr's where stdout belongs to our own
 * results. Its exit status, or -1 if it could not start. */
int child_run(const char *folder, const char *const argv[], int output);

#endif
