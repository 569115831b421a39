/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/measure.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/xmalloc.h"
#include "stats/samples.h"
#include "study/latency.h"
#include "study/work_done.h"

#define WINDOW_E2E    20.0
#define WINDOW_LATE   0.05 /* of the arrivals */
#define NOISE	      3.0  /* standard deviations */
#define BLOCKED_SHARE 0.1
#define BUSY_SHARE    0.5
#define BATCHES	      10
#define MEASURED_Q    0.99

/* Sums of slices [first, TALLY_SLICES) of replications [low, high). */
struct window {
	int64_t arrivals, completed, rejected, truncated, met_slo, preemptions;
	int64_t input_tokens, output_tokens;
	double span_s, arrival_s; /* first arrival to last finish, and to last arrival */
};

static void add_slice(struct window *w, const struct tally_slice *s)
{
	w->arrivals += s->arrivals;
	w->completed += s->completed;
	w->rejected += s->rejected;
	w->truncated += s->truncated;
	w->met_slo += s->met_slo;
	w->preemptions += s->preemptions;
	w->input_tokens += s->input_tokens;
	w->output_tokens += s->output_tokens;
}

static tick later(tick a, tick b)
{
	return a > b ? a : b;
}

static void add_run(struct window *w, const struct tally *t, int first_slice)
{
	tick first = TICK_NEVER, last = -1, finish = -1;

	for (int s = first_slice; s < TALLY_SLICES; s++) {
		const struct tally_slice *slice = &t->slice[s];

		add_slice(w, slice);
		if (slice->arrivals == 0)
			continue;
		first = slice->first_arrival < first ? slice->first_arrival : first;
		last = later(last, slice->last_arrival);
		finish = later(finish, slice->last_finish);
	}
	if (last < 0)
		return;
	w->arrival_s += tick_to_s(last - first);
	w->span_s += finish < 0 ? 0 : tick_to_s(finish - first);
}

static struct window window_sum(const struct load *l, int first_slice)
{
	struct window w = {.arrivals = 0};

	for (int r = 0; r < l->replications; r++)
		add_run(&w, &l->tally[r], first_slice);
	return w;
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static double throughput(const struct window *w)
{
	return ratio((double)w->completed, w->span_s);
}

double measure_throughput(const struct load *l)
{
	struct window w = window_sum(l, l->first_slice);

	return throughput(&w);
}

/* Requests in a second that arrived over the whole of the runs: (N-1) / (last - first arrival). */
static double arrival_rate(const struct load *l)
{
	struct window w = window_sum(l, 0);

	return ratio((double)(w.arrivals - l->replications), w.arrival_s);
}

/* Arrivals in the window but the last of each run, which nothing can finish, and those left behind.
 */
struct backlog {
	double arrived, late;
};

static struct backlog count_backlog(const struct load *l)
{
	struct window w = window_sum(l, 0);
	struct backlog b = {(double)(w.arrivals - w.rejected - l->replications), 0};

	b.late = b.arrived;
	for (int r = 0; r < l->replications; r++)
		b.late -= (double)l->tally[r].done_then;
	return b;
}

static double mean_e2e_s(const struct load *l)
{
	struct latency e2e;

	latency_init(&e2e, l, METRIC_E2E);
	double mean_s = latency_statistic(&e2e, LATENCY_MEAN, false);
	latency_free(&e2e);
	return mean_s;
}

/* In 20 mean E2E a twentieth of the arrivals is under way at the end (Little), give or take the
 * root of its number: a few requests say nothing. */
static bool falls_behind(const struct load *l)
{
	struct window w = window_sum(l, 0);

	if (!(w.arrival_s / l->replications > WINDOW_E2E * mean_e2e_s(l)))
		return false;
	struct backlog b = count_backlog(l);
	double under_way = WINDOW_LATE * fmax(b.arrived, 0);
	return b.late > under_way + NOISE * sqrt(under_way);
}

double measure_left_behind(const struct load *l)
{
	struct backlog b = count_backlog(l);

	return ratio(b.late, b.arrived);
}

bool measure_overloaded(const struct load *l, double saturated_rps, char why[256])
{
	double offered_rps = arrival_rate(l);

	if (load_is_stopped(l) || offered_rps >= saturated_rps) {
		char offered[NUMBER_TEXT], saturated[NUMBER_TEXT];

		number_text(offered, offered_rps, 4);
		number_text(saturated, saturated_rps, 4);
		snprintf(why, 256, "%s requests/s are offered, saturated at %s", offered,
			 saturated);
		return true;
	}
	if (!falls_behind(l))
		return false;
	struct backlog b = count_backlog(l);
	snprintf(why, 256, "%.0f of %.0f requests were not done when the last arrived", b.late,
		 b.arrived);
	return true;
}

static void fill_latency(struct outcome *o, const struct load *l, enum metric m)
{
	static const double q[QUANTILES] = {
		[Q_MEAN] = LATENCY_MEAN, [Q_P50] = 0.5,	   [Q_P90] = 0.9, [Q_P95] = 0.95,
		[Q_P99] = MEASURED_Q,	 [Q_P999] = 0.999, [Q_MAX] = 1};
	struct latency latency;

	latency_init(&latency, l, m);
	if (m == METRIC_TTFT)
		o->ttft_p99 = latency_interval(&latency, MEASURED_Q, false);
	if (m == METRIC_TPOT)
		o->tpot_p99 = latency_interval(&latency, MEASURED_Q, false);
	for (int k = 0; k < QUANTILES; k++)
		o->latency_s[m][k] = latency_statistic(&latency, q[k], false);
	latency_free(&latency);
}

/* Counts are those of one replication, warm-up included. */
static void fill_counts(struct outcome *o, const struct load *l)
{
	struct window w = {.arrivals = 0};

	add_run(&w, &l->tally[0], 0);
	o->offered = w.arrivals;
	o->completed = w.completed;
	o->rejected = w.rejected;
	o->truncated = w.truncated;
	o->preemptions = w.preemptions;
	for (int r = 0; r < l->replications; r++)
		o->events += l->tally[r].events;
}

/* Of one run: the rates between the tenths of its measured completions. */
static struct interval batch_throughput(const struct load *l)
{
	double q[BATCHES + 1], at[BATCHES + 1], rate[BATCHES];
	size_t n = (size_t)(l->requests - l->cut), kept = 0;
	tick *finish = xcalloc(n + 1, sizeof *finish);

