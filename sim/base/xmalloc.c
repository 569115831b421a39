/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/xmalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory, size_t bytes)
{
	if (memory)
		return memory;
	fprintf(stderr, "infercap: out of memory (%zu bytes asked)\n", bytes);
	abort();
}

void *xmalloc(size_t bytes)
{
	return checked(malloc(bytes ? bytes : 1), bytes);
}

void *xcalloc(size_t count, size_t bytes)
{
	if (bytes && count > SIZE_MAX / bytes)
		return checked(NULL, SIZE_MAX);
	return checked(calloc(count ? count : 1, bytes ? bytes : 1), count * bytes);
}

void *xrealloc(void *old, size_t bytes)
{
	return checked(realloc(old, bytes ? bytes : 1), bytes);
}

char *xstrdup(const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(xmalloc(bytes), text, bytes);
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		checked(NULL, 0);
	text = xmalloc((size_t)length + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}
