/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On random scenarios: leaps equal single steps, bit for bit in all that a run counts, looks at a
 * run change none of it, and both agree with the reference replica: counts equal, means and
 * percentiles to 1e-6, percentiles of the gaps between tokens to the sketch's 1/256.
 * INFERCAP_SAMPLES: how many scenarios of each kind.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "simulated.h"
#include "base/xmalloc.h"
#include "stats/samples.h"

/* Below this two arithmetics may rightly take different decisions (see margin_s). */
#define CLOSE_CALL_S 1e-10
/* In a closed loop no arrival sets the clocks right: ticks' rounding adds up over thousands of
 * steps. */
#define CLOSED_CLOSE_CALL_S 1e-7

/* In ms for people, but compared in seconds; a tick's rounding is the absolute part. */
#define RELATIVE 1e-6
#define TICK_S	 0x1p-36

static int64_t samples(void)
{
	const char *text = getenv("INFERCAP_SAMPLES");
	int64_t n = text ? strtoll(text, NULL, 10) : 0;
	return n > 0 ? n : 500;
}

/* ---- leap = step ---- */

static bool same_histogram(const struct histogram *x, const struct histogram *y)
{
	if (x->total != y->total || x->sum != y->sum || x->min != y->min || x->max != y->max)
		return false;
	for (int32_t b = 0; b < x->buckets; b++) {
		int32_t other = x->first + b - y->first;
		bool inside = other >= 0 && other < y->buckets;
		if (x->count[b] != (inside ? y->count[other] : 0))
			return false;
	}
	return true;
}

static const char *different_slices(const struct tally *x, const struct tally *y)
{
	for (int s = 0; s < TALLY_SLICES; s++) {
		const struct tally_slice *a = &x->slice[s], *b = &y->slice[s];
		for (size_t i = 0; i < x->setup.pools; i++)
			if (memcmp(&x->pool[i].slice[s], &y->pool[i].slice[s],
				   sizeof(struct tally_steps)) != 0)
				return "a pool's counts or integrals";
		if (memcmp(a, b, offsetof(struct tally_slice, itl)) != 0)
			return "a slice's counts or integrals";
		if (!same_histogram(&a->itl, &b->itl))
			return "the gaps between tokens";
		for (int m = 0; m < METRICS; m++)
			if (!same_histogram(&a->sketch[m], &b->sketch[m]))
				return "a sketch";
	}
	return NULL;
}

static bool same(const void *x, const void *y, int64_t n)
{
	return !memcmp(x, y, (size_t)n * sizeof(int64_t));
}

static bool same_counters(const struct tally_pool *x, const struct tally_pool *y)
{
	int64_t n = TALLY_SLICES * x->counters;
	return same(x->rounds_by_tokens, y->rounds_by_tokens, n) &&
	       same(x->prefills_by_rows, y->prefills_by_rows, n) &&
	       same(x->decodes_by_rows, y->decodes_by_rows, n) &&
	       same(x->ticks_by_tokens, y->ticks_by_tokens, n);
}

/* What differs between two tallies of one scenario, or NULL. */
static const char *different(const struct tally *x, const struct tally *y)
{
	int64_t n = x->setup.requests;
	if (x->ttft && !(same(x->ttft, y->ttft, n) && same(x->queue, y->queue, n) &&
			 same(x->tpot, y->tpot, n) && same(x->e2e, y->e2e, n) &&
			 same(x->arrival, y->arrival, n) && same(x->finish, y->finish, n)))
		return "a request's times";
	if (!same(x->e2e_block, y->e2e_block, x->e2e_blocks))
		return "the series of E2E";
	for (size_t i = 0; i < x->setup.pools; i++)
		if (!same_counters(&x->pool[i], &y->pool[i]))
			return "counts by tokens or rows";
	if (x->end != y->end)
		return "the end";
	return different_slices(x, y);
}

/* ---- Agreement with the reference ---- */

struct totals {
	struct tally_slice sum;	  /* counts of all slices */
	struct tally_steps steps; /* of all slices and pools */
	struct histogram itl;
};