	for (size_t i = 0; i < n; i++) {
		tick t = l->tally[0].finish[(size_t)l->cut + i];

		if (t >= 0 && t != TICK_NEVER)
			finish[kept++] = t;
	}
	for (int i = 0; i <= BATCHES; i++)
		q[i] = (double)i / BATCHES;
	samples_quantiles(finish, kept, q, BATCHES + 1, at);
	free(finish);
	for (int i = 0; i < BATCHES; i++)
		rate[i] = (double)kept / BATCHES / ((at[i + 1] - at[i]) * tick_to_s(1));
	return interval_student(rate, BATCHES, LATENCY_LEVEL);
}

static struct interval throughput_interval(const struct load *l)
{
	if (l->replications == 1 && !l->tally[0].setup.keep_samples)
		return (struct interval){NAN, NAN};
	if (l->replications == 1)
		return batch_throughput(l);
	double *rate = xcalloc((size_t)l->replications, sizeof *rate);
	for (int r = 0; r < l->replications; r++) {
		struct window w = {.arrivals = 0};

		add_run(&w, &l->tally[r], l->first_slice);
		rate[r] = ratio((double)w.completed, w.span_s);
	}
	struct interval i = interval_student(rate, (size_t)l->replications, LATENCY_LEVEL);
	free(rate);
	return i;
}

static void fill_rates(struct outcome *o, const struct load *l, const struct window *w, bool open,
		       bool has_slo)
{
	double output = (double)w->output_tokens, total = output + (double)w->input_tokens;

	o->offered_rps = open ? arrival_rate(l) : (double)NAN;
	o->idle_share = 1 - ratio(o->offered_rps, o->saturated_rps);
	if (o->idle_share < 0)
		o->idle_share = 0;
	o->requests_per_s = throughput(w);
	o->output_tokens_per_s = ratio(output, w->span_s);
	o->total_tokens_per_s = ratio(total, w->span_s);
	o->output_tokens_per_s_per_gpu = o->output_tokens_per_s / (double)o->gpus_total;
	o->goodput_rps = has_slo ? ratio((double)w->met_slo, w->span_s) : (double)NAN;
	o->attainment = has_slo ? ratio((double)w->met_slo, (double)w->arrivals) : (double)NAN;
	o->throughput = throughput_interval(l);
}

/* What the measured steps of one part did, or of a whole fleet: sums; times are unit-time. */
struct use {
	struct work_done done;
	double unit_s, blocked_s;
	double busy, batch_time, kv_time;     /* [ticks] */
	double kv_room, flop_room, byte_room; /* what a busy time could have held or done */
	double kv_max, completed;
};

static void add_steps(struct use *u, const struct tally_steps *s, const struct unit *unit)
{
	double blocks = (double)unit->replica.pool_blocks;

	u->busy += (double)s->busy;
	u->blocked_s += tick_to_s(s->blocked);
	u->batch_time += (double)s->batch_time;
	u->kv_time += (double)s->kv_time;
	u->kv_max = fmax(u->kv_max, (double)s->kv_blocks_max / blocks);
	u->completed += (double)s->completed;
}

static struct use use_of(const struct load *l, size_t pool, const struct fleet_part *part,
			 double span_s)
{
	const struct unit *unit = part->unit;
	struct use u = {.unit_s = span_s * (double)part->replicas};

	work_done_sum(&u.done, l, pool, &unit->cost);
	for (int r = 0; r < l->replications; r++)
		for (int s = l->first_slice; s < TALLY_SLICES; s++)
			add_steps(&u, &l->tally[r].pool[pool].slice[s], unit);
	u.kv_room = u.busy * (double)(unit->replica.pool_blocks * unit->replica.block_size);
	u.flop_room = u.done.busy_s * unit->cost.peak_flop_per_s;
	u.byte_room = u.done.busy_s * unit->cost.peak_byte_per_s;
	return u;
}

static void add_use(struct use *sum, const struct use *u)
{
	work_done_add(&sum->done, &u->done);
	sum->unit_s += u->unit_s;
	sum->blocked_s += u->blocked_s;
	sum->busy += u->busy;
	sum->batch_time += u->batch_time;
	sum->kv_time += u->kv_time;
	sum->kv_room += u->kv_room;
	sum->flop_room += u->flop_room;
	sum->byte_room += u->byte_room;
	sum->kv_max = fmax(sum->kv_max, u->kv_max);
	sum->completed += u->completed;
}

static enum bound find_bound(const struct work_done *done, double busy, double blocked)
{
	const struct {
		double part_s;
		enum bound bound;
	} part[] = {{done->memory_s, BOUND_MEMORY},
		    {done->compute_s, BOUND_COMPUTE},
		    {done->link_s, BOUND_INTERCONNECT},
		    {done->overhead_s, BOUND_OVERHEAD}};
	int most = 0;

