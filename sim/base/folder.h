/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a folder holds. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

/* Names of a folder's files with this ending, hidden ones left out, sorted, NULL-terminated: what
 * is read in this order fails always alike. NULL: there is no such folder. The list and each name
 * to be released with free(). */
char **folder_list(const char *folder, const char *ending);

#endif
