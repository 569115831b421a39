/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/step_cost.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/xmalloc.h"

enum { TABLE_MOST = 65536 };

void step_cost_init(struct step_cost *c)
{
	*c = (struct step_cost){.gpus = 1};
}

void step_cost_free(struct step_cost *c)
{
	free(c->token_s);
	free(c->row_s);
	step_cost_init(c);
}

struct term *step_cost_add(struct step_cost *c, const char *name, enum term_class kind,
			   enum quantity of)
{
	struct term *t = &c->term[c->terms];

	BUG_IF(c->terms == COUNT(c->term));
	c->terms++;
	*t = (struct term){.name = name, .kind = kind, .of = of, .bytes_of = of, .times = 1};
	return t;
}

static bool is_device(const struct term *t)
{
	return t->kind == TERM_DEVICE || t->kind == TERM_LINK;
}

/* Sum of the device's terms in one quantity, in order of the list: tables hold nothing else. */
static double device_at(const struct step_cost *c, enum quantity of, int64_t x)
{
	double sum = 0;

	for (int i = 0; i < c->terms; i++)
		if (is_device(&c->term[i]) && c->term[i].of == of)
			sum += term_seconds(&c->term[i], (double)x, (double)x);
	return sum;
}

static double token_seconds(const struct step_cost *c, int64_t tokens)
{
	return device_at(c, PER_STEP, 1) + device_at(c, PER_TOKEN, tokens);
}

/* A device term in tokens, rows or steps is tabulated; every other one is a slope. */
static bool is_tabulated(const struct term *t)
{
	return is_device(t) && (t->of == PER_TOKEN || t->of == PER_ROW || t->of == PER_STEP);
}

static void add_slopes(struct step_cost *c, const struct term *t)
{
	double *slope = t->kind == TERM_HOST	? c->host_slope_s
			: t->kind == TERM_FIXED ? c->fixed_slope_s
						: c->slope_s;

	if (is_tabulated(t))
		return;
	if (t->of == PER_STEP)
		slope[PER_STEP] += term_seconds(t, 1, 1);
	else
		slope[t->of] += term_slope(t, t->of);
	if (t->bytes_of != t->of)
		slope[t->bytes_of] += term_slope(t, t->bytes_of);
}

static void fill_slopes(struct step_cost *c)
{
	for (int q = 0; q < QUANTITIES; q++)
		c->slope_s[q] = c->host_slope_s[q] = c->fixed_slope_s[q] = 0;
	for (int i = 0; i < c->terms; i++)
		add_slopes(c, &c->term[i]);
}

static int64_t within_table(int64_t most)
{
	return (most < TABLE_MOST ? most : TABLE_MOST) + 1;
}

void step_cost_tabulate(struct step_cost *c, int64_t tokens, int64_t rows)
{
	step_cost_check(c);
	fill_slopes(c);
	c->table_size = within_table(tokens);
	c->rows_size = within_table(rows);
	c->token_s = xrealloc(c->token_s, (size_t)c->table_size * sizeof(*c->token_s));
	c->row_s = xrealloc(c->row_s, (size_t)c->rows_size * sizeof(*c->row_s));
	for (int64_t i = 0; i < c->table_size; i++)
		c->token_s[i] = token_seconds(c, i);
	for (int64_t i = 0; i < c->rows_size; i++)
		c->row_s[i] = device_at(c, PER_ROW, i);
}

static bool bends(const struct term *t)
{
	return t->flop0 > 0 || t->byte0 > 0 || t->experts > 0 || t->latency_s > 0;
}

static bool is_chunk_attention(const struct term *t)
{
	return t->of == PER_PAIR && t->bytes_of == PER_CHUNK_CONTEXT && t->p == 0;
}

void step_cost_check(const struct step_cost *c)
{
	int chunk_terms = 0;

	for (int i = 0; i < c->terms; i++) {
		const struct term *t = &c->term[i];
		bool in_chunks = t->of == PER_PAIR || t->bytes_of == PER_CHUNK_CONTEXT;

		BUG_IF(t->of != t->bytes_of && !is_chunk_attention(t));
		BUG_IF(in_chunks && (!is_chunk_attention(t) || ++chunk_terms > 1));
		BUG_IF(!is_tabulated(t) && t->of != PER_STEP && bends(t));
		BUG_IF(!is_device(t) && t->of != PER_STEP && t->of != PER_SEQUENCE);
	}
}

/* the one maximum over the chunks of the step */
static double chunk_seconds(const double *slope, const int64_t *x)
{
	double compute_s = slope[PER_PAIR] * (double)x[PER_PAIR];
	double memory_s = slope[PER_CHUNK_CONTEXT] * (double)x[PER_CHUNK_CONTEXT];

	return compute_s > memory_s ? compute_s : memory_s;
}

static double device_seconds(const struct step_cost *c, const struct work *now)
{
	const int64_t *x = now->of;
	const double *slope = c->slope_s;
	int64_t tokens = x[PER_TOKEN], rows = x[PER_ROW];
	double sum = tokens < c->table_size ? c->token_s[tokens] : token_seconds(c, tokens);

	sum += rows < c->rows_size ? c->row_s[rows] : device_at(c, PER_ROW, rows);
	sum += slope[PER_SEQUENCE] * (double)x[PER_SEQUENCE];
	sum += chunk_seconds(slope, x);
	return sum + slope[PER_CONTEXT] * (double)x[PER_CONTEXT] +
	       slope[PER_WINDOW] * (double)x[PER_WINDOW];
}

static double a_sequence(const double *slope, const struct work *now)
{
	return slope[PER_STEP] + slope[PER_SEQUENCE] * (double)now->of[PER_SEQUENCE];
}

/* whole rounds until something that grows has covered the gap; the host's time holds in all before
 */
static int64_t rounds_to_cover(double gap_s, double growth_s)
{
	double rounds = growth_s > 0 ? ceil(gap_s / growth_s) : (double)INFINITY;

	return rounds < 0x1p62 ? (int64_t)fmax(rounds, 1) : INT64_MAX;
}

struct price step_cost_price(const struct step_cost *c, const struct work *now,
			     const struct work *a_round)
{
	double device_s = device_seconds(c, now), host_s = a_sequence(c->host_slope_s, now);
	double fixed_s = a_sequence(c->fixed_slope_s, now);
	double growth_s = c->slope_s[PER_CONTEXT] * (double)a_round->of[PER_CONTEXT] +
			  c->slope_s[PER_WINDOW] * (double)a_round->of[PER_WINDOW];

	if (device_s >= host_s)
		return (struct price){device_s + fixed_s, growth_s, INT64_MAX};
	return (struct price){host_s + fixed_s, 0, rounds_to_cover(host_s - device_s, growth_s)};
}