static void add_steps(struct tally_steps *sum, const struct tally_steps *s)
{
	sum->completed += s->completed;
	sum->rounds += s->rounds;
	sum->busy += s->busy;
	sum->batch_time += s->batch_time;
	sum->kv_time += s->kv_time;
	if (s->kv_blocks_max > sum->kv_blocks_max)
		sum->kv_blocks_max = s->kv_blocks_max;
	for (int q = 0; q < QUANTITIES; q++)
		sum->work.of[q] += s->work.of[q];
}

static void add_up(struct totals *t, const struct tally *from)
{
	memset(t, 0, sizeof(*t));
	histogram_init(&t->itl);
	for (int i = 0; i < TALLY_SLICES; i++) {
		const struct tally_slice *s = &from->slice[i];
		t->sum.completed += s->completed;
		t->sum.rejected += s->rejected;
		t->sum.truncated += s->truncated;
		t->sum.preemptions += s->preemptions;
		t->sum.emitted += s->emitted;
		t->sum.queue_time += s->queue_time;
		for (size_t pool = 0; pool < from->setup.pools; pool++)
			add_steps(&t->steps, &from->pool[pool].slice[i]);
		histogram_merge(&t->itl, &s->itl);
	}
}

struct comparison {
	const struct random_scenario *scenario;
	int failures;
};

static void differ(struct comparison *c, const char *what, double got, double want)
{
	if (!c->failures++)
		random_scenario_print(c->scenario);
	printf("  %s is %.12g, the reference has %.12g\n", what, got, want);
}

static void expect_count(struct comparison *c, const char *what, int64_t got, int64_t want)
{
	if (got != want)
		differ(c, what, (double)got, (double)want);
}

static void expect_near(struct comparison *c, const char *what, double got, double want)
{
	if (!(fabs(got - want) <= RELATIVE * fabs(want) + TICK_S))
		differ(c, what, got, want);
}

static void compare_counts(struct comparison *c, const struct totals *t,
			   const struct reference_result *r)
{
	const struct tally_slice *s = &t->sum;
	const struct tally_steps *w = &t->steps;
	expect_count(c, "completed", s->completed, r->completed);
	expect_count(c, "completed by pools", w->completed, r->completed);
	expect_count(c, "rejected", s->rejected, r->rejected);
	expect_count(c, "truncated", s->truncated, r->truncated);
	expect_count(c, "preemptions", s->preemptions, r->preemptions);
	expect_count(c, "steps", w->rounds, r->steps);
	expect_count(c, "emitted tokens", s->emitted, r->emitted);
	expect_count(c, "tokens", w->work.of[PER_TOKEN], r->tokens);
	expect_count(c, "rows", w->work.of[PER_ROW], r->rows);
	expect_count(c, "sequences", w->work.of[PER_SEQUENCE], r->sequences);
	expect_count(c, "blocks at most", w->kv_blocks_max, r->blocks_max);
	expect_count(c, "gaps", t->itl.total, (int64_t)r->gaps);
	expect_count(c, "pairs", w->work.of[PER_PAIR], (int64_t)r->pairs);
	expect_count(c, "chunk context", w->work.of[PER_CHUNK_CONTEXT], (int64_t)r->chunk_context);
	expect_count(c, "decode context", w->work.of[PER_CONTEXT], (int64_t)r->decode_context);
}

static double integral_s(wide ticks)
{
	return (double)ticks * TICK_S;
}

static void compare_integrals(struct comparison *c, const struct tally *tally,
			      const struct totals *t, const struct reference_result *r)
{
	expect_near(c, "end", tick_to_s(tally->end), r->end_s);
	expect_near(c, "busy time", tick_to_s(t->steps.busy), r->busy_s);
	expect_near(c, "batch integral", integral_s(t->steps.batch_time), r->batch_integral);
	expect_near(c, "KV integral", integral_s(t->steps.kv_time), r->kv_integral);
	/* every request's wait is rounded to the tick */
	if (fabs(integral_s(t->sum.queue_time) - r->queue_integral) >
	    RELATIVE * r->queue_integral + TICK_S * (double)r->requests)
		differ(c, "queue integral", integral_s(t->sum.queue_time), r->queue_integral);
}

