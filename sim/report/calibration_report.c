/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/calibration_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "report/table.h"

/* Below such a share of variance taken away the rows have told nothing of a constant. */
static const double untold = 0.1;
/* Standard deviations beyond which a constant has moved further than it should. */
#define FAR 3.0

static char *name_of(const struct calibration_constant *k)
{
	return k->gpu ? xasprintf("%s, %s", k->path, k->gpu) : xstrdup(k->path);
}

static const char *remark_on(const struct calibration_constant *k)
{
	if (k->group)
		return "not told apart, see below";
	return k->told < untold ? "the rows say nothing of it" : "";
}

static void print_constants(const struct calibration *c, FILE *to)
{
	static const char *const heading[] = {"constant", "of",	   "before", "sigma",
					      "after",	  "sigma", "remark"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < c->constants; i++) {
		const struct calibration_constant *k = &c->constant[i];
		char *name = name_of(k);

		table_text(&t, name);
		table_text(&t, k->owner);
		table_number(&t, k->before, 4);
		table_number(&t, k->sigma_before, 2);
		table_number(&t, k->after, 4);
		table_number(&t, k->sigma_after, 2);
		table_text(&t, remark_on(k));
		free(name);
	}
	table_print(&t, to);
	table_free(&t);
}

/* The errors of one metric. */
struct errors {
	const char *metric;
	size_t n, outliers;
	double median_before, median_after, worst_before, worst_after;
};

static double worst_of(const double *error, size_t n)
{
	return n ? gsl_stats_max(error, 1, n) : (double)NAN;
}

static struct errors errors_of(const struct calibration *c, const char *metric)
{
	struct errors e = {.metric = metric};
	double *before = xcalloc(c->figures + 1, sizeof *before);
	double *after = xcalloc(c->figures + 1, sizeof *after);

	for (size_t i = 0; i < c->figures; i++) {
		const struct calibration_figure *f = &c->figure[i];

		if (strcmp(f->figure->path, metric) != 0)
			continue;
		e.outliers += f->weight < 1;
		before[e.n] = fabs(f->before / f->figure->value - 1);
		after[e.n++] = fabs(f->after / f->figure->value - 1);
	}
	e.worst_before = worst_of(before, e.n);
	e.worst_after = worst_of(after, e.n);
	e.median_before = gsl_stats_median(before, 1, e.n);
	e.median_after = gsl_stats_median(after, 1, e.n);
	free(before);
	free(after);
	return e;
}

/* Whether an earlier figure has the metric. */
static bool is_repeated(const struct calibration *c, size_t figure)
{
	for (size_t i = 0; i < figure; i++)
		if (strcmp(c->figure[i].figure->path, c->figure[figure].figure->path) == 0)
			return true;
	return false;
}

static void print_errors(const struct calibration *c, FILE *to)
{
	static const char *const heading[] = {"figure",		  "rows",     "pulled\nless",
					      "median before\n%", "after\n%", "worst before\n%",
					      "after\n%"};
	struct table t;

	table_begin(&t, heading, COUNT(heading));
	for (size_t i = 0; i < c->figures; i++) {
		if (is_repeated(c, i))
			continue;
		struct errors e = errors_of(c, c->figure[i].figure->path);

		table_text(&t, e.metric);
		table_number(&t, (double)e.n, 0);
		table_number(&t, (double)e.outliers, 0);
		table_number(&t, 100 * e.median_before, 3);
		table_number(&t, 100 * e.median_after, 3);
		table_number(&t, 100 * e.worst_before, 3);
		table_number(&t, 100 * e.worst_after, 3);
	}
	table_print(&t, to);
	table_free(&t);
}

/* In units of its uncertainty before. */
static double moved_sigmas(const struct calibration_constant *k)
{
	return fabs(log(k->after / k->before)) * k->before / k->sigma_before;
}

/* "The rows cannot tell layer_us and step_us apart", once a group: where its first one stands. */
static void print_group(const struct calibration *c, size_t first, FILE *to)
{
	size_t group = c->constant[first].group, left = 0;

	for (size_t i = 0; i < c->constants; i++)
		left += c->constant[i].group == group;
	fputs("The rows cannot tell ", to);
	for (size_t i = first; i < c->constants; i++)
		if (c->constant[i].group == group)
			fprintf(to, "%s%s", c->constant[i].path,
				--left > 1 ? ", " : (left ? " and " : " "));
	fputs("apart: they know of them together. A model of another depth or a load of another "
	      "kind could.\n",
	      to);
}

static void print_warnings(const struct calibration *c, FILE *to)
{
	for (size_t i = 0; i < c->constants; i++)
		if (c->constant[i].group == i + 1)
			print_group(c, i, to);
	for (size_t i = 0; i < c->constants; i++)
		if (moved_sigmas(&c->constant[i]) > FAR)
			fprintf(to,
				"%s moved by %.1f standard deviations: see whether the scenario is "
				"what was measured (model, GPU, precision, lengths, limits).\n",
				c->constant[i].path, moved_sigmas(&c->constant[i]));
	if (!c->converged)
		fputs("The fit did not settle: the constants are not to be used.\n", to);
}

void calibration_report_print(const struct calibration *c, FILE *to)
{
	print_constants(c, to);
	fputc('\n', to);
	print_errors(c, to);
	fprintf(to, "\n%zu rows", c->rows);
	if (c->rows_left)
		fprintf(to, "; %zu more are left out by rules, or the program refuses them",
			c->rows_left);
	if (c->figures_left)
		fprintf(to,
			"; %zu figures are faster than the datasheet allows or have no simulated "
			"one",
			c->figures_left);
	fputs(". A figure that is far off pulls less.\n", to);
	print_warnings(c, to);
}

static void key_real(struct json_write *w, const char *key, double value)
{
	json_write_key(w, key);
	json_write_real(w, value);
}

static void key_text(struct json_write *w, const char *key, const char *text)
{
	json_write_key(w, key);
	json_write_text(w, text);
}

static void constant_json(const struct calibration_constant *k, struct json_write *w)
{
	json_write_open(w, '{');
	key_text(w, "constant", k->path);
	key_text(w, "of", k->owner);
	key_text(w, "gpu", k->gpu);
	key_real(w, "before", k->before);
	key_real(w, "sigma_before", k->sigma_before);
	key_real(w, "after", k->after);
	key_real(w, "sigma_after", k->sigma_after);
	key_real(w, "told", k->told);
	json_write_key(w, "group");
	if (k->group)
		json_write_int(w, (int64_t)k->group);
	else
		json_write_text(w, NULL);
	json_write_close(w, '}');
}

static void figure_json(const struct calibration_figure *f, struct json_write *w)
{
	json_write_open(w, '{');
	json_write_key(w, "line");
	json_write_int(w, f->row->line);
	key_text(w, "figure", f->figure->path);
	key_real(w, "measured", f->figure->value);
	key_real(w, "before", f->before);
	key_real(w, "after", f->after);
	key_real(w, "weight", f->weight);
	json_write_close(w, '}');
}

void calibration_report_json(const struct calibration *c, struct json_write *w)
{
	json_write_open(w, '{');
	json_write_key(w, "converged");
	json_write_bool(w, c->converged);
	json_write_key(w, "constants");
	json_write_open(w, '[');
	for (size_t i = 0; i < c->constants; i++)
		constant_json(&c->constant[i], w);
	json_write_close(w, ']');
	json_write_key(w, "figures");
	json_write_open(w, '[');
	for (size_t i = 0; i < c->figures; i++)
		figure_json(&c->figure[i], w);
	json_write_close(w, ']');
	json_write_close(w, '}');
}
