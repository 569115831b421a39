/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pictures need, against the outcome that it stands beside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include "study/run_data.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"l4-24gb", "h100-sxm-80gb", NULL};

#define LOAD(arrivals, requests)                                                                   \
	"{\"arrivals\": {" arrivals "}, "                                                          \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 512, \"cv\": 0.9, \"max\": 4096}, "        \
	"\"output\": {\"dist\": \"lognormal\", \"mean\": 128, \"cv\": 0.8, \"max\": 1024}, "       \
	"\"requests\": " requests ", \"seed\": 5}"

static void run(struct outcome *o, struct fixture *f, bool keep_data)
{
	struct evaluate_setup setup = {.scenario = &f->s,
				       .book = &f->book,
				       .replications = 2,
				       .jobs = 1,
				       .rate_factor = 1,
				       .keep_data = keep_data,
				       .quiet = true};
	struct diag d;

	diag_init(&d);
	assert_true(evaluate(&setup, 0, o, &d));
}

static double mean(const struct record_list *list)
{
	const double *value = list->data;
	double sum = 0;

	for (size_t i = 0; i < list->count; i++)
		sum += value[i];
	return sum / (double)list->count;
}

static double largest(const struct record_list *list)
{
	const double *value = list->data;
	double most = 0;

	for (size_t i = 0; i < list->count; i++)
		most = fmax(most, value[i]);
	return most;
}

/* Phases make up the use of the peaks, their terms make up the phases. */
static void rooflines_add_up(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;
	double flops = 0, bytes = 0, busy_s = 0, share = 0;

	fixture_init(&f, "llama-3.1-8b", cards,
		     LOAD("\"process\": \"poisson\", \"rate\": 1.5", "4000"), "{}");
	run(&o, &f, true);
	assert_int_equal(o.data->roofline.count, 1);
	const struct roofline_use *r = o.data->roofline.data;
	assert_string_equal(r->gpu, "l4-24gb");
	assert_near(r->peak_flop_per_s, 121e12, 1e9);
	assert_near(r->peak_byte_per_s, 300e9, 1e6);
	assert_near(r->sustained_flop_per_s, r->peak_flop_per_s * o.resolved.mfu, 1e6);
	assert_near(r->sustained_byte_per_s, r->peak_byte_per_s * o.resolved.mbu, 1e3);
	assert_int_equal(r->phase.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct roofline_phase *p = (const struct roofline_phase *)r->phase.data + i;
		struct roofline_part sum = {0};

		for (size_t k = 0; k < p->term.count; k++) {
			const struct roofline_term *t =
				(const struct roofline_term *)p->term.data + k;

			sum.busy_s += t->part.busy_s;
			sum.flops += t->part.flops;
			sum.bytes += t->part.bytes;
			assert_true(t->part.busy_s > 0);
		}
		assert_near(sum.busy_s / p->part.busy_s, 1, 1e-12);
		assert_near(sum.flops / p->part.flops, 1, 1e-12);
		assert_near(sum.bytes / p->part.bytes, 1, 1e-12);
		assert_near(p->part.flop_per_byte * p->part.bytes / p->part.flops, 1, 1e-12);
		/* under the roof */
		assert_true(p->part.flop_per_s <= r->sustained_flop_per_s);
		assert_true(p->part.flop_per_s <= r->sustained_byte_per_s * p->part.flop_per_byte);
		flops += p->part.flops;
		bytes += p->part.bytes;
		busy_s += p->part.busy_s;
		share += p->part.busy_share;
	}
	assert_near(share, 1, 1e-12);
	assert_near(flops / busy_s / r->peak_flop_per_s / o.use.mfu, 1, 1e-12);
	assert_near(bytes / busy_s / r->peak_byte_per_s / o.use.mbu, 1, 1e-12);
	outcome_free(&o);
	fixture_free(&f);
}

