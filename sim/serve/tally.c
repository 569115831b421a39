/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/xmalloc.h"

#define SERIES_MAX 200000 /* blocks of the E2E series */

static tick *samples_new(int64_t n)
{
	tick *sample = xmalloc((size_t)n * sizeof(*sample));
	for (int64_t i = 0; i < n; i++)
		sample[i] = TICK_NEVER;
	return sample;
}

static void init_samples(struct tally *t, int64_t n)
{
	t->ttft = samples_new(n);
	t->queue = samples_new(n);
	t->tpot = samples_new(n);
	t->e2e = samples_new(n);
	t->arrival = samples_new(n);
	t->finish = samples_new(n);
	if (t->setup.pools > 1)
		t->pool_of = xcalloc((size_t)n, sizeof(*t->pool_of));
}

static void init_series(struct tally *t, int64_t n)
{
	t->e2e_span = n / SERIES_MAX > 5 ? n / SERIES_MAX : 5;
	t->e2e_blocks = (n + t->e2e_span - 1) / t->e2e_span;
	t->e2e_block = xcalloc((size_t)t->e2e_blocks, sizeof(*t->e2e_block));
	t->e2e_count = xcalloc((size_t)t->e2e_blocks, sizeof(*t->e2e_count));
}

static void init_slice(struct tally_slice *s)
{
	s->first_arrival = TICK_NEVER;
	s->last_arrival = s->last_finish = -1;
	histogram_init(&s->itl);
	for (int m = 0; m < METRICS; m++)
		histogram_init(&s->sketch[m]);
}

static void init_pool(struct tally_pool *p, int64_t counters)
{
	size_t n = TALLY_SLICES * (size_t)counters;
	BUG_IF(counters < 1);
	p->counters = counters;
	p->rounds_by_tokens = xcalloc(n, sizeof(*p->rounds_by_tokens));
	p->prefills_by_rows = xcalloc(n, sizeof(*p->prefills_by_rows));
	p->decodes_by_rows = xcalloc(n, sizeof(*p->decodes_by_rows));
	p->ticks_by_tokens = xcalloc(n, sizeof(*p->ticks_by_tokens));
}

void tally_init(struct tally *t, const struct tally_setup *setup)
{
	BUG_IF(setup->requests < 1 || setup->pools < 1);
	memset(t, 0, sizeof(*t));
	t->setup = *setup;
	t->pool = xcalloc(setup->pools, sizeof(*t->pool));
	for (size_t i = 0; i < setup->pools; i++)
		init_pool(&t->pool[i], setup->counters[i]);
	for (int s = 0; s < TALLY_SLICES; s++)
		init_slice(&t->slice[s]);
	if (setup->keep_samples)
		init_samples(t, setup->requests);
	if (setup->keep_series)
		init_series(t, setup->requests);
	t->slice_since = -1;
	t->sliced = setup->sliced > 0 ? setup->sliced : setup->requests;
	t->next_slice_at = tally_slice_start(t->sliced, 1);
}

void tally_free(struct tally *t)
{
	for (int s = 0; s < TALLY_SLICES; s++) {
		histogram_free(&t->slice[s].itl);
		for (int m = 0; m < METRICS; m++)
			histogram_free(&t->slice[s].sketch[m]);
	}
	free(t->ttft);
	free(t->queue);
	free(t->tpot);
	free(t->e2e);
	free(t->arrival);
	free(t->finish);
	free(t->e2e_block);
	free(t->e2e_count);
	free(t->pool_of);
	for (size_t i = 0; i < t->setup.pools; i++) {
		free(t->pool[i].rounds_by_tokens);
		free(t->pool[i].prefills_by_rows);
		free(t->pool[i].decodes_by_rows);
		free(t->pool[i].ticks_by_tokens);
	}
	free(t->pool);
	memset(t, 0, sizeof(*t));
}

/* The slice of what ends at `now`. */
static int slice_at(const struct tally *t, tick now)
{
	return now > t->slice_since ? t->slice_now : t->slice_before;
}

/* The slice of request `number`. */
static int slice_of(const struct tally *t, int64_t number)
{
	int64_t s = number * TALLY_PARTS / t->sliced;
	return s < TALLY_SLICES ? (int)s : TALLY_SLICES - 1;
}

static void open_slice(struct tally *t, int64_t number, tick now)
{
	if (now > t->slice_since)
		t->slice_before = t->slice_now;
	t->slice_since = now;
	while (number >= t->next_slice_at) {
		t->slice_now++;
		t->next_slice_at = t->slice_now + 1 < TALLY_SLICES
					   ? tally_slice_start(t->sliced, t->slice_now + 1)
					   : INT64_MAX;
	}
}

