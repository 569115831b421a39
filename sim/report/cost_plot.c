/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/cost_plot.h"

#include <errno.h>
#include <string.h>

/* A text as a gnuplot string in single quotes. */
static void quote(const char *text, FILE *to)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', to);
		if ((unsigned char)*text >= ' ')
			fputc(*text, to);
	}
	fputc('\'', to);
}

/* Whether a GPU has a point with a price: no other has a line. */
static bool has_line(const struct replacement *r, size_t candidate)
{
	for (size_t i = 0; i < r->points; i++)
		if (r->point[i].candidate == candidate && !isnan(r->point[i].usd_per_1k_requests))
			return true;
	return false;
}

bool cost_plot_has_lines(const struct replacement *r)
{
	bool any = has_line(r, r->from.candidate);

	for (size_t i = 0; i < r->sides; i++)
		any |= has_line(r, r->to[i].candidate);
	return any;
}

static void print_settings(const struct replacement *r, const char *title, FILE *to)
{
	fputs("TITLE = ", to);
	quote(title, to);
	fprintf(to, "\nLIMIT = %.6g\nGPUS = '", r->from.max_rps);
	if (has_line(r, r->from.candidate))
		fputs(r->from.gpu, to);
	for (size_t i = 0; i < r->sides; i++)
		if (r->to[i].candidate != r->from.candidate && has_line(r, r->to[i].candidate))
			fprintf(to, " %s", r->to[i].gpu);
	fputs("'\n\n", to);
}

bool cost_plot_script(const struct replacement *r, const char *title, const char *template_file,
		      FILE *to, struct diag *d)
{
	char part[4096];
	size_t n;
	FILE *from = fopen(template_file, "r");

	if (!from)
		return diag_fail(d, "%s cannot be read: %s", template_file, strerror(errno));
	print_settings(r, title, to);
	while ((n = fread(part, 1, sizeof part, from)) > 0)
		fwrite(part, 1, n, to);
	bool fine = !ferror(from);
	fclose(from);
	return fine || diag_fail(d, "%s cannot be read", template_file);
}
