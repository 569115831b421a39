/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of requests: a function of the seed, the same at every rate; what traffic may not be;
 * its facts. */
#include "harness.h"
#include "traffic/traffic.h"

#define LENGTHS                                                                                    \
	"\"input\": {\"dist\": \"lognormal\", \"mean\": 1024, \"cv\": 0.9}, "                      \
	"\"output\": {\"dist\": \"exponential\", \"mean\": 128, \"max\": 500}"
#define POISSON "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 4}, " LENGTHS "}"
#define TRACE	"tests/traces/vidur.csv"

static void read_traffic(struct traffic *t, const char *json)
{
	struct diag d;

	if (!harness_read(&traffic_record, t, json, &d))
		fail_msg("%s: %s: %s", json, d.path, d.message);
}

static struct source *open_source(const struct source_setup *setup)
{
	struct diag d;
	struct source *s;

	diag_init(&d);
	s = source_new(setup, &d);
	if (!s)
		fail_msg("%s: %s", d.file, d.message);
	return s;
}

static void test_same_seed_same_requests(void **state)
{
	struct traffic t;
	struct source_setup setup = {.traffic = &t, .seed = 3, .requests = 1000, .rate_factor = 1};
	struct source *a, *b;
	struct request x, y;

	(void)state;
	read_traffic(&t, POISSON);
	a = open_source(&setup);
	b = open_source(&setup);
	for (int64_t i = 0; i < 1000; i++) {
		assert_true(source_next(a, &x) && source_next(b, &y));
		assert_int_equal(x.number, i);
		assert_true(x.arrival == y.arrival && x.input_tokens == y.input_tokens &&
			    x.output_tokens == y.output_tokens);
	}
	assert_false(source_next(a, &x));
	assert_false(source_next(a, &x));
	source_del(a);
	source_del(b);
	record_free(&traffic_record, &t);
}

/* Lengths depend on the number alone: at another rate, all at once, and asked for out of order. */
static void test_common_random_numbers(void **state)
{
	struct traffic t;
	struct source_setup setup = {.traffic = &t, .seed = 3, .requests = 1000, .rate_factor = 1};
	struct source *a, *fast, *full;
	struct request x, y, z, w;

	(void)state;
	read_traffic(&t, POISSON);
	a = open_source(&setup);
	setup.rate_factor = 2;
	fast = open_source(&setup);
	setup.all_at_once = true;
	full = open_source(&setup);
	for (int i = 0; i < 1000; i++) {
		assert_true(source_next(a, &x) && source_next(fast, &y) && source_next(full, &z));
		assert_true(llabs(x.arrival - 2 * y.arrival) <= 1);
		assert_int_equal(z.arrival, 0);
		assert_true(x.input_tokens == y.input_tokens && x.input_tokens == z.input_tokens);
		assert_true(x.output_tokens == y.output_tokens &&
			    x.output_tokens == z.output_tokens);
		source_lengths(full, x.number, &w);
		assert_true(w.input_tokens == x.input_tokens && w.output_tokens == x.output_tokens);
		source_lengths(full, 999 - i, &w);
	}
	source_del(a);
	source_del(fast);
	source_del(full);
	record_free(&traffic_record, &t);
}

/* Another replication, another seed: other requests. */
static void test_replications_differ(void **state)
{
	struct traffic t;
	struct source_setup setup[3] = {
		{.traffic = &t, .seed = 3, .requests = 1000, .rate_factor = 1},
		{.traffic = &t, .seed = 3, .replication = 1, .requests = 1000, .rate_factor = 1},
		{.traffic = &t, .seed = 4, .requests = 1000, .rate_factor = 1},
	};
	struct source *s[3];
	struct request r[3];
	int same = 0;

	(void)state;
	read_traffic(&t, POISSON);
	for (int k = 0; k < 3; k++)
		s[k] = open_source(&setup[k]);
	for (int i = 0; i < 1000; i++) {
		for (int k = 0; k < 3; k++)
			assert_true(source_next(s[k], &r[k]));
		same += r[0].input_tokens == r[1].input_tokens;
		same += r[0].input_tokens == r[2].input_tokens;
		assert_true(r[0].arrival != r[1].arrival && r[0].arrival != r[2].arrival);
	}
	assert_true(same < 20);
	for (int k = 0; k < 3; k++)
		source_del(s[k]);
	record_free(&traffic_record, &t);
}