void tally_arrive(struct tally *t, int64_t number, tick now)
{
	if (tally_opens_slice(t, number))
		open_slice(t, number, now);
	struct tally_slice *s = &t->slice[t->slice_now];
	s->arrivals++;
	if (s->first_arrival == TICK_NEVER)
		s->first_arrival = now;
	s->last_arrival = now;
	t->done_then = t->done;
	if (t->setup.keep_samples)
		t->arrival[number] = now;
}

/* Work of rounds j .. j+k-1: all constant but the context, which grows by the decoders. */
static void add_work(struct work *sum, const struct stretch *s, int64_t k)
{
	if (k == 1) {
		for (int q = 0; q <= PER_CONTEXT; q++)
			sum->of[q] += s->next.of[q];
		return;
	}
	for (int q = 0; q < PER_CONTEXT; q++)
		sum->of[q] += k * s->next.of[q];
	sum->of[PER_CONTEXT] += k * s->next.of[PER_CONTEXT] + k * (k - 1) / 2 * s->decoders;
}

/*
 * Sum over i < k of (tokens + i * decoders) * (length + i * growth), with the sums of i and of i^2:
 * k(k-1)/2 and (k-1)k(2k-1)/6; k <= LEAP_MAX keeps these in 64 bits.
 */
static wide kv_time(const struct stretch *s, wide length, int64_t k)
{
	int64_t tokens = s->next.of[PER_CONTEXT] + s->next.of[PER_CHUNK_CONTEXT] + s->resting;
	if (k == 1)
		return tokens * length;
	int64_t i = k * (k - 1) / 2;
	wide sum = (wide)(k * tokens + i * s->decoders) * length + (wide)i * tokens * s->growth;
	return sum + (wide)(i * (2 * k - 1) / 3) * s->decoders * s->growth;
}

/* Gaps of rounds from j to end - 1, a bucket at a time; returns nothing to sum: that is itl_time.
 */
static void add_gaps(struct histogram *h, const struct stretch *s, int64_t k)
{
	int64_t j = s->j, end = s->j + k, each = s->decoders - s->padding;
	tick last = stretch_gap(s, end - 1);
	if (k == 1) {
		histogram_add(h, last, each);
		return;
	}
	for (tick gap; j < end;) {
		gap = stretch_gap(s, j);
		int64_t next = end;
		if (histogram_bucket(gap) != histogram_bucket(last)) {
			wide high = (wide)histogram_bucket_low(histogram_bucket(gap) + 1)
				    << STRETCH_BITS;
			next = (int64_t)((high - s->first + s->growth - 1) / s->growth);
		}
		histogram_add(h, gap, (next - j) * each);
		j = next;
	}
	if (h->max < last)
		h->max = last;
}

static void add_itl(struct tally *t, int slice, const struct stretch *s, wide length, int64_t k)
{
	wide sum = k == 1 ? length : k * length + (wide)(k * (k - 1) / 2) * s->growth;
	t->itl_time[slice] += sum * (s->decoders - s->padding);
	add_gaps(&t->slice[slice].itl, s, k);
}

void tally_rounds(struct tally *t, int pool, const struct stretch *s, int64_t k)
{
	tick end = stretch_boundary(s, s->j + k), length = end - s->at;
	wide first = s->first + s->j * s->growth; /* the first one's, exactly */
	int slice = slice_at(t, end);
	struct tally_pool *p = &t->pool[pool];
	struct tally_steps *to = &p->slice[slice];
	t->slice[slice].emitted += k * (s->next.of[PER_ROW] - s->padding);
	to->busy += length;
	to->rounds += k;
	to->batch_time += (wide)s->next.of[PER_SEQUENCE] * length;
	to->kv_time += kv_time(s, first, k);
	to->blocked += s->blocked ? length : 0;
	add_work(&to->work, s, k);
	int64_t tokens = tally_counter(p, slice, s->next.of[PER_TOKEN]);
	p->rounds_by_tokens[tokens] += k;
	p->ticks_by_tokens[tokens] += length;
	int64_t rows = tally_counter(p, slice, s->next.of[PER_ROW]);
	if (s->next.of[PER_PAIR]) {
		to->prefill_busy += length;
		to->prefill_context += k * s->next.of[PER_CONTEXT];
		p->prefills_by_rows[rows] += k;
	} else {
		p->decodes_by_rows[rows] += k;
	}
	if (s->decoders)
		add_itl(t, slice, s, first, k);
}

