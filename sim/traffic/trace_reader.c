/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/trace_reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/wide.h"

/* The longest run believed: what a clock of ticks holds. */
#define SPAN_NS_MAX (INT64_C(100000000) * 1000000000)

static bool next_line(struct trace_reader *r, struct trace_text *line)
{
	if (r->pending) {
		r->pending = false;
		*line = (struct trace_text){r->csv.line, r->csv.length};
		return true;
	}
	while ((line->at = csv_line(&r->csv))) {
		line->length = r->csv.length;
		if (line->length)
			return true;
	}
	return false;
}

/* Whether the first line has all that gives the format away; sets the columns. */
static bool recognise(struct trace_reader *r, const struct trace_format *format,
		      struct trace_text line)
{
	struct trace_text found[TRACE_ROW_FIELDS];

	if (format->json != (*line.at == '{'))
		return false;
	if (format->json && trace_row_json(line, format->field, found))
		return false;
	for (int i = 0; i < TRACE_ROW_FIELDS; i++) {
		r->column[i] = -1;
		if (!format->field[i])
			continue;
		if (!format->json)
			r->column[i] = trace_row_column(line, format->field[i], &r->columns);
		if (format->json ? !found[i].at : r->column[i] < 0)
			return false;
	}
	r->format = format;
	r->pending = format->json; /* its first line is a row already */
	return true;
}

/* What is no trace at all, by its first bytes. */
static const char *look_alike(struct trace_text line)
{
	if (line.length >= 2 && !memcmp(line.at, "\x1f\x8b", 2))
		return "is compressed: unpack it first";
	if (line.length >= 24 && !memcmp(line.at, "version https://git-lfs.", 24))
		return "is a Git LFS pointer, not the data";
	if (strspn(line.at, "0123456789.+-eE,") < 1 || !strchr(line.at, ','))
		return NULL;
	return "has no heading: columns are told apart by their names";
}

static void list_formats(struct diag *d)
{
	for (const struct trace_format *const *f = trace_formats; *f; f++)
		if (!(*f)->refused)
			text_add(d->allowed, sizeof(d->allowed), "%s%s", d->allowed[0] ? ", " : "",
				 (*f)->name);
}

static bool is_text(struct trace_text line)
{
	for (size_t i = 0; i < line.length; i++)
		if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
			return false;
	return true;
}

/* What separates the fields where no comma does; NULL: nothing known. */
static const char *other_separator(struct trace_text line)
{
	if (memchr(line.at, ',', line.length))
		return NULL;
	if (memchr(line.at, ';', line.length))
		return "semicolons";
	return memchr(line.at, '\t', line.length) ? "tabs" : NULL;
}

static bool fail_unknown(struct trace_text line, struct diag *d)
{
	bool text = is_text(line), heading = *line.at != '{' && memchr(line.at, ',', line.length);
	const char *separator = text ? other_separator(line) : NULL;

	list_formats(d);
	snprintf(d->found, sizeof(d->found), "%.80s", line.at);
	if (separator)
		return diag_fail(d, "is separated by %s, not by commas as in \"%s\"", separator,
				 trace_vidur.heading);
	if (text && heading)
		return diag_fail(d, "is in no known format of traces; a heading may be \"%s\"",
				 trace_vidur.heading);
	return diag_fail(d, "is in no known format of traces");
}

static bool find_format(struct trace_reader *r, struct diag *d)
{
	struct trace_text line;
	const char *what;

	if (!next_line(r, &line))
		return diag_fail(d, r->csv.failed ? "cannot be read, or is one endless line"
						  : "is empty");
	for (const struct trace_format *const *f = trace_formats; *f; f++) {
		if (!recognise(r, *f, line))
			continue;
		return !(*f)->refused ||
		       diag_fail(d, "the format %s %s", (*f)->name, (*f)->refused);
	}
	what = look_alike(line);
	if (what)
		return diag_fail(d, "%s", what);
	return fail_unknown(line, d);
}

