/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/record_csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_write.h"
#include "base/xmalloc.h"

/* Where a row or a heading stands: whether a comma is due, and the path down to the record. */
struct csv_out {
	FILE *to;
	bool started;
};

static void put(struct csv_out *out, const char *text)
{
	if (out->started)
		fputc(',', out->to);
	out->started = true;
	csv_write(out->to, text);
}

static void put_real(struct csv_out *out, double value)
{
	char text[32];

	json_number(text, value);
	put(out, isfinite(value) ? text : "");
}

static void put_headings(const struct record *r, const char *path, struct csv_out *out)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		char *name = xasprintf("%s%s%s", path, *path ? "." : "", f->key);
		if (f->kind == FIELD_RECORD) {
			put_headings(f->of, name, out);
		} else if (f->kind == FIELD_VECTOR) {
			for (size_t k = 0; k < f->count; k++) {
				char *element = xasprintf("%s[%zu]", name, k);
				put(out, element);
				free(element);
			}
		} else if (f->kind != FIELD_LIST) {
			put(out, name);
		}
		free(name);
	}
}

static void put_text(struct csv_out *out, const struct field *f, const char *at)
{
	const char *text = f->flags & FIELD_BUFFER ? at : *(char *const *)at;

	put(out, text ? text : "");
}

static void put_int(struct csv_out *out, int64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", (long long)value);
	put(out, value == RECORD_INT_UNSET ? "" : text);
}

static void put_choice(struct csv_out *out, const struct field *f, int choice)
{
	const char *name = ((const char *const *)f->of)[choice];

	put(out, name ? name : "");
}

/* A record that is not there. */
static void put_nothing(const struct record *r, struct csv_out *out)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->kind == FIELD_RECORD)
			put_nothing(f->of, out);
		else if (f->kind != FIELD_LIST)
			for (size_t k = 0; k < (f->kind == FIELD_VECTOR ? f->count : 1); k++)
				put(out, "");
	}
}

static void put_row(const struct record *r, const char *object, struct csv_out *out);

static void put_record(const struct field *f, const char *at, struct csv_out *out)
{
	if (!(f->flags & FIELD_POINTER))
		put_row(f->of, at, out);
	else if (*(const char *const *)at)
		put_row(f->of, *(const char *const *)at, out);
	else
		put_nothing(f->of, out);
}

static void put_row(const struct record *r, const char *object, struct csv_out *out)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		const char *at = object + f->offset;
		double scale = f->scale != 0 ? f->scale : 1;
		switch (f->kind) {
		case FIELD_BOOL:
			put(out, *(const bool *)at ? "true" : "false");
			break;
		case FIELD_INT:
			put_int(out, *(const int64_t *)at);
			break;
		case FIELD_REAL:
			put_real(out, *(const double *)at / scale);
			break;
		case FIELD_TEXT:
			put_text(out, f, at);
			break;
		case FIELD_CHOICE:
			put_choice(out, f, *(const int *)at);
			break;
		case FIELD_RECORD:
			put_record(f, at, out);
			break;
		case FIELD_VECTOR:
			for (size_t k = 0; k < f->count; k++)
				put_real(out, ((const double *)at)[k] / scale);
			break;
		case FIELD_LIST: /* of any length: JSON has it */
			break;
		}
	}
}

void record_csv_heading(const struct record *r, FILE *to)
{
	struct csv_out out = {.to = to};

	put_headings(r, "", &out);
	fputc('\n', to);
}

void record_csv_row(const struct record *r, const void *object, FILE *to)
{
	struct csv_out out = {.to = to};

	put_row(r, object, &out);
	fputc('\n', to);
}

void record_csv_table(const struct record *r, const void *objects, size_t n, FILE *to)
{
	record_csv_heading(r, to);
	for (size_t i = 0; i < n; i++)
		record_csv_row(r, (const char *)objects + i * r->size, to);
}