void tally_blocks(struct tally *t, int pool, int64_t blocks, tick now)
{
	struct tally_steps *s = &t->pool[pool].slice[slice_at(t, now)];
	s->kv_blocks_max = max64(s->kv_blocks_max, blocks);
}

void tally_gaps(struct tally *t, tick gap, int64_t n, tick now)
{
	int slice = slice_at(t, now);
	t->itl_time[slice] += ((wide)gap << STRETCH_BITS) * n;
	histogram_add(&t->slice[slice].itl, gap, n);
}

void tally_wait(struct tally *t, tick waited, tick now)
{
	t->slice[slice_at(t, now)].queue_time += waited;
}

void tally_preempt(struct tally *t, tick now)
{
	t->slice[slice_at(t, now)].preemptions++;
}

static void keep(struct tally *t, struct tally_slice *s, enum metric m, tick *sample,
		 int64_t number, tick value)
{
	if (t->setup.keep_samples)
		sample[number] = value;
	else if (value >= 0)
		histogram_add(&s->sketch[m], value, 1);
}

static void keep_all(struct tally *t, struct tally_slice *s, int64_t number, const tick value[])
{
	keep(t, s, METRIC_TTFT, t->ttft, number, value[METRIC_TTFT]);
	keep(t, s, METRIC_QUEUE, t->queue, number, value[METRIC_QUEUE]);
	keep(t, s, METRIC_TPOT, t->tpot, number, value[METRIC_TPOT]);
	keep(t, s, METRIC_E2E, t->e2e, number, value[METRIC_E2E]);
}

static tick mean_gap(const struct passage *p)
{
	if (p->request.output_tokens == 1)
		return -1;
	return (tick)((double)(p->last - p->first) / (p->request.output_tokens - 1) + 0.5);
}

static void complete(struct tally *t, struct tally_slice *s, const struct passage *p)
{
	const tick value[METRICS] = {[METRIC_TTFT] = p->first - p->request.arrival,
				     [METRIC_QUEUE] = p->queue,
				     [METRIC_TPOT] = mean_gap(p),
				     [METRIC_E2E] = p->last - p->request.arrival};
	keep_all(t, s, p->request.number, value);
	t->done++;
	s->completed++;
	s->input_tokens += p->request.input_tokens;
	s->output_tokens += p->request.output_tokens;
	s->met_slo += !p->truncated && value[METRIC_TTFT] <= t->setup.ttft_limit &&
		      value[METRIC_TPOT] <= t->setup.tpot_limit &&
		      value[METRIC_E2E] <= t->setup.e2e_limit;
	s->last_finish = max64(s->last_finish, p->last);
	if (t->setup.keep_samples)
		t->finish[p->request.number] = p->last;
	if (t->setup.keep_series) {
		t->e2e_block[p->request.number / t->e2e_span] += tick_to_s(value[METRIC_E2E]);
		t->e2e_count[p->request.number / t->e2e_span]++;
	}
}

static void reject(struct tally *t, struct tally_slice *s, const struct passage *p)
{
	static const tick none[METRICS] = {-1, -1, -1, -1, -1};
	keep_all(t, s, p->request.number, none);
	s->rejected++;
	if (t->setup.keep_samples)
		t->finish[p->request.number] = -1;
}

void tally_leave(struct tally *t, const struct passage *p)
{
	int slice = slice_of(t, p->request.number);
	struct tally_slice *s = &t->slice[slice];
	s->truncated += p->truncated;
	t->pool[p->pool].slice[slice].completed += !p->rejected;
	if (t->pool_of)
		t->pool_of[p->request.number] = p->pool;
	if (p->rejected)
		reject(t, s, p);
	else
		complete(t, s, p);
}

static void close_series(struct tally *t)
{
	for (int64_t b = 0; b < t->e2e_blocks; b++) {
		if (t->e2e_count[b])
			t->e2e_block[b] /= t->e2e_count[b];
		else if (b)
			t->e2e_block[b] = t->e2e_block[b - 1];
	}
}

void tally_close(struct tally *t, tick end, uint64_t events)
{
	for (int s = 0; s < TALLY_SLICES; s++) {
		for (size_t i = 0; i < t->setup.pools; i++)
			t->pool[i].slice[s].kv_time >>= STRETCH_BITS;
		t->slice[s].itl.sum = t->itl_time[s] >> STRETCH_BITS;
	}
	close_series(t);
	t->end = end;
	t->events = events;
}
