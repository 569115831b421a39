/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/timeline.h"

#include "base/count.h"
#include "base/wide.h"
#include "base/xmalloc.h"

#define INTERVALS 400
#define LOOKS	  25 /* an interval */

#define REAL(text, member, unit)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_REAL, .offset = offsetof(struct timeline, member),    \
		.help = (unit)                                                                     \
	}
#define LIST(text, member, unit)                                                                   \
	{                                                                                          \
		.key = (text), .kind = FIELD_LIST, .flags = FIELD_REALS,                           \
		.offset = offsetof(struct timeline, member), .help = (unit)                        \
	}

static const struct field timeline_fields[] = {
	REAL("interval_s", interval_s, "s"),
	REAL("warmup_s", warmup_s, "s"),
	LIST("waiting", waiting, "requests"),
	LIST("waiting_max", waiting_max, "requests"),
	LIST("running", running, "sequences"),
	LIST("running_max", running_max, "sequences"),
	LIST("kv", kv, ""),
	LIST("kv_max", kv_max, ""),
};

const struct record timeline_record = {.name = "timeline",
				       .size = sizeof(struct timeline),
				       .fields = COUNT(timeline_fields),
				       .field = timeline_fields};

/* The last arrival of a run, or its end where all arrive at once. */
static tick window_of(const struct tally *t)
{
	tick last = 0;

	for (int s = 0; s < TALLY_SLICES; s++)
		last = max64(last, t->slice[s].last_arrival);
	return last > 0 ? last : t->end;
}

static double *list_new(struct record_list *list)
{
	*list = (struct record_list){.count = INTERVALS,
				     .size = sizeof(double),
				     .data = xcalloc(INTERVALS, sizeof(double))};
	return list->data;
}

/* The figures of a look. */
static double waiting(const struct look *l)
{
	return (double)l->waiting;
}

static double running(const struct look *l)
{
	return (double)l->running;
}

static double kv(const struct look *l)
{
	return l->kv;
}

static double kv_most(const struct look *l)
{
	return l->kv_most;
}

static void fill_mean(struct record_list *list, const struct look *look,
		      double (*figure)(const struct look *))
{
	double *mean = list_new(list);

	for (int i = 0; i < INTERVALS * LOOKS; i++)
		mean[i / LOOKS] += figure(&look[i]);
	for (int i = 0; i < INTERVALS; i++)
		mean[i] /= LOOKS;
}

static void fill_max(struct record_list *list, const struct look *look,
		     double (*figure)(const struct look *))
{
	double *max = list_new(list);

	for (int i = 0; i < INTERVALS * LOOKS; i++)
		max[i / LOOKS] = fmax(max[i / LOOKS], figure(&look[i]));
}

static void fill_lists(struct timeline *t, const struct look *look)
{
	fill_mean(&t->waiting, look, waiting);
	fill_max(&t->waiting_max, look, waiting);
	fill_mean(&t->running, look, running);
	fill_max(&t->running_max, look, running);
	fill_mean(&t->kv, look, kv);
	fill_max(&t->kv_max, look, kv_most);
}

/* The same run again, without its samples. */
static bool look_at(struct sampler *s, const struct load_setup *setup, struct diag *d)
{
	struct load_setup again = *setup;
	struct load l;

	again.replications = 1;
	again.warmup = 0;
	again.samples_max = 1;
	again.sampler = s;
	if (!load_run(&l, &again, d))
		return false;
	load_free(&l);
	return true;
}

bool timeline_fill(struct timeline *t, const struct load *l, const struct load_setup *setup,
		   struct diag *d)
{
	const struct tally *tally = &l->tally[0];
	tick window = window_of(tally);
	struct sampler s;

	record_init(&timeline_record, t);
	if (tally->done == 0)
		return true;
	t->interval_s = tick_to_s(window) / INTERVALS;
	t->warmup_s = l->cut > 0 ? tick_to_s(tally->slice[l->first_slice].first_arrival) : 0;
	sampler_init(&s, window, INTERVALS * LOOKS);
	bool good = look_at(&s, setup, d);
	if (good)
		fill_lists(t, s.look);
	sampler_free(&s);
	return good;
}
