/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep_axis.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "scenario/set_path.h"

/* An axis being read. */
struct reader {
	struct sweep_axis *axis;
	const char *text;
	struct diag *d;
};

static bool fail(const struct reader *in, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool fail(const struct reader *in, const char *format, ...)
{
	char *place = xasprintf("--over %s", in->text), message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	diag_fail(in->d, "%s", message);
	diag_at(in->d, place, 1, 1);
	free(place);
	return false;
}

void sweep_axis_free(struct sweep_axis *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->value[i]);
	free(a->value);
	free(a->path);
	*a = (struct sweep_axis){0};
}

static bool has_value(const struct sweep_axis *a, const char *value)
{
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->value[i], value) == 0)
			return true;
	return false;
}

/* The axis owns the text from here on. */
static void add(struct sweep_axis *a, char *value)
{
	a->value = xrealloc(a->value, (a->count + 1) * sizeof *a->value);
	a->value[a->count++] = value;
}

/* ---- ranges ---- */

struct range {
	double low, high;
	long n;
	bool log;
};

static bool read_number(const char **at, double *number)
{
	char *end;

	*number = strtod(*at, &end);
	if (end == *at || !isfinite(*number) || (*end && *end != ':'))
		return false;
	*at = *end ? end + 1 : end;
	return true;
}

static bool check_range(const struct reader *in, const struct range *r)
{
	if (!(r->low < r->high))
		return fail(in, "a range runs up: %g is not below %g", r->low, r->high);
	if (r->log && !(r->low > 0))
		return fail(in, "a range by logarithms begins above 0, not at %g", r->low);
	if (r->n < 2 || r->n > SWEEP_POINTS_MAX)
		return fail(in, "a range has from 2 to %d values", SWEEP_POINTS_MAX);
	return true;
}

static bool read_range(const struct reader *in, const char *text, struct range *r)
{
	static const char *const forms = "a range is lo:hi:n or lo:hi:n:log, as in 1:32:12";
	const char *at = text;
	char *end;

	if (!read_number(&at, &r->low) || !read_number(&at, &r->high) || !*at)
		return fail(in, "%s, not \"%s\"", forms, text);
	errno = 0;
	r->n = strtol(at, &end, 10);
	r->log = strcmp(end, ":log") == 0;
	if (end == at || errno || (*end && !r->log))
		return fail(in, "%s, not \"%s\"", forms, text);
	return check_range(in, r);
}

static double range_value(const struct range *r, long i)
{
	double part = (double)i / (double)(r->n - 1);

	if (i == 0 || i == r->n - 1)
		return i ? r->high : r->low;
	return r->log ? r->low * pow(r->high / r->low, part) : r->low + (r->high - r->low) * part;
}

static void add_range(struct sweep_axis *a, const struct range *r, bool whole)
{
	for (long i = 0; i < r->n; i++) {
		double value = range_value(r, i);
		char *text = xasprintf("%.12g", whole ? round(value) : value);

		if (a->count > 0 && strcmp(a->value[a->count - 1], text) == 0)
			free(text);
		else
			add(a, text);
	}
	a->numbers = true;
}

/* ---- lists ---- */

/* Length up to the next `sign` that is in no brackets or quotes, or to the end. */
static size_t span(const char *text, char sign)
{
	int depth = 0;
	bool quoted = false;
	size_t i;

	for (i = 0; text[i] && (quoted || depth > 0 || text[i] != sign); i++) {
		if (quoted && text[i] == '\\' && text[i + 1])
			i++;
		else if (text[i] == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (strchr("[{", text[i]) != NULL) - (strchr("]}", text[i]) != NULL);
	}
	return i;
}

static bool add_list(const struct reader *in, const char *text)
{
	struct sweep_axis *a = in->axis;
	double last = -INFINITY;

	a->numbers = true;
	for (;; text++) {
		size_t length = span(text, ',');
		char *value = xasprintf("%.*s", (int)length, text), *end;
		double number = strtod(value, &end);
		bool twice = has_value(a, value);

		add(a, value);
		if (!length)
			return fail(in, "value %zu is empty", a->count);
		if (twice)
			return fail(in, "the value %s stands twice", value);
		a->numbers = a->numbers && !*end && number > last;
		last = number;
		text += length;
		if (!*text)
			return true;
	}
}

static bool read_values(const struct reader *in, const char *text, const struct scenario *s)
{
	struct range r = {0};

	if (text[span(text, ',')] || !text[span(text, ':')])
		return add_list(in, text);
	if (!read_range(in, text, &r))
		return false;
	const struct field *f = set_path_field(s, in->axis->path);
	add_range(in->axis, &r, f && f->kind == FIELD_INT);
	return true;
}

bool sweep_axis_read(struct sweep_axis *a, const char *text, const struct scenario *s,
		     struct diag *d)
{
	const struct reader in = {.axis = a, .text = text, .d = d};
	const char *equals = strchr(text, '=');

	*a = (struct sweep_axis){0};
	if (!equals || equals == text)
		return fail(&in, "--over takes PATH=lo:hi:n, PATH=lo:hi:n:log or PATH=a,b,c, as in "
				 "traffic.arrivals.rate=1:32:12");
	a->path = xasprintf("%.*s", (int)(equals - text), text);
	if (read_values(&in, equals + 1, s))
		return true;
	sweep_axis_free(a);
	return false;
}
