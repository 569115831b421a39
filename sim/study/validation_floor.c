/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation_floor.h"

#include <math.h>
#include <string.h>

#include "traffic/length_kind.h"

#define MILLI 1e-3

static const char bandwidth[] = "breaks the bandwidth floor", flop[] = "breaks the FLOP floor";

/* Of the linear layers, that is of all terms by steps, tokens and rows. */
static struct term_time linear_work(const struct step_cost *c, double tokens, double rows)
{
	struct work w = {{[PER_STEP] = 1,
			  [PER_TOKEN] = llround(tokens),
			  [PER_ROW] = llround(rows),
			  [PER_SEQUENCE] = 1}};
	struct term_time sum = {.flops = 0};

	for (int i = 0; i < c->terms; i++) {
		const struct term *t = &c->term[i];

		if (t->kind != TERM_DEVICE || t->of > PER_ROW)
			continue;
		struct term_time one = term_time(t, &w);
		sum.flops += one.flops;
		sum.bytes += one.bytes;
	}
	return sum;
}

/* What one sequence's step reads, at the datasheet's bandwidth. */
static double least_step_s(const struct unit *u)
{
	return linear_work(&u->cost, 1, 1).bytes / u->cost.peak_byte_per_s;
}

static double least_prompt_s(const struct scenario *s, const struct unit *u)
{
	return linear_work(&u->cost, s->facts.input_mean, 1).flops / u->cost.peak_flop_per_s;
}

/* Sequences that can emit a token in one step of all replicas. */
static double most_sequences(const struct scenario *s, const struct unit *u)
{
	double slots = (double)u->replica.max_num_seqs * (double)s->deployment.replicas;

	return traffic_is_closed(&s->traffic) ? fmin(slots, (double)s->traffic.arrivals.concurrency)
					      : slots;
}

/* Requests a second, by arithmetic: every prompt token and every output token but the last. */
static double most_rps(const struct scenario *s, const struct unit *u)
{
	double output = s->facts.output_mean;
	double flops = linear_work(&u->cost, s->facts.input_mean + output - 1, output).flops;

	return (double)s->deployment.replicas * u->cost.peak_flop_per_s / flops;
}

static const char *throughput_breaks(double rps, const struct scenario *s, const struct unit *u)
{
	double steps = rps * s->facts.output_mean / most_sequences(s, u);

	if (rps > most_rps(s, u))
		return flop;
	return steps * least_step_s(u) > 1 ? bandwidth : NULL;
}

static bool prompts_are_alike(const struct scenario *s)
{
	return !s->traffic.trace && s->traffic.input.dist == LENGTH_constant;
}

const char *validation_floor_breaks(const struct measured_figure *f, const struct scenario *s,
				    const struct unit *u)
{
	double per_request = NAN;

	if (strcmp(f->path, "latency.tpot_ms.p50") == 0 ||
	    strcmp(f->path, "latency.tpot_ms.mean") == 0 ||
	    strcmp(f->path, "latency.itl_ms.p50") == 0 ||
	    strcmp(f->path, "latency.itl_ms.mean") == 0)
		return f->value * MILLI < least_step_s(u) ? bandwidth : NULL;
	if (strcmp(f->path, "latency.ttft_ms.mean") == 0 ||
	    (strcmp(f->path, "latency.ttft_ms.p50") == 0 && prompts_are_alike(s)))
		return f->value * MILLI < least_prompt_s(s, u) ? flop : NULL;
	if (strcmp(f->path, "throughput.requests_per_s") == 0)
		per_request = 1;
	else if (strcmp(f->path, "throughput.output_tokens_per_s") == 0)
		per_request = s->facts.output_mean;
	else if (strcmp(f->path, "throughput.total_tokens_per_s") == 0)
		per_request = s->facts.input_mean + s->facts.output_mean;
	return isnan(per_request) ? NULL : throughput_breaks(f->value / per_request, s, u);
}