/* Little's law on what was seen; the table of quantiles is that of the outcome. */
static void agrees_with_the_outcome(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     LOAD("\"process\": \"poisson\", \"rate\": 1.5", "4000"), "{}");
	run(&o, &f, true);
	const struct timeline *t = &o.data->timeline;
	assert_int_equal(t->running.count, 400);
	assert_near(t->interval_s * 400 * 1.5 / 4000, 1, 0.05);
	assert_near(t->warmup_s / (t->interval_s * 400),
		    (double)o.resolved.warmup / (double)o.resolved.requests, 0.03);
	assert_near(mean(&t->running) / (o.use.batch_mean * o.use.busy), 1, 0.05);
	assert_near(mean(&t->waiting), 1.5 * (o.latency_s[METRIC_QUEUE][Q_MEAN] + 0.0036), 0.05);
	assert_true(largest(&t->running_max) >= largest(&t->running));
	assert_true(largest(&t->kv_max) <= o.use.kv_max + 1e-12);
	assert_true(largest(&t->kv_max) > 0.8 * o.use.kv_max);
	const double *q = o.data->distribution.quantile.data;
	for (int m = 0; m < METRICS; m++) {
		const double *value = o.data->distribution.latency_s[m].data;

		for (size_t i = 0; i < o.data->distribution.quantile.count; i++) {
			if (q[i] == 0.5)
				assert_near(value[i], o.latency_s[m][Q_P50], 0);
			if (q[i] == 0.99)
				assert_near(value[i], o.latency_s[m][Q_P99], 0);
		}
	}
	outcome_free(&o);
	fixture_free(&f);
}

/* All at time 0: the window is the whole run, which begins with all but a batch waiting. */
static void offline_until_the_end(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD("\"process\": \"offline\"", "500"), "{}");
	run(&o, &f, true);
	const struct timeline *t = &o.data->timeline;
	assert_near(t->interval_s * 400 / (500 / o.requests_per_s), 1, 0.2);
	assert_true(largest(&t->waiting) > 400);
	assert_near(((const double *)t->waiting.data)[399], 0, 0);
	assert_true(mean(&t->kv) > 0.5);
	outcome_free(&o);
	fixture_free(&f);
}

/* Overloaded: the window ends with the last arrival, long before the run, with all but a few
 * waiting. */
static void overloaded_until_the_last_arrival(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     LOAD("\"process\": \"poisson\", \"rate\": 50", "2000"), "{}");
	run(&o, &f, true);
	const struct timeline *t = &o.data->timeline;
	assert_int_equal(o.verdict, VERDICT_OVERLOADED);
	assert_near(t->interval_s * 400 * 50 / 2000, 1, 0.1);
	assert_near(t->warmup_s, 0, 0);
	assert_true(((const double *)t->waiting.data)[399] > 1500);
	outcome_free(&o);
	fixture_free(&f);
}

/* Nothing served: no times, no lists; not asked for: nothing at all. */
static void nothing_is_null(void **state)
{
	(void)state;
	struct fixture f;
	struct outcome o;

	fixture_init(&f, "llama-3.1-8b", cards,
		     LOAD("\"process\": \"poisson\", \"rate\": 1.5", "50"), "{}");
	run(&o, &f, false);
	assert_null(o.data);
	outcome_free(&o);
	f.s.engine.scheduling.max_model_len = 2;
	run(&o, &f, true);
	assert_int_equal(o.completed, 0);
	assert_int_equal(o.data->timeline.waiting.count, 0);
	assert_true(isnan(o.data->timeline.interval_s));
	assert_int_equal(((const struct roofline_use *)o.data->roofline.data)->phase.count, 0);
	outcome_free(&o);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rooflines_add_up),
		cmocka_unit_test(agrees_with_the_outcome),
		cmocka_unit_test(offline_until_the_end),
		cmocka_unit_test(overloaded_until_the_last_arrival),
		cmocka_unit_test(nothing_is_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
