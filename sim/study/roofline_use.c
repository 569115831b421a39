/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/roofline_use.h"

#include <math.h>
#include <string.h>

#include "base/bug.h"
#include "base/count.h"
#include "base/xmalloc.h"

#define REAL(of, text, member, unit)                                                               \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL, .offset = offsetof(struct of, member),          \
		.help = (unit)                                                                     \
	}
#define LIST(of_, text, member, record)                                                            \
	{                                                                                          \
		.key = (text), .kind = FIELD_LIST, .offset = offsetof(struct of_, member),         \
		.of = &(record)                                                                    \
	}

#define PART(of_)                                                                                  \
	{                                                                                          \
		.kind = FIELD_RECORD, .flags = FIELD_INLINE, .offset = offsetof(struct of_, part), \
		.of = &part_record                                                                 \
	}

static const struct field part_fields[] = {
	REAL(roofline_part, "busy_s", busy_s, "s"),
	REAL(roofline_part, "busy_share", busy_share, ""),
	REAL(roofline_part, "flops", flops, "FLOP"),
	REAL(roofline_part, "bytes", bytes, "bytes"),
	REAL(roofline_part, "flop_per_byte", flop_per_byte, "FLOP/byte"),
	REAL(roofline_part, "flop_per_s", flop_per_s, "FLOP/s"),
};

static const struct record part_record = {.name = "part",
					  .size = sizeof(struct roofline_part),
					  .fields = COUNT(part_fields),
					  .field = part_fields};

static const struct field term_fields[] = {
	{.key = "term", .kind = FIELD_TEXT, .offset = offsetof(struct roofline_term, name)},
	PART(roofline_term),
};

const struct record roofline_term_record = {.name = "term",
					    .size = sizeof(struct roofline_term),
					    .fields = COUNT(term_fields),
					    .field = term_fields};

static const struct field phase_fields[] = {
	{.key = "phase",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct roofline_phase, phase),
	 .of = step_kind_names},
	{.key = "steps", .kind = FIELD_INT, .offset = offsetof(struct roofline_phase, steps)},
	REAL(roofline_phase, "tokens_a_step", tokens_a_step, "tokens"),
	PART(roofline_phase),
	LIST(roofline_phase, "terms", term, roofline_term_record),
};

const struct record roofline_phase_record = {.name = "phase",
					     .size = sizeof(struct roofline_phase),
					     .fields = COUNT(phase_fields),
					     .field = phase_fields};

static const struct field use_fields[] = {
	{.key = "gpu", .kind = FIELD_TEXT, .offset = offsetof(struct roofline_use, gpu)},
	REAL(roofline_use, "peak_flop_per_s", peak_flop_per_s, "FLOP/s"),
	REAL(roofline_use, "peak_byte_per_s", peak_byte_per_s, "bytes/s"),
	REAL(roofline_use, "sustained_flop_per_s", sustained_flop_per_s, "FLOP/s"),
	REAL(roofline_use, "sustained_byte_per_s", sustained_byte_per_s, "bytes/s"),
	LIST(roofline_use, "phases", phase, roofline_phase_record),
};

const struct record roofline_use_record = {.name = "roofline",
					   .size = sizeof(struct roofline_use),
					   .fields = COUNT(use_fields),
					   .field = use_fields};

static void *list_add(struct record_list *list, size_t size)
{
	list->size = size;
	list->data = xrealloc(list->data, (list->count + 1) * size);
	return memset((char *)list->data + list->count++ * size, 0, size);
}

/* The term that runs at the rates that the roof is drawn with. */
static const struct term *find_linear(const struct step_cost *c)
{
	for (int i = 0; i < c->terms; i++)
		if (c->term[i].kind == TERM_DEVICE &&
		    c->term[i].peak_flop_per_s == c->peak_flop_per_s)
			return &c->term[i];
	BUG("no term runs at the peak of the linear layers");
}

static void fill_rates(struct roofline_use *r, const struct step_cost *c)
{
	const struct term *linear = find_linear(c);

	r->peak_flop_per_s = c->peak_flop_per_s / c->gpus;
	r->peak_byte_per_s = c->peak_byte_per_s / c->gpus;
	r->sustained_flop_per_s = linear->flop_per_s / c->gpus;
	r->sustained_byte_per_s = linear->byte_per_s / c->gpus;
}

static double ratio(double a, double b)
{
	return a > 0 && b > 0 ? a / b : (double)NAN;
}

static void fill_ratios(struct roofline_part *p)
{
	p->flop_per_byte = ratio(p->flops, p->bytes);
	p->flop_per_s = ratio(p->flops, p->busy_s);
}

static void add_term(struct roofline_phase *p, const char *name, const struct term_done *done,
		     double busy_s, int gpus)
{
	struct roofline_term *t = list_add(&p->term, sizeof *t);

	t->name = xstrdup(name);
	t->part = (struct roofline_part){
		.busy_s = busy_s, .flops = done->flops / gpus, .bytes = done->bytes / gpus};
	fill_ratios(&t->part);
	p->part.flops += t->part.flops;
	p->part.bytes += t->part.bytes;
}

/* Terms with work of their own, then all other time. */
static void add_terms(struct roofline_phase *p, const struct step_counts *s,
		      const struct step_cost *c)
{
	static const struct term_done nothing = {0};
	double rest_s = p->part.busy_s;

	for (int i = 0; i < c->terms; i++) {
		struct term_done done = step_counts_term(s, &c->term[i]);
		double term_s = done.compute_s + done.memory_s + done.link_s;

		if (!(term_s > 0))
			continue;
		add_term(p, c->term[i].name, &done, term_s, c->gpus);
		rest_s -= term_s;
	}
	add_term(p, "overhead", &nothing, rest_s, c->gpus);
}

static void fill_phase(struct roofline_phase *p, const struct step_counts *s,
		       const struct step_cost *c)
{
	p->steps = s->work.of[PER_STEP];
	p->tokens_a_step = (double)s->work.of[PER_TOKEN] / (double)p->steps;
	p->part.busy_s = tick_to_s(s->busy);
	add_terms(p, s, c);
	fill_ratios(&p->part);
}

static void fill_shares(struct roofline_use *r)
{
	struct roofline_phase *phase = r->phase.data;
	double busy_s = 0;

	for (size_t i = 0; i < r->phase.count; i++)
		busy_s += phase[i].part.busy_s;
	for (size_t i = 0; i < r->phase.count; i++) {
		struct roofline_term *term = phase[i].term.data;

		phase[i].part.busy_share = phase[i].part.busy_s / busy_s;
		for (size_t k = 0; k < phase[i].term.count; k++)
			term[k].part.busy_share = term[k].part.busy_s / busy_s;
	}
}

void roofline_use_fill(struct roofline_use *r, const struct load *l, size_t pool,
		       const struct step_cost *c, const char *gpu)
{
	struct step_counts s[STEP_KINDS];

	memset(r, 0, sizeof *r);
	r->gpu = xstrdup(gpu);
	fill_rates(r, c);
	step_counts_init(s, l, pool);
	for (int kind = 0; kind < STEP_KINDS; kind++)
		if (s[kind].work.of[PER_STEP] > 0) {
			struct roofline_phase *p = list_add(&r->phase, sizeof *p);

			p->phase = kind;
			fill_phase(p, &s[kind], c);
		}
	step_counts_free(s);
	fill_shares(r);
}
