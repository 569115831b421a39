/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/traffic.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/wide.h"
#include "traffic/arrival_clock.h"
#include "traffic/fail_at.h"
#include "traffic/length_draw.h"
#include "traffic/trace_reader.h"

static const struct field fields[] = {
	{.key = "arrivals",
	 .help = "when requests arrive",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct traffic, arrivals),
	 .of = &arrivals_record},
	{.key = "input",
	 .help = "tokens of a prompt",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct traffic, input),
	 .of = &length_law_record},
	{.key = "output",
	 .help = "tokens of an answer",
	 .kind = FIELD_RECORD,
	 .offset = offsetof(struct traffic, output),
	 .of = &length_law_record},
	{.key = "trace",
	 .help = "file that replaces arrivals and lengths",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct traffic, trace),
	 .flags = FIELD_PATH},
	{.key = "rate_scale",
	 .help = "multiplies the trace's rate",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct traffic, rate_scale),
	 .min = 0,
	 .max = 1e9,
	 .flags = FIELD_ABOVE_MIN},
	{.key = "rate",
	 .help = "requests/s that the trace is stretched to",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct traffic, rate),
	 .min = 0,
	 .max = 1e9,
	 .flags = FIELD_ABOVE_MIN},
	{.key = "requests",
	 .help = "arrivals of one replication, warm-up included",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct traffic, requests),
	 .min = 1,
	 .max = 1e9,
	 .flags = FIELD_AUTO},
	{.key = "warmup",
	 .help = "first requests that are not measured",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct traffic, warmup),
	 .min = 0,
	 .max = 1e9,
	 .flags = FIELD_AUTO},
	{.key = "seed",
	 .help = "of all random streams",
	 .def = "1",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct traffic, seed),
	 .min = 0,
	 .max = 0x1p53},
	{.key = "classes",
	 .help = "kinds of requests with shares, lengths and limits of their own",
	 .kind = FIELD_LIST,
	 .flags = FIELD_NOT_YET},
};

static bool check_laws(const struct traffic *t, struct diag *d)
{
	if (t->arrivals.process == ARRIVAL_poisson && isnan(t->arrivals.rate))
		return FAIL_AT(d, "arrivals", "traffic needs arrivals with a rate, or a trace");
	if (!length_law_is_set(&t->input))
		return FAIL_AT(d, "input", "traffic needs the length of its input, or a trace");
	if (!length_law_is_set(&t->output))
		return FAIL_AT(d, "output", "traffic needs the length of its output, or a trace");
	if (!isnan(t->rate_scale))
		return FAIL_AT(d, "rate_scale", "rate_scale goes with a trace");
	return isnan(t->rate) ||
	       FAIL_AT(d, "rate", "rate goes with a trace; here it is arrivals.rate");
}

static bool check(const void *object, struct diag *d)
{
	const struct traffic *t = object;

	if (!t->trace)
		return check_laws(t, d);
	if (strcmp(t->trace, "-") == 0)
		return FAIL_AT(d, "trace", "a trace is read more than once: it must be a file");
	return isnan(t->rate) || isnan(t->rate_scale) ||
	       FAIL_AT(d, "rate", "rate sets the trace's rate, rate_scale multiplies it: give one");
}

const struct record traffic_record = {
	.name = "traffic",
	.size = sizeof(struct traffic),
	.fields = COUNT(fields),
	.field = fields,
	.check = check,
};

bool traffic_is_closed(const struct traffic *t)
{
	return !t->trace && t->arrivals.process == ARRIVAL_closed;
}

bool traffic_is_offline(const struct traffic *t)
{
	return !t->trace && t->arrivals.process == ARRIVAL_offline;
}

bool traffic_is_terminating(const struct traffic *t)
{
	return t->trace || t->arrivals.process == ARRIVAL_schedule;
}

static double own_rate_rps(const struct traffic_facts *facts)
{
	return facts->span_s > 0 ? (double)(facts->requests - 1) / facts->span_s : (double)NAN;
}

double traffic_trace_factor(const struct traffic *t, const struct traffic_facts *facts)
{
	if (!isnan(t->rate))
		return t->rate / own_rate_rps(facts);
	return isnan(t->rate_scale) ? 1 : t->rate_scale;
}

static void count_row(struct traffic_facts *f, const struct trace_request *row)
{
	f->requests++;
	f->span_s = (double)row->arrival_ns * 1e-9;
	f->input_max = max64(f->input_max, row->input_tokens);
	f->output_max = max64(f->output_max, row->output_tokens);
	f->total_max = max64(f->total_max, row->input_tokens + row->output_tokens);
	f->input_mean += (double)row->input_tokens;
	f->output_mean += (double)row->output_tokens;
}

/* What follows from the count; the means hold sums so far. */
static bool settle_trace(const struct traffic *t, const struct trace_reader *r,
			 struct traffic_facts *f, struct diag *d)
{
	f->skipped = r->skipped;
	f->skipped_line = r->skipped_line;
	snprintf(f->skipped_reason, sizeof(f->skipped_reason), "%s",
		 r->skipped ? r->skipped_reason : "");
	snprintf(f->format, sizeof(f->format), "%s", r->format->name);
	if (!f->requests && f->skipped) {
		diag_fail(d, "has no usable row: %s", f->skipped_reason);
		diag_at(d, t->trace, (int)f->skipped_line, 1);
		return false;
	}
	if (!f->requests) {
		diag_fail(d, "has no rows");
		diag_at(d, t->trace, 0, 0);
		return false;
	}
	f->input_mean /= (double)f->requests;
	f->output_mean /= (double)f->requests;
	if (!isnan(t->rate) && isnan(own_rate_rps(f))) {
		diag_fail(d, "all requests arrive at one time: there is no rate to set");
		diag_at(d, t->trace, 0, 0);
		return false;
	}
	f->rate_rps = own_rate_rps(f) * traffic_trace_factor(t, f);
	return true;
}

static bool trace_facts(const struct traffic *t, struct traffic_facts *f, struct diag *d)
{
	struct trace_reader r;
	struct trace_request row;
	bool fine;

	if (!trace_reader_init(&r, t->trace, d))
		return false;
	while (trace_reader_next(&r, &row))
		count_row(f, &row);
	fine = trace_reader_check(&r, d) && settle_trace(t, &r, f, d);
	trace_reader_free(&r);
	return fine;
}

static bool length_facts(const struct length_law *law, int64_t *max, double *mean, struct diag *d)
{
	struct length_draw draw;

	if (!length_draw_init(&draw, law, d))
		return false;
	*max = length_draw_max(&draw);
	*mean = length_draw_mean(&draw);
	length_draw_free(&draw);
	return true;
}

bool traffic_facts(const struct traffic *t, struct traffic_facts *f, struct diag *d)
{
	*f = (struct traffic_facts){0};
	if (t->trace)
		return trace_facts(t, f, d);
	f->requests = RECORD_INT_UNSET;
	f->span_s = (double)NAN;
	f->rate_rps = arrival_clock_rate_rps(&t->arrivals);
	if (!length_facts(&t->input, &f->input_max, &f->input_mean, d) ||
	    !length_facts(&t->output, &f->output_max, &f->output_mean, d))
		return false;
	f->total_max = min64(f->input_max + f->output_max, INT64_MAX / 4);
	return true;
}
