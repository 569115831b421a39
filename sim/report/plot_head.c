/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot_head.h"

#include <math.h>

/* A text as a gnuplot string in single quotes, where only the quote itself is special. */
static void quote(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
	fputc('\'', to);
}

void plot_head_text(FILE *to, const char *name, const char *text)
{
	fprintf(to, "%s = ", name);
	quote(to, text);
	fputc('\n', to);
}

void plot_head_real(FILE *to, const char *name, double value)
{
	if (isfinite(value))
		fprintf(to, "%s = %.9g\n", name, value);
	else
		fprintf(to, "%s = NaN\n", name);
}

void plot_head_texts(FILE *to, const char *name, const struct record_list *texts)
{
	char *const *text = texts->data;

	fprintf(to, "array %s[%zu] = [", name, texts->count ? texts->count : 1);
	for (size_t i = 0; i < texts->count; i++) {
		fputs(i ? ", " : "", to);
		quote(to, text[i]);
	}
	fputs(texts->count ? "]\n" : "'']\n", to);
}

void plot_head_reals(FILE *to, const char *name, const double *value, size_t count)
{
	fprintf(to, "array %s[%zu] = [", name, count ? count : 1);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s%.9g", i ? ", " : "", value[i]);
	fputs(count ? "]\n" : "NaN]\n", to);
}
