/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that grows in an array of fixed size. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* Appends to the text in `to`, an array of `size` bytes; what does not fit is cut off. */
void text_add(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
