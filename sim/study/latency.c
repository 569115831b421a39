/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"
#include "stats/samples.h"

#define BATCHES 10

static const tick *metric_samples(const struct tally *t, enum metric metric)
{
	const tick *const of[METRICS] = {[METRIC_TTFT] = t->ttft,
					 [METRIC_QUEUE] = t->queue,
					 [METRIC_TPOT] = t->tpot,
					 [METRIC_E2E] = t->e2e};
	return of[metric];
}

/* Requests of [low, high) that were never served: rejected, or waiting when the run was stopped. */
static int64_t count_missing(const struct tally *t, int64_t low, int64_t high)
{
	int64_t missing = 0;

	for (int64_t i = low; i < high; i++)
		missing += t->e2e[i] < 0 || t->e2e[i] == TICK_NEVER;
	return missing;
}

static size_t copy_served(tick *to, const tick *from, int64_t low, int64_t high)
{
	size_t n = 0;

	for (int64_t i = low; i < high; i++)
		if (from[i] != TICK_NEVER)
			to[n++] = from[i];
	return samples_compact(to, n);
}

static void take_samples(struct latency *l, const struct load *load, enum metric metric)
{
	int64_t n = load->requests - load->cut;

	l->parts = load->replications > 1 ? load->replications : BATCHES;
	l->missing = xcalloc((size_t)l->parts, sizeof *l->missing);
	l->start = xcalloc((size_t)l->parts + 1, sizeof *l->start);
	l->value = xmalloc((size_t)load->replications * (size_t)n * sizeof *l->value + 1);
	for (int p = 0; p < l->parts; p++) {
		bool batch = load->replications == 1;
		const struct tally *t = &load->tally[batch ? 0 : p];
		int64_t low = load->cut + (batch ? n * p / BATCHES : 0);
		int64_t high = load->cut + (batch ? n * (p + 1) / BATCHES : n);

		l->missing[p] = count_missing(t, low, high);
		l->start[p + 1] = l->start[p] + copy_served(l->value + l->start[p],
							    metric_samples(t, metric), low, high);
	}
}

/* A part of its own a replication; of an only one the slices are the parts. The last of these is as
 * large as all others: its estimate is the best one, so the interval errs on the wide side. */
static void take_sketches(struct latency *l, const struct load *load, enum metric metric)
{
	bool slices = load->replications == 1;

	l->parts = slices ? TALLY_SLICES - load->first_slice : load->replications;
	l->missing = xcalloc((size_t)l->parts, sizeof *l->missing);
	l->part = xcalloc((size_t)l->parts, sizeof *l->part);
	for (int p = 0; p < l->parts; p++)
		histogram_init(&l->part[p]);
	for (int r = 0; r < load->replications; r++)
		for (int s = load->first_slice; s < TALLY_SLICES; s++) {
			const struct tally_slice *from = &load->tally[r].slice[s];
			int p = slices ? s - load->first_slice : r;

			histogram_merge(&l->part[p],
					metric == METRIC_ITL ? &from->itl : &from->sketch[metric]);
			l->missing[p] += from->arrivals - from->completed;
		}
	for (int p = 0; p < l->parts; p++)
		histogram_merge(&l->all, &l->part[p]);
}

/* A request never served has no gaps: it stands for as many as a served one has. */
static void weigh_missing_gaps(struct latency *l, const struct load *load)
{
	int64_t completed = 0;

	for (int r = 0; r < load->replications; r++)
		for (int s = load->first_slice; s < TALLY_SLICES; s++)
			completed += load->tally[r].slice[s].completed;
	for (int p = 0; p < l->parts; p++)
		l->missing[p] = completed == 0 ? l->missing[p]
					       : llround((double)l->missing[p] *
							 (double)l->all.total / (double)completed);
}

void latency_init(struct latency *l, const struct load *load, enum metric metric)
{
	memset(l, 0, sizeof *l);
	histogram_init(&l->all);
	if (load->tally[0].setup.keep_samples && metric != METRIC_ITL)
		take_samples(l, load, metric);
	else
		take_sketches(l, load, metric);
	if (metric == METRIC_ITL)
		weigh_missing_gaps(l, load);
}

void latency_free(struct latency *l)
{
	for (int p = 0; l->part != NULL && p < l->parts; p++)
		histogram_free(&l->part[p]);
	histogram_free(&l->all);
	free(l->part);
	free(l->missing);
	free(l->start);
	free(l->value);
}

int64_t latency_count(const struct latency *l)
{
	return l->value != NULL ? (int64_t)l->start[l->parts] : l->all.total;
}

/* The q of n values at which the q of n + missing lies, the missing ones above all; above 1: among
 * them. */
static double among_all(double q, int64_t n, int64_t missing)
{
	double at = q * (double)(n + missing - 1);

	if (at > (double)(n - 1))
		return INFINITY;
	return n == 1 ? 0 : at / (double)(n - 1);
}

static double of_samples(tick *value, size_t n, double q)
{
	double ticks;

	if (q == LATENCY_MEAN)
		ticks = samples_mean(value, n);
	else
		samples_quantiles(value, n, &q, 1, &ticks);
	return ticks * tick_to_s(1);
}

static double of_sketch(const struct histogram *h, double q)
{
	return (q == LATENCY_MEAN ? histogram_mean(h) : histogram_quantile(h, q)) * tick_to_s(1);
}

/* Of one part, or of all together (p = parts). */
static double of_part(struct latency *l, int p, double q, bool late)
{
	bool all = p == l->parts;
	int64_t n, missing = 0;

	if (l->value != NULL)
		n = (int64_t)(all ? l->start[p] : l->start[p + 1] - l->start[p]);
	else
		n = all ? l->all.total : l->part[p].total;
	for (int i = all ? 0 : p; late && i < (all ? p : p + 1); i++)
		missing += l->missing[i];
	if (n + missing == 0)
		return NAN;
	if (missing > 0) {
		q = q == LATENCY_MEAN ? (double)INFINITY : among_all(q, n, missing);
		if (isinf(q))
			return INFINITY;
	}
	if (l->value != NULL)
		return of_samples(l->value + (all ? 0 : l->start[p]), (size_t)n, q);
	return of_sketch(all ? &l->all : &l->part[p], q);
}

void latency_quantiles(struct latency *l, const double *q, size_t k, double *result_s)
{
	size_t n = (size_t)latency_count(l);

	l->mixed = true;
	if (l->value != NULL)
		samples_quantiles(l->value, n, q, k, result_s);
	for (size_t i = 0; i < k; i++)
		result_s[i] =
			l->value != NULL ? result_s[i] * tick_to_s(1) : of_sketch(&l->all, q[i]);
}

double latency_statistic(struct latency *l, double q, bool late)
{
	l->mixed = true;
	return of_part(l, l->parts, q, late);
}

struct interval latency_interval(struct latency *l, double q, bool late)
{
	double beyond = (double)latency_count(l) * (1 - q);

	BUG_IF(l->mixed);
	if (q != LATENCY_MEAN && beyond < SLO_TAIL_SAMPLES * (1 - 1e-9))
		return (struct interval){NAN, NAN};
	double *estimate = xcalloc((size_t)l->parts, sizeof *estimate);
	for (int p = 0; p < l->parts; p++)
		estimate[p] = of_part(l, p, q, late);
	struct interval i = interval_student(estimate, (size_t)l->parts, LATENCY_LEVEL);
	free(estimate);
	return i;
}
