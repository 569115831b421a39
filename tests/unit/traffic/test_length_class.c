/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load divided by prompt length: every request in one class, as the whole stream has it. */
#include "harness.h"
#include "traffic/length_class.h"

#define CLASSES 5
#define LAW                                                                                        \
	"{\"arrivals\": {\"process\": \"gamma\", \"rate\": 4, \"cv\": 2}, "                        \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 1024, \"cv\": 1.5}, "                      \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 128, \"max\": 500}}"
#define TRACE "{\"trace\": \"workloads/traces/AzureLLMInferenceTrace_conv.csv\"}"

struct divided {
	struct traffic traffic;
	struct traffic_facts facts;
	struct length_class class[CLASSES];
	size_t classes;
};

static void divide(struct divided *v, const char *json)
{
	struct diag d;

	diag_init(&d);
	assert_true(harness_read(&traffic_record, &v->traffic, json, &d));
	assert_true(traffic_facts(&v->traffic, &v->facts, &d));
	assert_true(
		length_class_divide(&v->traffic, &v->facts, CLASSES, v->class, &v->classes, &d));
}

static void release(struct divided *v)
{
	record_free(&traffic_record, &v->traffic);
}

static struct source *open_class(const struct divided *v, const struct traffic_facts *facts,
				 int64_t requests)
{
	struct source_setup setup = {.traffic = &v->traffic,
				     .seed = 3,
				     .requests = requests,
				     .rate_factor = 1,
				     .facts = facts};
	struct diag d;

	diag_init(&d);
	struct source *s = source_new(&setup, &d);
	assert_non_null(s);
	return s;
}

/* The requests of the whole stream, each handed to its class, are those of the classes' streams:
 * same arrival, same lengths, numbered anew. */
static void check_streams(const struct divided *v, int64_t requests)
{
	struct source *whole = open_class(v, &v->facts, requests), *part[CLASSES];
	int64_t seen[CLASSES] = {0};
	struct request r, x;

	for (size_t c = 0; c < v->classes; c++)
		part[c] = open_class(v, &v->class[c].facts, requests);
	while (source_next(whole, &r)) {
		size_t c = 0;

		while (r.input_tokens > v->class[c].facts.class_max)
			c++;
		assert_true(r.input_tokens >= v->class[c].facts.class_min);
		assert_true(source_next(part[c], &x));
		assert_true(x.arrival == r.arrival && x.input_tokens == r.input_tokens &&
			    x.output_tokens == r.output_tokens && x.number == seen[c]++);
	}
	for (size_t c = 0; c < v->classes; c++) {
		assert_false(source_is_numbered(part[c]));
		assert_true(seen[c] > 0);
		source_del(part[c]);
	}
	source_del(whole);
}

static void thinned_law(void **state)
{
	(void)state;
	struct divided v;

	divide(&v, LAW);
	check_streams(&v, 20000);
	release(&v);
}

static void thinned_trace(void **state)
{
	(void)state;
	struct divided v;
	int64_t requests = 0;

	divide(&v, TRACE);
	for (size_t c = 0; c < v.classes; c++)
		requests += v.class[c].facts.requests;
	assert_int_equal(requests, v.facts.requests);
	check_streams(&v, v.facts.requests);
	release(&v);
}

/* About a fifth of the tokens each, and together the load. */
static void comparable_classes(void **state)
{
	(void)state;
	struct divided v;
	double share = 0, rate = 0, input = 0;

	divide(&v, LAW);
	assert_int_equal(v.classes, CLASSES);
	for (size_t c = 0; c < v.classes; c++) {
		const struct length_class *class = &v.class[c];

		assert_true(fabs(class->token_share - 0.2) < 0.005);
		assert_true(c == 0 || class->share < v.class[c - 1].share);
		assert_true(class->facts.input_mean >= (double)class->facts.class_min);
		assert_true(class->facts.input_mean <= (double)class->facts.class_max);
		share += class->share;
		rate += class->facts.rate_rps;
		input += class->share * class->facts.input_mean;
	}
	assert_true(fabs(share - 1) < 1e-9);
	assert_true(fabs(rate - v.facts.rate_rps) < 1e-9);
	assert_true(fabs(input / v.facts.input_mean - 1) < 0.01);
	assert_int_equal(v.class[0].facts.class_min, 1);
	assert_int_equal(v.class[CLASSES - 1].facts.class_max, v.facts.input_max);
	release(&v);
}

static void one_length_is_one_class(void **state)
{
	(void)state;
	struct divided v;

	divide(&v, "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 4}, \"input\": 512, "
		   "\"output\": {\"dist\": \"exponential\", \"mean\": 128}}");
	assert_int_equal(v.classes, 1);
	assert_true(v.class[0].share == 1);
	assert_int_equal(v.class[0].facts.class_max, 512);
	release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thinned_law),
		cmocka_unit_test(thinned_trace),
		cmocka_unit_test(comparable_classes),
		cmocka_unit_test(one_length_is_one_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
