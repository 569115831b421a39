/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/kernel_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/csv.h"
#include "base/xmalloc.h"

const char *const kernel_kind_names[] = {
	"gemm", "experts", "prefill-attention", "decode-attention", "all-reduce", NULL};

#define ON_GEMM	     (1U << KERNEL_GEMM)
#define ON_EXPERTS   (1U << KERNEL_EXPERTS)
#define ON_PREFILL   (1U << KERNEL_PREFILL)
#define ON_DECODE    (1U << KERNEL_DECODE)
#define ON_LINK	     (1U << KERNEL_ALL_REDUCE)
#define ON_ATTENTION (ON_PREFILL | ON_DECODE)
#define ON_WEIGHTS   (ON_GEMM | ON_EXPERTS)
#define ALWAYS	     (ON_WEIGHTS | ON_ATTENTION | ON_LINK)

/* A number's column, the kinds that need it, and the least that it may be. */
struct number_column {
	const char *name;
	size_t offset;
	unsigned needed;
	double least;
};
#define NUMBER(NAME, NEEDED, LEAST)                                                                \
	{                                                                                          \
#NAME, offsetof(struct kernel_row, NAME), NEEDED, LEAST                            \
	}

static const struct number_column numbers[] = {
	NUMBER(m, ON_WEIGHTS, 1),
	NUMBER(n, ON_WEIGHTS, 1),
	NUMBER(k, ON_WEIGHTS, 1),
	NUMBER(experts, ON_EXPERTS, 1),
	NUMBER(chosen, ON_EXPERTS, 1),
	NUMBER(batch, ON_ATTENTION, 1),
	NUMBER(tokens, ON_PREFILL, 1),
	NUMBER(cached, ON_ATTENTION, 0),
	NUMBER(heads, ON_ATTENTION, 1),
	NUMBER(kv_heads, ON_ATTENTION, 1),
	NUMBER(head_dim, ON_ATTENTION, 1),
	NUMBER(gpus, ON_LINK, 2),
	NUMBER(bytes, ON_LINK, 1),
	{"us", offsetof(struct kernel_row, seconds), ALWAYS, 1e-3},
};
enum { NUMBERS = COUNT(numbers), KIND = NUMBERS, DTYPE, SOURCE, COLUMNS };

struct reader {
	struct csv csv;
	int column[COLUMNS]; /* of numbers, kind, dtype, source; -1: the file has none */
	struct diag *d;
};

static const char *column_name(int i)
{
	static const char *const texts[] = {"kind", "dtype", "source"};

	return i < NUMBERS ? numbers[i].name : texts[i - NUMBERS];
}

/* Puts the row's place and the column into the diag. */
static bool fail_at(struct reader *r, int column)
{
	diag_at(r->d, r->csv.name, (int)r->csv.number, 0);
	diag_path(r->d, column_name(column));
	return false;
}

static const char *cell(const struct reader *r, int column)
{
	int i = r->column[column];

	return i >= 0 && (size_t)i < r->csv.fields ? r->csv.field[i] : "";
}

static bool read_header(struct reader *r)
{
	if (!csv_row(&r->csv)) {
		diag_at(r->d, r->csv.name, 1, 0);
		return diag_fail(r->d, "a kernel table begins with a header; the file is empty");
	}
	for (int i = 0; i < COLUMNS; i++)
		r->column[i] = csv_column(&r->csv, column_name(i));
	if (r->column[KIND] >= 0)
		return true;
	diag_fail(r->d,
		  "the header of a kernel table has the columns kind, dtype, m, n, k, experts, "
		  "chosen, batch, tokens, cached, heads, kv_heads, head_dim, gpus, bytes, us and "
		  "source");
	return fail_at(r, KIND);
}

static bool read_choice(struct reader *r, int column, const char *const *names, int *choice)
{
	const char *text = cell(r, column);

	for (*choice = 0; names[*choice]; ++*choice)
		if (!strcmp(text, names[*choice]))
			return true;
	diag_unknown(r->d, column_name(column), text, names);
	return fail_at(r, column);
}