bool trace_reader_init(struct trace_reader *r, const char *file, struct diag *d)
{
	struct stat s;
	bool fine;

	*r = (struct trace_reader){0};
	if (!csv_open(&r->csv, file, d))
		return false;
	if (fstat(fileno(r->csv.file), &s) == 0 && S_ISDIR(s.st_mode))
		fine = diag_fail(d, "is a folder, not a trace");
	else
		fine = find_format(r, d);
	if (fine)
		return true;
	diag_at(d, file, (int)r->csv.number, r->csv.number > 0);
	csv_close(&r->csv);
	return false;
}

void trace_reader_free(struct trace_reader *r)
{
	csv_close(&r->csv);
}

/* Time, input and output of a line, the time as written; NULL, or what is wrong. */
static const char *parse(const struct trace_reader *r, struct trace_text line,
			 struct trace_request *row)
{
	const struct trace_format *f = r->format;
	struct trace_text found[TRACE_ROW_FIELDS] = {{0}};
	const char *wrong;

	if (memchr(line.at, '\0', line.length))
		return "holds a NUL byte";
	wrong = f->json ? trace_row_json(line, f->field, found)
			: trace_row_csv(line, r->column, r->columns, found);
	if (wrong)
		return wrong;
	if (!found[TRACE_TIME].at || !found[TRACE_INPUT].at || !found[TRACE_OUTPUT].at)
		return "a key is missing";
	if (!f->time(found[TRACE_TIME], &row->arrival_ns))
		return "the time cannot be read";
	wrong = trace_text_tokens(found[TRACE_INPUT], &row->input_tokens);
	if (!wrong)
		wrong = trace_text_tokens(found[TRACE_OUTPUT], &row->output_tokens);
	if (wrong)
		return wrong;
	if (!row->input_tokens)
		return "no input tokens";
	return row->output_tokens ? NULL : "no output tokens";
}

/* Makes the time relative to the first used row; NULL, or what is wrong. */
static const char *place(struct trace_reader *r, struct trace_request *row)
{
	int64_t wrap = r->format->wrap_ns;
	wide t = (wide)row->arrival_ns + r->wrapped_ns; /* of a mad file beyond 64 bits */

	/* Back by most of the period: the clock started again. */
	if (wrap && r->started && t < r->last_ns - wrap / 2) {
		r->wrapped_ns += wrap;
		t += wrap;
	}
	if (!r->started)
		r->first_ns = r->last_ns = (int64_t)t;
	if (t < r->last_ns)
		return "earlier than the row before";
	if (t - r->first_ns > SPAN_NS_MAX)
		return "more than 10^8 s after the first row";
	r->started = true;
	r->last_ns = (int64_t)t;
	row->arrival_ns = r->last_ns - r->first_ns;
	return NULL;
}

bool trace_reader_next(struct trace_reader *r, struct trace_request *request)
{
	struct trace_text line;

	while (next_line(r, &line)) {
		const char *wrong = parse(r, line, request);

		if (!wrong)
			wrong = place(r, request);
		if (!wrong) {
			r->used++;
			return true;
		}
		if (r->skipped++ == 0) {
			r->skipped_line = r->csv.number;
			r->skipped_reason = wrong;
		}
	}
	return false;
}

bool trace_reader_check(const struct trace_reader *r, struct diag *d)
{
	if (!r->csv.failed)
		return true;
	diag_fail(d, "cannot be read further, or holds an endless line");
	diag_at(d, r->csv.name, (int)r->csv.number, 1);
	return false;
}

bool trace_reader_rewind(struct trace_reader *r)
{
	struct trace_text heading;

	if (fseek(r->csv.file, 0, SEEK_SET))
		return false;
	r->csv.number = 0;
	r->pending = r->started = false;
	r->wrapped_ns = r->used = r->skipped = 0;
	return r->format->json || next_line(r, &heading);
}
