/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traffic/length_class.h"

#include <stdlib.h>

#include "base/wide.h"
#include "base/xmalloc.h"

/* Requests of the load, as many as can be had of those asked for. */
struct sample {
	struct request *request;
	size_t count;
	double tokens;
};

static double request_tokens(const struct request *r)
{
	return (double)r->input_tokens + (double)r->output_tokens;
}

static bool draw_sample(struct sample *sample, const struct traffic *t,
			const struct traffic_facts *facts, struct diag *d)
{
	struct source_setup setup = {.traffic = t,
				     .seed = (uint64_t)t->seed,
				     .requests = LENGTH_CLASS_SAMPLE,
				     .rate_factor = 1,
				     .facts = facts};

	if (t->trace)
		setup.requests = t->requests != RECORD_INT_UNSET
					 ? min64(t->requests, facts->requests)
					 : facts->requests;
	struct source *source = source_new(&setup, d);
	if (!source)
		return false;
	*sample = (struct sample){xcalloc((size_t)setup.requests, sizeof *sample->request), 0, 0};
	while (source_next(source, &sample->request[sample->count]))
		sample->tokens += request_tokens(&sample->request[sample->count++]);
	bool fine = source_check(source, d);
	source_del(source);
	return fine;
}

static int compare_inputs(const void *left, const void *right)
{
	const struct request *a = left, *b = right;

	if (a->input_tokens != b->input_tokens)
		return a->input_tokens < b->input_tokens ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* A class of the requests [from, to) of the sorted sample. */
static void fill(struct length_class *class, const struct sample *sample, size_t from, size_t to,
		 const struct traffic_facts *facts)
{
	double n = (double)(to - from), input = 0, output = 0;
	struct traffic_facts *f = &class->facts;

	*f = *facts;
	for (size_t i = from; i < to; i++) {
		const struct request *r = &sample->request[i];

		input += (double)r->input_tokens;
		output += (double)r->output_tokens;
	}
	f->input_mean = input / n;
	f->output_mean = output / n;
	class->share = n / (double)sample->count;
	class->token_share = (input + output) / sample->tokens;
	f->rate_rps *= class->share;
	if (f->requests != RECORD_INT_UNSET)
		f->requests = (int64_t)(to - from);
	f->class_max = sample->request[to - 1].input_tokens;
}

/* Where the class that begins at `from` ends: once it has a part of the tokens left, behind all
 * prompts of its last length. */
static size_t find_end(const struct sample *sample, size_t from, double *left, double part)
{
	const struct request *r = sample->request;
	double sum = 0;
	size_t end = from;

	while (end < sample->count &&
	       (sum < part * *left || r[end].input_tokens == r[end - 1].input_tokens))
		sum += request_tokens(&r[end++]);
	*left -= sum;
	return end;
}

/* Lets the classes meet: no prompt that can come belongs to none. */
static void close_gaps(struct length_class *class, size_t classes,
		       const struct traffic_facts *facts)
{
	class[0].facts.class_min = 1;
	for (size_t c = 1; c < classes; c++)
		class[c].facts.class_min = class[c - 1].facts.class_max + 1;
	class[classes - 1].facts.class_max = facts->input_max;
}

bool length_class_divide(const struct traffic *t, const struct traffic_facts *facts, size_t most,
			 struct length_class *class, size_t *classes, struct diag *d)
{
	struct sample sample;

	*classes = 0;
	if (!draw_sample(&sample, t, facts, d))
		return false;
	qsort(sample.request, sample.count, sizeof *sample.request, compare_inputs);
	double left = sample.tokens;
	for (size_t from = 0, to; from < sample.count; from = to) {
		to = find_end(&sample, from, &left, 1.0 / (double)(most - *classes));
		fill(&class[(*classes)++], &sample, from, to, facts);
	}
	close_gaps(class, *classes, facts);
	free(sample.request);
	return true;
}