/* Counts the stream's requests and sums its input; the last arrival goes to *last. */
static int64_t drain(const struct source_setup *setup, int64_t *input, tick *last)
{
	struct source *s = open_source(setup);
	struct request r;
	int64_t n = 0;

	*input = 0;
	*last = 0;
	while (source_next(s, &r)) {
		assert_int_equal(r.number, n++);
		assert_true(r.arrival >= *last);
		*last = r.arrival;
		*input += r.input_tokens;
	}
	source_del(s);
	return n;
}

/* Four usable rows over 8 s. */
static void test_trace_is_scaled_and_repeated(void **state)
{
	struct traffic t;
	struct source_setup setup = {.traffic = &t, .requests = INT64_MAX, .rate_factor = 1};
	int64_t input;
	tick last;

	(void)state;
	read_traffic(&t, "{\"trace\": \"" TRACE "\"}");
	assert_int_equal(drain(&setup, &input, &last), 4);
	assert_true(last == tick_from_s(8));
	assert_int_equal(input, 10 + 20 + 30 + 40);
	setup.rate_factor = 4;
	assert_int_equal(drain(&setup, &input, &last), 4);
	assert_true(last == tick_from_s(2));
	setup.requests = 3;
	assert_int_equal(drain(&setup, &input, &last), 3);
	setup.requests = 10;
	setup.all_at_once = true;
	assert_int_equal(drain(&setup, &input, &last), 10);
	assert_int_equal(input, 2 * 100 + 10 + 20);
	assert_true(last == 0);
	record_free(&traffic_record, &t);
}

static void test_trace_rate_is_set(void **state)
{
	struct traffic t;
	struct traffic_facts facts;
	struct source_setup setup = {.traffic = &t, .requests = INT64_MAX, .rate_factor = 1};
	struct diag d;
	int64_t input;
	tick last;

	(void)state;
	diag_init(&d);
	/* Three gaps in 8 s: 0.375 a second. */
	read_traffic(&t, "{\"trace\": \"" TRACE "\", \"rate\": 3}");
	assert_true(traffic_facts(&t, &facts, &d));
	assert_true(fabs(facts.rate_rps - 3) < 1e-12 && facts.span_s == 8);
	drain(&setup, &input, &last);
	assert_true(last == tick_from_s(1));
	setup.facts = &facts;
	drain(&setup, &input, &last);
	assert_true(last == tick_from_s(1));
	record_free(&traffic_record, &t);
	read_traffic(&t, "{\"trace\": \"" TRACE "\", \"rate_scale\": 2}");
	assert_true(traffic_facts(&t, &facts, &d));
	assert_true(facts.rate_rps == 0.75);
	drain(&setup, &input, &last);
	assert_true(last == tick_from_s(4));
	/* 8 s at a rate 10^-8 times as high do not fit the clock. */
	setup.rate_factor = 1e-8;
	assert_null(source_new(&setup, &d));
	assert_non_null(strstr(d.message, "10^8 s"));
	record_free(&traffic_record, &t);
}

static void test_facts(void **state)
{
	struct traffic t;
	struct traffic_facts f;
	struct diag d;

	(void)state;
	diag_init(&d);
	read_traffic(&t, POISSON);
	assert_true(traffic_facts(&t, &f, &d));
	assert_true(f.requests == RECORD_INT_UNSET && isnan(f.span_s) && f.rate_rps == 4);
	assert_true(f.input_max == INT64_MAX / 4 && f.total_max == INT64_MAX / 4);
	assert_int_equal(f.output_max, 500);
	/* E[X | X <= m] = mean - m e^(-m/mean)/(1 - e^(-m/mean)) */
	assert_true(fabs(f.output_mean - (128 - 500 * exp(-500 / 128.) / (1 - exp(-500 / 128.)))) <
		    0.02);
	record_free(&traffic_record, &t);

	read_traffic(&t, "{\"trace\": \"" TRACE "\"}");
	assert_true(traffic_facts(&t, &f, &d));
	assert_true(f.requests == 4 && f.skipped == 2 && f.skipped_line == 4);
	assert_string_equal(f.skipped_reason, "no output tokens");
	assert_string_equal(f.format, "vidur");
	assert_true(f.rate_rps == 0.375 && f.input_mean == 25 && f.output_mean == 2.5);
	assert_true(f.input_max == 40 && f.output_max == 4 && f.total_max == 44);
	record_free(&traffic_record, &t);
}

