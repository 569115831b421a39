/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts: one that grows in an array of fixed size, the end of another. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Appends to the text in `to`, an array of `size` bytes; what does not fit is cut off. */
void text_add(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether the text ends so, with something before it: the extension of a file's name. */
bool text_ends(const char *text, const char *ending);

#endif
