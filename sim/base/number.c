/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void group_thousands(char *text)
{
	char *start = text + (*text == '-');
	size_t digits = strspn(start, "0123456789");
	size_t rest = strlen(start + digits) + 1;

	for (size_t at = digits; at > 3; at -= 3) {
		memmove(start + at - 2, start + at - 3, digits - at + 3 + (digits - at) / 3 + rest);
		start[at - 3] = ',';
	}
}

void number_text(char *text, double value, int digits)
{
	if (isnan(value)) {
		snprintf(text, 48, "-");
		return;
	}
	double size = fabs(value);
	if (digits == 0 && size < 1e15) {
		snprintf(text, 48, "%.0f", value);
		group_thousands(text);
		return;
	}
	if (isinf(value) || size >= 1e15 || (size > 0 && size < 1e-4)) {
		snprintf(text, 48, "%.*g", digits, value);
		return;
	}
	char rounded[NUMBER_TEXT]; /* so that 0.998 at two digits is 1.0 */
	snprintf(rounded, sizeof rounded, "%.*e", digits - 1, size);
	int whole = size > 0 ? atoi(strchr(rounded, 'e') + 1) + 1 : 1;
	int decimals = digits > whole ? digits - whole : 0;
	snprintf(text, 48, "%.*f", decimals, value);
	group_thousands(text);
}

void number_plain(char *text, double value)
{
	number_text(text, value, fabs(value - round(value)) < 1e-9 * fabs(value) ? 0 : 4);
}
