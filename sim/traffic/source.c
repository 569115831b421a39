/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/wide.h"
#include "base/xmalloc.h"
#include "traffic/arrival_clock.h"
#include "traffic/length_draw.h"
#include "traffic/trace_reader.h"
#include "traffic/traffic.h"

struct source {
	int64_t next, requests;
	int64_t drawn;		      /* of the laws, those passed over too */
	int64_t input_min, input_max; /* only prompts of so many tokens */
	tick last;		      /* arrival handed out before */
	bool all_at_once, is_trace;
	uint64_t input_key, output_key;
	struct length_draw input, output;
	struct arrival_clock clock;
	struct trace_reader trace;
	double s_per_ns; /* of a trace, its rate scaled */
};

static bool init_trace(struct source *s, const struct source_setup *setup, struct diag *d)
{
	struct traffic_facts counted;
	const struct traffic_facts *facts = setup->facts;
	double factor;

	if (!facts && !traffic_facts(setup->traffic, &counted, d))
		return false;
	if (!facts)
		facts = &counted;
	factor = traffic_trace_factor(setup->traffic, facts) * setup->rate_factor;
	BUG_IF(!(factor > 0));
	if (facts->span_s / factor > 1e8)
		return diag_fail(d, "at this rate the trace lasts %g s, above 10^8 s",
				 facts->span_s / factor);
	s->s_per_ns = 1e-9 / factor;
	return trace_reader_init(&s->trace, setup->traffic->trace, d);
}

static bool init_laws(struct source *s, const struct source_setup *setup, struct diag *d)
{
	const struct traffic *t = setup->traffic;

	if (!length_draw_init(&s->input, &t->input, d))
		return false;
	if (!length_draw_init(&s->output, &t->output, d)) {
		length_draw_free(&s->input);
		return false;
	}
	s->input_key = rng_key(setup->seed, "input", setup->replication);
	s->output_key = rng_key(setup->seed, "output", setup->replication);
	arrival_clock_init(&s->clock, &t->arrivals, setup->seed, setup->replication,
			   setup->rate_factor);
	return true;
}

struct source *source_new(const struct source_setup *setup, struct diag *d)
{
	struct source *s = xcalloc(1, sizeof(*s));

	s->requests = setup->requests;
	s->input_max = INT64_MAX;
	if (setup->facts && setup->facts->class_max) {
		s->input_min = setup->facts->class_min;
		s->input_max = setup->facts->class_max;
	}
	s->all_at_once = setup->all_at_once;
	s->is_trace = setup->traffic->trace;
	if (s->is_trace ? init_trace(s, setup, d) : init_laws(s, setup, d))
		return s;
	free(s);
	return NULL;
}

void source_del(struct source *s)
{
	if (!s)
		return;
	if (s->is_trace) {
		trace_reader_free(&s->trace);
	} else {
		length_draw_free(&s->input);
		length_draw_free(&s->output);
		arrival_clock_free(&s->clock);
	}
	free(s);
}

/* The trace's next row, from the start again in the saturated run. */
static bool next_row(struct source *s, struct trace_request *row)
{
	if (trace_reader_next(&s->trace, row))
		return true;
	return s->all_at_once && s->trace.used && trace_reader_rewind(&s->trace) &&
	       trace_reader_next(&s->trace, row);
}

static bool next_of_trace(struct source *s, struct request *r, double *arrival_s)
{
	struct trace_request row;

	if (!next_row(s, &row))
		return false;
	r->input_tokens = (int32_t)row.input_tokens;
	r->output_tokens = (int32_t)row.output_tokens;
	*arrival_s = (double)row.arrival_ns * s->s_per_ns;
	return true;
}

void source_lengths(struct source *s, int64_t number, struct request *r)
{
	r->input_tokens = length_draw_at(&s->input, s->input_key, number);
	r->output_tokens = length_draw_at(&s->output, s->output_key, number);
}

bool source_is_numbered(const struct source *s)
{
	return !s->is_trace && s->input_max == INT64_MAX;
}

static void next_of_laws(struct source *s, struct request *r, double *arrival_s)
{
	source_lengths(s, s->drawn++, r);
	if (!s->all_at_once)
		*arrival_s = arrival_clock_next_s(&s->clock);
}

bool source_next(struct source *s, struct request *r)
{
	double arrival_s = 0;
	tick arrival;

	if (s->next >= s->requests)
		return false;
	do {
		if (!s->is_trace)
			next_of_laws(s, r, &arrival_s);
		else if (!next_of_trace(s, r, &arrival_s))
			return false;
	} while (r->input_tokens < s->input_min || r->input_tokens > s->input_max);
	arrival = s->all_at_once ? 0 : tick_from_s(arrival_s);
	/* Two slots of a schedule may meet with a rounding error. */
	s->last = max64(s->last, arrival);
	r->number = s->next++;
	r->arrival = s->last;
	return true;
}

bool source_check(const struct source *s, struct diag *d)
{
	return !s->is_trace || trace_reader_check(&s->trace, d);
}
