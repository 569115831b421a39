/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 as RFC 3629 has it. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at `at`, 1 to 4, of which `left` bytes may be read; 0 if it is none
 * (overlong forms and surrogates are none). */
size_t utf8_bytes(const char *at, size_t left);

#endif
