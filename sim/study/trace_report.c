/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/trace_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "traffic/trace_reader.h"

#define INT(text, member, unit)                                                                    \
	{                                                                                          \
		.key = (text), .kind = FIELD_INT, .offset = offsetof(struct trace_report, member), \
		.help = (unit)                                                                     \
	}
#define REAL(text, member, unit)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL,                                                 \
		.offset = offsetof(struct trace_report, member), .help = (unit)                    \
	}
#define TEXT(text, member, unit)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_TEXT,                                                 \
		.offset = offsetof(struct trace_report, member), .help = (unit)                    \
	}
#define LENGTH(text, member)                                                                       \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL,                                                 \
		.offset = offsetof(struct trace_lengths, member), .help = "tokens"                 \
	}
#define PART(text, member)                                                                         \
	{                                                                                          \
		.key = (text), .kind = FIELD_RECORD,                                               \
		.offset = offsetof(struct trace_report, member), .of = &lengths_record             \
	}

static const struct field lengths_fields[] = {
	LENGTH("mean", mean),
	LENGTH("p50", p50),
	LENGTH("p90", p90),
	LENGTH("p99", p99),
	{.key = "max",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct trace_lengths, max),
	 .help = "tokens"},
};
static const struct record lengths_record = {.name = "lengths",
					     .size = sizeof(struct trace_lengths),
					     .fields = COUNT(lengths_fields),
					     .field = lengths_fields};

static const struct field fields[] = {
	TEXT("format", format, "how the file is written"),
	INT("requests", requests, "usable rows"),
	INT("skipped", skipped, "rows that cannot be used"),
	INT("skipped_line", skipped_line, "line of the first of them"),
	TEXT("skipped_reason", skipped_reason, "what is wrong with it"),
	REAL("span_s", span_s, "from the first to the last arrival"),
	REAL("rate", rate_rps, "requests/s"),
	REAL("cv", cv, "standard deviation over mean of the gaps"),
	PART("input", input),
	PART("output", output),
};
const struct record trace_report_record = {.name = "trace",
					   .size = sizeof(struct trace_report),
					   .fields = COUNT(fields),
					   .field = fields};

/* How often each length occurs: exact, and bounded since a trace's lengths are. */
struct tokens_count {
	uint64_t *count; /* by tokens */
	int64_t capacity, total, max;
	double sum;
};

static void count_tokens(struct tokens_count *c, int64_t tokens)
{
	if (!c->count || tokens >= c->capacity) {
		int64_t capacity = c->capacity ? c->capacity : 4096;

		while (capacity <= tokens)
			capacity *= 2;
		c->count = xrealloc(c->count, (size_t)capacity * sizeof(*c->count));
		for (int64_t i = c->capacity; i < capacity; i++)
			c->count[i] = 0;
		c->capacity = capacity;
	}
	c->count[tokens]++;
	c->total++;
	c->sum += (double)tokens;
	c->max = tokens > c->max ? tokens : c->max;
}

/* The value of rank `rank` from 0. */
static int64_t value_at(const struct tokens_count *c, int64_t rank)
{
	uint64_t seen = 0;

	for (int64_t tokens = 0; tokens < c->max; tokens++) {
		seen += c->count[tokens];
		if (seen > (uint64_t)rank)
			return tokens;
	}
	return c->max;
}

static double quantile(const struct tokens_count *c, double q)
{
	double rank = (double)(c->total - 1) * q;
	int64_t low = value_at(c, (int64_t)rank);
	int64_t high = value_at(c, (int64_t)ceil(rank));

	return (double)low + (double)(high - low) * (rank - floor(rank));
}

static void settle_lengths(struct trace_lengths *l, struct tokens_count *c)
{
	if (c->total) {
		l->mean = c->sum / (double)c->total;
		l->p50 = quantile(c, 0.5);
		l->p90 = quantile(c, 0.9);
		l->p99 = quantile(c, 0.99);
		l->max = c->max;
	}
	free(c->count);
}

/* Mean and squared deviations of the gaps so far (Welford, Technometrics 1962). */
struct gaps {
	int64_t last_ns, count;
	double mean_s, squares;
};

static void count_gap(struct gaps *g, int64_t arrival_ns, bool first)
{
	double gap_s = (double)(arrival_ns - g->last_ns) * 1e-9, off = gap_s - g->mean_s;

	g->last_ns = arrival_ns;
	if (first)
		return;
	g->mean_s += off / (double)++g->count;
	g->squares += off * (gap_s - g->mean_s);
}

static void settle(struct trace_report *t, const struct trace_reader *r, const struct gaps *g)
{
	t->format = xstrdup(r->format->name);
	t->requests = r->used;
	t->skipped = r->skipped;
	t->skipped_line = r->skipped ? r->skipped_line : RECORD_INT_UNSET;
	t->skipped_reason = r->skipped ? xstrdup(r->skipped_reason) : NULL;
	t->span_s = (double)g->last_ns * 1e-9;
	t->rate_rps = g->last_ns > 0 ? (double)g->count / t->span_s : (double)NAN;
	t->cv = g->last_ns > 0 && g->count > 1
			? sqrt(g->squares / (double)(g->count - 1)) / g->mean_s
			: (double)NAN;
}

static bool check_usable(const struct trace_reader *r, const char *file, struct diag *d)
{
	if (r->used)
		return true;
	if (r->skipped)
		diag_fail(d, "has no usable row: %s", r->skipped_reason);
	else
		diag_fail(d, "has no rows");
	diag_at(d, file, (int)r->skipped_line, r->skipped > 0);
	return false;
}

bool trace_report_read(struct trace_report *t, const char *file, FILE *to,
		       const struct trace_format *as, struct diag *d)
{
	struct tokens_count input = {0}, output = {0};
	struct gaps gaps = {0};
	struct trace_reader r;
	struct trace_request row;
	bool fine;

	*t = (struct trace_report){0};
	if (!trace_reader_init(&r, file, d))
		return false;
	if (as && as->heading)
		fprintf(to, "%s\n", as->heading);
	while (trace_reader_next(&r, &row)) {
		count_tokens(&input, row.input_tokens);
		count_tokens(&output, row.output_tokens);
		count_gap(&gaps, row.arrival_ns, r.used == 1);
		if (as)
			as->write(to, &row);
	}
	settle_lengths(&t->input, &input);
	settle_lengths(&t->output, &output);
	fine = trace_reader_check(&r, d) && check_usable(&r, file, d);
	if (fine)
		settle(t, &r, &gaps);
	trace_reader_free(&r);
	return fine;
}

void trace_report_free(struct trace_report *t)
{
	free(t->format);
	free(t->skipped_reason);
}