static void test_kinds_of_traffic(void **state)
{
	struct traffic t;
	struct traffic_facts f;
	struct diag d;

	(void)state;
	diag_init(&d);
	read_traffic(&t,
		     "{\"arrivals\": {\"process\": \"closed\", \"concurrency\": 8}, " LENGTHS "}");
	assert_true(traffic_is_closed(&t) && !traffic_is_offline(&t) &&
		    !traffic_is_terminating(&t));
	assert_true(traffic_facts(&t, &f, &d) && isnan(f.rate_rps));
	assert_true(t.arrivals.think_s == 0 && t.seed == 1 && t.requests == RECORD_INT_UNSET);
	record_free(&traffic_record, &t);
	read_traffic(&t, "{\"arrivals\": {\"process\": \"offline\"}, " LENGTHS "}");
	assert_true(!traffic_is_closed(&t) && traffic_is_offline(&t) &&
		    !traffic_is_terminating(&t));
	record_free(&traffic_record, &t);
	read_traffic(&t, "{\"arrivals\": {\"process\": \"schedule\", \"slot_s\": 9, \"rates\": [2, "
			 "4]}, " LENGTHS "}");
	assert_true(traffic_is_terminating(&t));
	assert_true(traffic_facts(&t, &f, &d) && f.rate_rps == 3);
	record_free(&traffic_record, &t);
	read_traffic(&t,
		     "{\"arrivals\": {\"process\": \"onoff\", \"rate\": 8, \"on_s\": 1, \"off_s\": "
		     "3}, " LENGTHS "}");
	assert_true(traffic_facts(&t, &f, &d) && f.rate_rps == 2);
	record_free(&traffic_record, &t);
	read_traffic(&t, "{\"trace\": \"" TRACE "\"}");
	assert_true(traffic_is_terminating(&t) && !traffic_is_closed(&t) &&
		    !traffic_is_offline(&t));
	record_free(&traffic_record, &t);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *json, *path, *part;
	} bad[] = {
		{"{}", "arrivals", "needs arrivals"},
		{"{\"arrivals\": {\"process\": \"poisson\"}, " LENGTHS "}", "arrivals",
		 "with a rate"},
		{"{\"arrivals\": {\"rate\": 1}, \"output\": 3}", "input", "length of its input"},
		{"{\"arrivals\": {\"rate\": 1}, \"input\": 3}", "output", "length of its output"},
		{"{\"arrivals\": {\"rate\": -1}, " LENGTHS "}", "arrivals.rate", ""},
		{"{\"arrivals\": {\"rate\": 0}, " LENGTHS "}", "arrivals.rate", ""},
		{"{\"arrivals\": {\"rate\": 1}, \"rate\": 2, " LENGTHS "}", "rate",
		 "goes with a trace"},
		{"{\"arrivals\": {\"rate\": 1}, \"rate_scale\": 2, " LENGTHS "}", "rate_scale",
		 "goes with a trace"},
		{"{\"trace\": \"" TRACE "\", \"rate\": 1, \"rate_scale\": 2}", "rate", "give one"},
		{"{\"arrivals\": {\"rate\": 1}, \"classes\": [], " LENGTHS "}", "classes",
		 "not in this version"},
	};
	struct traffic t;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		harness_refused(&traffic_record, &t, bad[i].json, bad[i].path, bad[i].part);
}

static void test_bad_traces(void **state)
{
	static const struct {
		const char *json, *part;
		int line;
	} bad[] = {
		{"{\"trace\": \"tests/traces/no-usable-row.csv\"}", "no usable row", 2},
		{"{\"trace\": \"tests/traces/one-time.csv\", \"rate\": 5}", "no rate to set", 0},
		{"{\"trace\": \"tests/traces/nowhere.csv\"}", "cannot be opened", 0},
	};
	struct traffic t;
	struct traffic_facts f;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct diag d;

		diag_init(&d);
		read_traffic(&t, bad[i].json);
		assert_false(traffic_facts(&t, &f, &d));
		if (!strstr(d.message, bad[i].part) || d.line != bad[i].line || !d.file[0])
			fail_msg("%s: %s:%d: %s", bad[i].json, d.file, d.line, d.message);
		record_free(&traffic_record, &t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_seed_same_requests),
		cmocka_unit_test(test_common_random_numbers),
		cmocka_unit_test(test_replications_differ),
		cmocka_unit_test(test_trace_is_scaled_and_repeated),
		cmocka_unit_test(test_trace_rate_is_set),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_kinds_of_traffic),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_bad_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