	if (isnan(busy) || done->busy_s <= 0)
		return BOUND_NONE;
	if (blocked > BLOCKED_SHARE)
		return BOUND_KV_CAPACITY;
	if (busy < BUSY_SHARE)
		return BOUND_ARRIVALS;
	for (int i = 1; i < 4; i++)
		if (part[i].part_s > part[most].part_s)
			most = i;
	return part[most].bound;
}

static void fill_usage(struct usage *to, const struct use *u)
{
	to->busy = ratio(u->done.busy_s, u->unit_s);
	to->batch_mean = ratio(u->batch_time, u->busy);
	to->kv_mean = ratio(u->kv_time, u->kv_room);
	to->kv_max = u->busy > 0 ? u->kv_max : (double)NAN;
	to->mfu = ratio(u->done.flops, u->flop_room);
	to->mbu = ratio(u->done.bytes, u->byte_room);
	to->bound = find_bound(&u->done, to->busy, ratio(u->blocked_s, u->unit_s));
}

/* Returns the watts of all parts. */
static double fill_parts(struct outcome *o, const struct load *l, const struct fleet *f,
			 double span_s, double whole_s)
{
	struct outcome_pool *pool = o->pools.data;
	struct use all = {.unit_s = 0};
	double watts = 0;

	for (size_t i = 0; i < f->parts; i++) {
		double part_watts = ratio(work_done_joules(l, i, &f->part[i], whole_s), whole_s);
		struct use part = use_of(l, i, &f->part[i], span_s);

		add_use(&all, &part);
		watts += part_watts;
		if (i >= o->pools.count)
			continue;
		fill_usage(&pool[i].use, &part);
		pool[i].watts = part_watts;
		pool[i].share = part.completed;
	}
	fill_usage(&o->use, &all);
	for (size_t i = 0; i < o->pools.count; i++)
		pool[i].share = ratio(pool[i].share, all.completed);
	return watts;
}

static void fill_use(struct outcome *o, const struct load *l, const struct fleet *f, double span_s)
{
	struct window whole = window_sum(l, 0);

	o->watts = fill_parts(o, l, f, span_s, whole.span_s);
	o->joules_per_request = ratio(o->watts * whole.span_s, (double)whole.completed);
	o->joules_per_output_token = ratio(o->watts * whole.span_s, (double)whole.output_tokens);
}

void measure_fill(struct outcome *o, const struct load *l, const struct fleet *f, bool open,
		  bool has_slo)
{
	struct window w = window_sum(l, l->first_slice);

	o->resolved.requests = l->requests;
	o->resolved.warmup = l->cut;
	for (int m = 0; m < METRICS; m++)
		fill_latency(o, l, (enum metric)m);
	fill_counts(o, l);
	fill_rates(o, l, &w, open, has_slo);
	fill_use(o, l, f, w.span_s);
}
