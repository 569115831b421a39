/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/trace_table.h"

#include <inttypes.h>
#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "report/table.h"

/* Digits that show a value to the unit, at least `least`. */
static int whole_digits(double value, int least)
{
	int digits = value < 1 ? 1 : (int)floor(log10(value)) + 1;

	return digits > least ? digits : least;
}

static void lengths_row(struct table *t, const char *name, const struct trace_lengths *l)
{
	table_text(t, name);
	table_number(t, l->mean, whole_digits(l->mean, 1));
	table_number(t, l->p50, whole_digits(l->p50, 1));
	table_number(t, l->p90, whole_digits(l->p90, 1));
	table_number(t, l->p99, whole_digits(l->p99, 1));
	table_number(t, (double)l->max, whole_digits((double)l->max, 1));
}

static void print_lengths(const struct trace_report *report, FILE *to)
{
	static const char *const heading[] = {"tokens", "mean", "p50", "p90", "p99", "max"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	lengths_row(&t, "input", &report->input);
	lengths_row(&t, "output", &report->output);
	table_print(&t, to);
	table_free(&t);
}

void trace_table_print(const struct trace_report *t, const char *file, FILE *to)
{
	char requests[48], span[48], rate[48], cv[48];

	number_text(requests, (double)t->requests, whole_digits((double)t->requests, 1));
	number_text(span, t->span_s, whole_digits(t->span_s, 4));
	number_text(rate, t->rate_rps, 4);
	number_text(cv, t->cv, 4);
	fprintf(to, "%s: %s, %s requests over %s s\n", file, t->format, requests, span);
	if (t->span_s > 0)
		fprintf(to, "%s requests/s, cv of the gaps %s\n", rate, cv);
	if (t->skipped)
		fprintf(to, "%" PRId64 " rows cannot be used; the first is line %" PRId64 ": %s\n",
			t->skipped, t->skipped_line, t->skipped_reason);
	fputc('\n', to);
	print_lengths(t, to);
}