static int compare_doubles(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

static double quantile_of(const double *sorted, size_t n, double q)
{
	double at = (double)(n - 1) * q, low = floor(at);
	double first = sorted[(size_t)low], next = sorted[(size_t)fmin(low + 1, (double)n - 1)];
	return first + (at - low) * (next - first);
}

static double mean_of(const double *value, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return sum / (double)n;
}

#define POINTS 4
static const double points[POINTS] = {0.5, 0.9, 0.99, 1};

/* One metric: ours in ticks by request number, -1 where it does not apply. */
static void compare_metric(struct comparison *c, const char *what, tick *ours, double *theirs,
			   size_t n)
{
	double got[POINTS];
	size_t kept = samples_compact(ours, c->scenario->load.requests);
	expect_count(c, what, (int64_t)kept, (int64_t)n);
	if (kept != n || !n)
		return;
	qsort(theirs, n, sizeof(*theirs), compare_doubles);
	expect_near(c, what, samples_mean(ours, n) * TICK_S, mean_of(theirs, n));
	samples_quantiles(ours, n, points, POINTS, got);
	for (int i = 0; i < POINTS; i++)
		expect_near(c, what, got[i] * TICK_S, quantile_of(theirs, n, points[i]));
}

static double ttft_of(const struct reference_request *r)
{
	return r->ttft_s;
}

static double queue_of(const struct reference_request *r)
{
	return r->queue_s;
}

static double e2e_of(const struct reference_request *r)
{
	return r->e2e_s;
}

static double tpot_of(const struct reference_request *r)
{
	return r->output > 1 ? (r->last_s - r->first_s) / (double)(r->output - 1) : -1;
}

static void compare_latencies(struct comparison *c, struct tally *t,
			      const struct reference_result *r)
{
	const struct {
		const char *name;
		tick *ours;
		double (*of)(const struct reference_request *);
	} metric[] = {{"TTFT", t->ttft, ttft_of},
		      {"queue wait", t->queue, queue_of},
		      {"TPOT", t->tpot, tpot_of},
		      {"E2E", t->e2e, e2e_of}};
	double *theirs = xmalloc(r->requests * sizeof(*theirs));
	for (size_t m = 0; m < sizeof(metric) / sizeof(*metric); m++) {
		size_t n = 0;
		for (size_t i = 0; i < r->requests; i++) {
			double value = metric[m].of(&r->request[i]);
			if (!r->request[i].rejected && value >= 0)
				theirs[n++] = value;
		}
		compare_metric(c, metric[m].name, metric[m].ours, theirs, n);
	}
	free(theirs);
}

static void compare_gaps(struct comparison *c, const struct totals *t,
			 const struct reference_result *r)
{
	if (!r->gaps || t->itl.total != (int64_t)r->gaps)
		return;
	qsort(r->gap_s, r->gaps, sizeof(*r->gap_s), compare_doubles);
	expect_near(c, "mean gap", histogram_mean(&t->itl) * TICK_S, mean_of(r->gap_s, r->gaps));
	for (int i = 0; i < POINTS; i++) {
		double want = quantile_of(r->gap_s, r->gaps, points[i]);
		double got = histogram_quantile(&t->itl, points[i]) * TICK_S;
		if (!(fabs(got - want) <= want / 256 + TICK_S))
			differ(c, "a percentile of the gaps", got, want);
	}
}

struct done {
	double flops, bytes;
};

static void add_done(struct done *to, const struct term *t, const struct work *w, double times)
{
	struct term_time time = term_time(t, w);
	to->flops += times * time.flops;
	to->bytes += times * time.bytes;
}

/* Work of a term that bends, from rounds counted by T or by R. */
static void add_rounds(struct done *to, const struct term *t, const struct tally_pool *pool,
		       const int64_t *rounds)
{
	for (int slice = 0; slice < TALLY_SLICES; slice++)
		for (int64_t x = 0; x < pool->counters; x++) {
			struct work w = {0};
			w.of[t->of] = x;
			int64_t n = rounds[tally_counter(pool, slice, x)];
			if (n)
				add_done(to, t, &w, (double)n);
		}
}

static void add_bending(struct done *to, const struct term *t, const struct tally_pool *pool)
{
	if (t->of == PER_TOKEN) {
		add_rounds(to, t, pool, pool->rounds_by_tokens);
		return;
	}
	add_rounds(to, t, pool, pool->prefills_by_rows);
	add_rounds(to, t, pool, pool->decodes_by_rows);
}

/* FLOPs and bytes of one GPU, without links and sampling, from what a pool counted. */
static struct done pool_done(const struct step_cost *cost, const struct tally_pool *pool)
{
	struct done done = {0};
	struct tally_steps sum = {0};
	for (int s = 0; s < TALLY_SLICES; s++)
		add_steps(&sum, &pool->slice[s]);
	for (int i = 0; i < cost->terms; i++) {
		const struct term *term = &cost->term[i];
		if (term->kind != TERM_DEVICE || !strcmp(term->name, "sampling"))
			continue;
		if (term->of == PER_TOKEN || term->of == PER_ROW)
			add_bending(&done, term, pool);
		else
			add_done(&done, term, &sum.work, 1);
	}
	return (struct done){done.flops / cost->gpus, done.bytes / cost->gpus};
}

static void compare_work(struct comparison *c, const struct simulated *simulated,
			 const struct tally *tally, const struct reference_result *r)
{
	struct done all = {0};
	for (size_t i = 0; i < tally->setup.pools; i++) {
		struct done done = pool_done(&simulated->cost[i], &tally->pool[i]);
		all.flops += done.flops;
		all.bytes += done.bytes;
	}
	expect_near(c, "FLOPs", all.flops, r->flops);
	expect_near(c, "bytes", all.bytes, r->bytes);
}

static int compare_with_reference(const struct simulated *simulated, struct tally *t,
				  const struct reference_result *r)
{
	const struct random_scenario *scenario = simulated->scenario;
	struct comparison c = {.scenario = scenario};
	struct totals totals;
	add_up(&totals, t);
	compare_counts(&c, &totals, r);
	compare_integrals(&c, t, &totals, r);
	compare_latencies(&c, t, r);
	compare_gaps(&c, &totals, r);
	compare_work(&c, simulated, t, r);
	histogram_free(&totals.itl);
	return c.failures > 0;
}

/* ---- The scenarios ---- */

struct score {
	int64_t unequal, disturbed, disagreeing, close_calls, preempting, rejecting;
	int64_t mixed[REFERENCE_LENGTH_AWARE + 1]; /* of two kinds, by router */
};

/* Leaps against steps of `stride` rounds. */
static void check_stride(struct score *score, struct simulated *s, const struct tally *leap,
			 int64_t stride)
{
	struct tally step;
	simulated_run(s, stride, &step);
	const char *what = different(leap, &step);
	if (what) {
		random_scenario_print(s->scenario);
		printf("  leaps and steps of %d differ in %s\n", (int)stride, what);
		score->unequal++;
	}
	tally_free(&step);
}

/* Looks at times of its own, and at those at which steps end in the scenarios with ties. */
static void check_sampled(struct score *score, struct simulated *s, const struct tally *leap,
			  tick distance)
{
	struct sampler sampler;
	struct tally sampled;
	int64_t looks = leap->end / distance;
	if (!looks)
		return;
	sampler_init(&sampler, looks * distance, looks);
	s->setup.sampler = &sampler;
	simulated_run(s, INT64_MAX, &sampled);
	s->setup.sampler = NULL;
	const char *what = different(leap, &sampled);
	if (what || sampler.looked != looks) {
		random_scenario_print(s->scenario);
		printf("  with %lld of %lld looks the run differs in %s\n",
		       (long long)sampler.looked, (long long)looks, what ? what : "nothing");
		score->disturbed++;
	}
	sampler_free(&sampler);
	tally_free(&sampled);
}

static void check_reference(struct score *score, const struct simulated *s, struct tally *leap)
{
	const struct random_scenario *scenario = s->scenario;
	struct reference_result reference;
	reference_run(&scenario->setup, &scenario->load, &reference);
	score->preempting += reference.preemptions > 0;
	score->rejecting += reference.rejected > 0;
	score->mixed[scenario->setup.router] += scenario->setup.others > 0;
	if (reference.margin_s < (scenario->load.arrival_s ? CLOSE_CALL_S : CLOSED_CLOSE_CALL_S))
		score->close_calls++;
	else
		score->disagreeing += compare_with_reference(s, leap, &reference);
	reference_result_free(&reference);
}

/* AS_DRAWN: continuous batching in chunks. */
#define AS_DRAWN (-1)

static void check_scenario(struct score *score, uint64_t seed, bool ties, int scheduler)
{
	struct random_scenario scenario;
	struct simulated s;
	struct tally leap;
	random_scenario_init(&scenario, seed, ties);
	if (scheduler != AS_DRAWN)
		random_scenario_fill(&scenario, (enum reference_scheduler)scheduler);
	simulated_init(&s, &scenario);
	if (seed % 8 == 0) { /* sketches in place of samples, leaps of a few rounds */
		s.setup.tally.keep_samples = false;
		simulated_run(&s, INT64_MAX, &leap);
		check_stride(score, &s, &leap, 5);
		tally_free(&leap);
		s.setup.tally.keep_samples = true;
	}
	simulated_run(&s, INT64_MAX, &leap);
	check_stride(score, &s, &leap, 1);
	check_sampled(score, &s, &leap, ties ? INT64_C(1) << (TICK_BITS - 6) : tick_from_s(0.0371));
	check_reference(score, &s, &leap);
	tally_free(&leap);
	simulated_free(&s);
	random_scenario_free(&scenario);
}

static struct score check_scenarios(int64_t n, bool ties, int scheduler)
{
	struct score score = {0};
	for (int64_t i = 0; i < n; i++)
		check_scenario(&score, 1 + (uint64_t)i, ties, scheduler);
	printf("%lld scenarios, ties %d, scheduler %d: %lld leap <> step, %lld <> reference, %lld "
	       "too close to call, %lld with preemption, %lld with rejections\n",
	       (long long)n, ties, scheduler, (long long)score.unequal,
	       (long long)score.disagreeing, (long long)score.close_calls,
	       (long long)score.preempting, (long long)score.rejecting);
	assert_int_equal(score.unequal, 0);
	assert_int_equal(score.disturbed, 0);
	assert_int_equal(score.disagreeing, 0);
	return score;
}

static void continuous_times(void **state)
{
	(void)state;
	struct score score = check_scenarios(samples(), false, AS_DRAWN);
	assert_true(score.close_calls * 5 < samples());
	assert_true(score.preempting * 20 > samples() && score.rejecting * 20 > samples());
	for (int i = 0; i <= REFERENCE_LENGTH_AWARE; i++)
		assert_true(score.mixed[i] * 50 > samples() || samples() < 300);
}

/* Equal arrival ticks, and closed loops of equal steps: these are exact in doubles too. */
static void exact_ties(void **state)
{
	(void)state;
	check_scenarios(samples(), true, AS_DRAWN);
}

static void check_scheduler(enum reference_scheduler scheduler)
{
	int64_t n = samples();
	struct score score = check_scenarios(n, false, (int)scheduler);
	assert_true(score.close_calls * 5 < n);
	assert_true(score.rejecting * 20 > n);
	assert_true(score.preempting * 40 > n || scheduler == REFERENCE_STATIC);
	check_scenarios(n, true, (int)scheduler);
}

static void whole_prompts_or_requests(void **state)
{
	(void)state;
	check_scheduler(REFERENCE_CONTINUOUS);
}

static void prefill_first(void **state)
{
	(void)state;
	check_scheduler(REFERENCE_PREFILL_FIRST);
}

static void static_batches(void **state)
{
	(void)state;
	check_scheduler(REFERENCE_STATIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(continuous_times),
		cmocka_unit_test(exact_ties),
		cmocka_unit_test(whole_prompts_or_requests),
		cmocka_unit_test(prefill_first),
		cmocka_unit_test(static_batches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
