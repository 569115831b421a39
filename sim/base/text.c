/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_add(char *to, size_t size, const char *format, ...)
{
	size_t used = strlen(to);
	va_list args;

	va_start(args, format);
	vsnprintf(to + used, size - used, format, args);
	va_end(args);
}

bool text_ends(const char *text, const char *ending)
{
	size_t length = strlen(text), tail = strlen(ending);

	return length > tail && strcmp(text + length - tail, ending) == 0;
}