static bool read_number(struct reader *r, int column, struct kernel_row *row)
{
	const struct number_column *c = &numbers[column];
	const char *text = cell(r, column);
	double *value = (double *)((char *)row + c->offset);
	char *end;

	if (!*text && !(c->needed & 1U << row->kind))
		return true;
	*value = strtod(text, &end);
	if (*text && !*end && *value >= c->least && *value <= 1e15)
		return true;
	diag_found(r->d, text);
	diag_fail(r->d, "a row of %s needs a number from %g", kernel_kind_names[row->kind],
		  c->least);
	return fail_at(r, column);
}

static bool fail_number(struct reader *r, const char *name, const char *why)
{
	diag_fail(r->d, "%s", why);
	for (int i = 0; i < NUMBERS; i++)
		if (!strcmp(numbers[i].name, name))
			return fail_at(r, i);
	return false;
}

static bool check_row(struct reader *r, const struct kernel_row *row)
{
	if (row->kv_heads > row->heads)
		return fail_number(r, "kv_heads", "there are no more KV heads than heads");
	if (row->chosen > row->experts)
		return fail_number(r, "chosen", "no more experts are chosen than there are");
	return true;
}

static uint64_t mix(uint64_t hash, double value)
{
	return (hash ^ (uint64_t)value) * UINT64_C(0x100000001b3);
}

/* Rows of one weight, of one set of heads or of one ring are no independent witnesses. */
static uint64_t shape_of(const struct kernel_row *r)
{
	uint64_t hash = mix(mix(UINT64_C(0xcbf29ce484222325), r->kind), r->dtype);

	hash = mix(mix(mix(hash, r->n), r->k), r->experts);
	hash = mix(mix(mix(hash, r->heads), r->kv_heads), r->head_dim);
	return mix(hash, r->kind == KERNEL_ALL_REDUCE ? r->bytes : 0);
}

static bool read_row(struct reader *r, struct kernel_row *row)
{
	*row = (struct kernel_row){.tokens = 1, .line = (int)r->csv.number};
	if (!read_choice(r, KIND, kernel_kind_names, &row->kind))
		return false;
	if (row->kind != KERNEL_ALL_REDUCE &&
	    !read_choice(r, DTYPE, compute_type_names, &row->dtype))
		return false;
	for (int i = 0; i < NUMBERS; i++)
		if (!read_number(r, i, row))
			return false;
	row->seconds *= 1e-6;
	row->shape = shape_of(row);
	return check_row(r, row);
}

static void note_source(struct kernel_table *t, const char *source)
{
	char **text = t->sources.data;

	for (size_t i = t->sources.count; i-- > 0;)
		if (!strcmp(text[i], source))
			return;
	record_texts_add(&t->sources, xstrdup(source));
}

static bool add_row(struct kernel_table *t, struct reader *r)
{
	t->row = xrealloc(t->row, (t->rows + 1) * sizeof *t->row);
	if (!read_row(r, &t->row[t->rows]))
		return false;
	t->rows++;
	if (*cell(r, SOURCE))
		note_source(t, cell(r, SOURCE));
	return true;
}

static bool read_rows(struct kernel_table *t, struct reader *r)
{
	if (!read_header(r))
		return false;
	while (csv_row(&r->csv))
		if ((r->csv.fields > 1 || *r->csv.field[0]) && !add_row(t, r))
			return false;
	if (t->rows && !r->csv.failed)
		return true;
	diag_at(r->d, r->csv.name, 0, 0);
	return diag_fail(r->d,
			 r->csv.failed ? "the file cannot be read" : "the kernel table has no row");
}

bool kernel_table_read(struct kernel_table *t, const char *file, struct diag *d)
{
	struct reader r = {.d = d};

	*t = (struct kernel_table){.file = file};
	if (!csv_open(&r.csv, file, d))
		return false;
	bool fine = read_rows(t, &r);
	csv_close(&r.csv);
	return fine;
}

void kernel_table_free(struct kernel_table *t)
{
	free(t->row);
	record_texts_free(&t->sources);
}

double kernel_element_bytes(enum compute_type type)
{
	static const double bytes[COMPUTE_TYPES] = {
		[COMPUTE_FP32] = 4, [COMPUTE_TF32] = 4, [COMPUTE_BF16] = 2,   [COMPUTE_FP16] = 2,
		[COMPUTE_FP8] = 1,  [COMPUTE_INT8] = 1, [COMPUTE_INT4] = 0.5, [COMPUTE_FP4] = 0.5,
	};

	return bytes[type];
}
