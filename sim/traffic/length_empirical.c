/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/xmalloc.h"
#include "traffic/fail_at.h"
#include "traffic/length_draw.h"

/* Points of the quantile function: [q, tokens]. */
struct points {
	double (*at)[2];
	size_t count, capacity;
};

static bool check(const struct length_law *law, struct diag *d)
{
	if (law->quantiles.count && law->file)
		return FAIL_AT(d, "file",
			       "an empirical length takes quantiles or a file, not both");
	return law->quantiles.count || law->file ||
	       FAIL_AT(d, "quantiles", "an empirical length needs quantiles or a file");
}

static void push(struct points *p, double q, double tokens)
{
	if (p->count == p->capacity) {
		p->capacity = p->capacity ? 2 * p->capacity : 64;
		p->at = xrealloc(p->at, p->capacity * sizeof(*p->at));
	}
	p->at[p->count][0] = q;
	p->at[p->count++][1] = tokens;
}

static bool read_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	while (*end == ' ')
		end++;
	return end != text && !*end && isfinite(*value);
}

/* One row: q,tokens or a length alone (then q is settled after sorting); the first row may be a
 * heading. */
static bool read_row(struct points *p, struct csv *c, size_t *columns, struct diag *d)
{
	double value[2] = {0, 0};
	size_t n = c->fields;
	bool numbers = (n == 1 || n == 2) && read_number(c->field[0], &value[0]) &&
		       (n < 2 || read_number(c->field[1], &value[1]));

	if (n == 1 && !*c->field[0])
		return true;
	if (!numbers && !p->count && c->number == 1)
		return true;
	if (!numbers || (*columns && *columns != n)) {
		diag_fail(d, "a row of lengths is q,tokens or one length");
		diag_at(d, c->name, (int)c->number, 1);
		return false;
	}
	*columns = n;
	push(p, n == 1 ? 0 : value[0], value[n - 1]);
	return true;
}

static int compare_tokens(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (x[1] > y[1]) - (x[1] < y[1]);
}

/* A sample: its i-th smallest of n is the quantile i/(n - 1). */
static void sort_sample(struct points *p)
{
	qsort(p->at, p->count, sizeof(*p->at), compare_tokens);
	for (size_t i = 0; i < p->count; i++)
		p->at[i][0] = p->count > 1 ? (double)i / (double)(p->count - 1) : 0.5;
}

static bool read_file(struct points *p, const char *file, struct diag *d)
{
	struct csv c;
	size_t columns = 0;
	bool fine = true;

	if (!csv_open(&c, file, d))
		return false;
	while (fine && csv_row(&c))
		fine = read_row(p, &c, &columns, d);
	if (fine && c.failed)
		fine = diag_fail(d, "%s cannot be read", file);
	csv_close(&c);
	if (fine && columns == 1)
		sort_sample(p);
	return fine;
}

static bool check_points(const struct points *p, const struct length_law *law, struct diag *d)
{
	const char *key = law->file ? "file" : "quantiles";

	if (!p->count)
		return FAIL_AT(d, key, "there are no lengths");
	for (size_t i = 0; i < p->count; i++) {
		const double *x = p->at[i];

		if (!(x[0] >= 0 && x[0] <= 1))
			return FAIL_AT(d, key, "the quantile %g is not between 0 and 1", x[0]);
		if (!(x[1] >= 0 && x[1] <= LENGTH_DRAW_MAX))
			return FAIL_AT(d, key, "%g is no length in tokens", x[1]);
		if (i && (x[0] <= p->at[i - 1][0] || x[1] < p->at[i - 1][1]))
			return FAIL_AT(d, key,
				       "[%g, %g] after [%g, %g]: quantiles must increase, and "
				       "tokens must not decrease",
				       x[0], x[1], p->at[i - 1][0], p->at[i - 1][1]);
	}
	if (p->at[p->count - 1][0] < 1 && p->count > 1 && isnan(law->max))
		return FAIL_AT(d, key, "the quantiles end at %g: give the one at 1, or max",
			       p->at[p->count - 1][0]);
	return true;
}

/* Below the first point the function starts at min (or one token), above the last it ends at max.
 */
static void build(struct length_draw *draw, const struct points *p, const struct length_law *law)
{
	const double *first = p->at[0], *last = p->at[p->count - 1];
	struct guide_table *t = &draw->table;
	size_t n = 0;

	guide_table_init(t, p->count + 2, true);
	if (first[0] > 0)
		t->value[n++] = fmin(first[1], isnan(law->min) ? 1 : law->min);
	for (size_t i = 0; i < p->count; i++, n++) {
		t->u[n] = p->at[i][0];
		t->value[n] = p->at[i][1];
	}
	if (last[0] < 1) {
		t->u[n] = 1;
		t->value[n++] = fmax(last[1], isnan(law->max) ? last[1] : law->max);
	}
	t->count = n;
	guide_table_index(t);
}

static bool init(struct length_draw *draw, const struct length_law *law, struct diag *d)
{
	struct points p = {0};
	bool fine = true;

	if (law->file)
		fine = read_file(&p, law->file, d);
	for (size_t i = 0; i < law->quantiles.count; i++) {
		const double *pair = (const double *)law->quantiles.data + 2 * i;

		push(&p, pair[0], pair[1]);
	}
	fine = fine && check_points(&p, law, d);
	if (fine && p.count == 1)
		length_draw_constant(draw, p.at[0][1]);
	else if (fine)
		build(draw, &p, law);
	free(p.at);
	return fine;
}

static double cdf(const struct length_draw *draw, double x)
{
	return guide_table_inverse(&draw->table, x);
}

static double quantile(const struct length_draw *draw, double u)
{
	return guide_table_interpolate(&draw->table, u);
}

const struct length_kind length_empirical = {
	.name = "empirical",
	.help = "linear between quantiles, or a sample from a file",
	.check = check,
	.init = init,
	.cdf = cdf,
	.quantile = quantile,
	.bounded = true,
};
