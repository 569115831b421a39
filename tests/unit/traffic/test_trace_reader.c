/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every format from its own fixture, every trap, and what is refused. */
#include <stdio.h>
#include <unistd.h>

#include "harness.h"
#include "traffic/trace_reader.h"

#define FOLDER "tests/traces/"

/* What a fixture must give: the format, then "ns input output" a row, and what was passed over. */
struct fixture {
	const char *file, *format;
	struct trace_request row[6];
	int rows, skipped, first_line;
	const char *reason;
};

static void open_trace(struct trace_reader *r, const char *file)
{
	struct diag d;

	diag_init(&d);
	if (!trace_reader_init(r, file, &d))
		fail_msg("%s: %s", file, d.message);
}

static void check_rows(struct trace_reader *r, const struct fixture *f)
{
	struct trace_request row;
	struct diag d;

	for (int i = 0; i < f->rows; i++) {
		assert_true(trace_reader_next(r, &row));
		if (memcmp(&row, &f->row[i], sizeof(row)) != 0)
			fail_msg("%s: row %d is %lld ns, %lld, %lld", f->file, i,
				 (long long)row.arrival_ns, (long long)row.input_tokens,
				 (long long)row.output_tokens);
	}
	assert_false(trace_reader_next(r, &row));
	diag_init(&d);
	assert_true(trace_reader_check(r, &d));
	assert_int_equal(r->used, f->rows);
	assert_int_equal(r->skipped, f->skipped);
	if (!f->skipped)
		return;
	assert_int_equal(r->skipped_line, f->first_line);
	assert_string_equal(r->skipped_reason, f->reason);
}

static const struct fixture fixtures[] = {
	/* Seven decimals, CRLF, no final newline, over midnight. */
	{FOLDER "azure-2023.csv",
	 "azure",
	 {{0, 100, 10}, {200, 200, 20}, {1250000100, 300, 30}},
	 3},
	/* A second without decimals, three zones. */
	{FOLDER "azure-2024.csv",
	 "azure",
	 {{0, 100, 10}, {1998837000, 200, 20}, {2498837000, 300, 30}, {2698837000, 400, 40}},
	 4},
	/* Several rows in one second keep their order; failed rows have no answer; a quoted comma.
	 */
	{FOLDER "burstgpt.csv",
	 "burstgpt",
	 {{0, 400, 20}, {2000000000, 90, 9}, {2000000000, 80, 8}, {6000000000, 70, 7}},
	 4,
	 2,
	 3,
	 "no output tokens"},
	/* Columns by name: the two inserted ones shift the others. */
	{FOLDER "burstgpt-sessions.csv", "burstgpt", {{0, 900, 400}, {51500000000, 30, 20}}, 2},
	{FOLDER "vidur.csv",
	 "vidur",
	 {{0, 10, 1}, {1750000000, 20, 2}, {5500000000, 30, 3}, {8000000000, 40, 4}},
	 4,
	 2,
	 4,
	 "no output tokens"},
	{FOLDER "splitwise-sim.csv", "splitwise-sim", {{0, 512, 16}, {750000000, 256, 8}}, 2},
	/* Does not start at 0, keys in any order. */
	{FOLDER "mooncake.jsonl",
	 "mooncake",
	 {{0, 2100, 3}, {0, 900, 1}, {3053000000, 500, 70}},
	 3},
	/* The clock starts again after a week; one second back is an error; a blank line ends it.
	 */
	{FOLDER "ragpulse.jsonl",
	 "ragpulse",
	 {{0, 30, 3}, {15000000000, 31, 4}, {500010000000000, 33, 5}},
	 3,
	 1,
	 3,
	 "earlier than the row before"},
	/* A NUL byte, though in a column that is not read. */
	{FOLDER "nul.csv",
	 "burstgpt",
	 {{0, 400, 20}, {2000000000, 80, 8}},
	 2,
	 1,
	 3,
	 "holds a NUL byte"},
	/* A BOM, a blank line, and one of each fault. */
	{FOLDER "faulty.csv",
	 "vidur",
	 {{0, 10, 1}, {6000000000, 20, 2}, {9000000000, 30, 3}},
	 3,
	 11,
	 4,
	 "a count of tokens is negative"},
	{FOLDER "faulty.jsonl",
	 "mooncake",
	 {{0, 10, 1}, {8000000, 20, 2}},
	 2,
	 6,
	 2,
	 "not a JSON object"},
};

static void test_fixtures(void **state)
{
	struct trace_reader r;

	(void)state;
	for (size_t i = 0; i < sizeof(fixtures) / sizeof(*fixtures); i++) {
		open_trace(&r, fixtures[i].file);
		assert_string_equal(r.format->name, fixtures[i].format);
		check_rows(&r, &fixtures[i]);
		/* And once more from the start. */
		assert_true(trace_reader_rewind(&r));
		check_rows(&r, &fixtures[i]);
		trace_reader_free(&r);
	}
}

/* One row between two good ones: passed over, for this reason. */
static void check_fault(const char *heading, const char *good, const char *row,
			const char *good_too, const char *reason)
{
	char name[] = "/tmp/infercap-trace-XXXXXX";
	int fd = mkstemp(name);
	FILE *file = fdopen(fd, "w");
	struct trace_reader r;
	struct trace_request request;

	fprintf(file, "%s%s\n%s\n%s\n", heading, good, row, good_too);
	fclose(file);
	open_trace(&r, name);
	assert_true(trace_reader_next(&r, &request) && trace_reader_next(&r, &request));
	assert_false(trace_reader_next(&r, &request));
	if (r.skipped != 1 || !strstr(r.skipped_reason, reason))
		fail_msg("%s: %s", row, r.skipped ? r.skipped_reason : "accepted");
	trace_reader_free(&r);
	unlink(name);
}

static void test_each_fault_has_its_reason(void **state)
{
	static const char *const csv[][2] = {
		{"1,5,0", "no output tokens"},
		{"1,0,5", "no input tokens"},
		{"1,-1,-1", "negative"},
		{"1,5", "too few fields"},
		{"1,5,6,7", "too many fields"},
		{"1,five,6", "no whole number"},
		{"1,5,1e9", "no whole number"},
		{"1,5,999999999", "above"},
		{"x,5,6", "time cannot be read"},
		{"1e300,5,6", "time cannot be read"},
		{"-1,5,6", "earlier"},
		{"200000000,5,6", "10^8 s"},
		{"\"1\"2,5,6", "closing quote"},
		{"1;5;6", "too few fields"},
	};
	static const char *const json[][2] = {
		{"{\"timestamp\": 1, \"input_length\": 2", "not a JSON object"},
		{"{\"timestamp\": 1, \"input_length\": 2}", "key is missing"},
		{"{\"timestamp\": 1, \"input_length\": [2], \"output_length\": 3}",
		 "no whole number"},
		{"{\"timestamp\": 1, \"input_length\": 2, \"output_length\": null}",
		 "no whole number"},
		{"{\"timestamp\": 1, \"timestamp\": 1}", "stands twice"},
		{"{\"timestamp\": 1} {}", "after the JSON"},
		{"{\"a\": [1, 2}", "not a JSON object"},
		{"{\"a\": tru}", "not a JSON object"},
		{"{\"a\": \"b}", "not a JSON object"},
		{"{a: 1}", "not a JSON object"},
		{"null", "not a JSON object"},
		{"{\"a\": "
		 "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
		 "}",
		 "not a JSON object"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(csv) / sizeof(*csv); i++)
		check_fault("arrived_at,num_prefill_tokens,num_decode_tokens\n", "0,1,1", csv[i][0],
			    "2,2,2", csv[i][1]);
	for (size_t i = 0; i < sizeof(json) / sizeof(*json); i++)
		check_fault("", "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 1}",
			    json[i][0],
			    "{\"timestamp\": 2, \"input_length\": 2, \"output_length\": 2}",
			    json[i][1]);
}

static void test_refused(void **state)
{
	static const char *const bad[][2] = {
		{FOLDER "azure-multimodal.csv", "Azure multimodal 2025 is not in this version"},
		{FOLDER "vidur-lengths.csv", "no arrival times"},
		{FOLDER "servegen-offline.jsonl", "no arrival times"},
		{FOLDER "servegen.csv", "has no heading"},
		{FOLDER "bailian.jsonl", "Qwen-Bailian is not in this version"},
		{FOLDER "aibrix.jsonl", "AIBrix is not in this version"},
		{FOLDER "llmservingsim.jsonl", "LLMServingSim is not in this version"},
		{FOLDER "lfs-pointer.csv", "Git LFS pointer"},
		{FOLDER "empty.csv", "is empty"},
		{FOLDER "unknown.csv", "no known format"},
		{FOLDER "nowhere.csv", "cannot be opened"},
		{"tests/traces", "folder"},
	};
	struct trace_reader r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct diag d;

		diag_init(&d);
		assert_false(trace_reader_init(&r, bad[i][0], &d));
		if (!strstr(d.message, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], d.message);
		assert_string_equal(d.file, bad[i][0]);
	}
}

/* A file without line ends is given up after 64 MiB. */
static void test_endless_line(void **state)
{
	char name[] = "/tmp/infercap-trace-XXXXXX";
	int fd = mkstemp(name);
	struct trace_reader r;
	struct diag d;

	(void)state;
	assert_int_equal(ftruncate(fd, 1 << 27), 0);
	close(fd);
	diag_init(&d);
	assert_false(trace_reader_init(&r, name, &d));
	assert_non_null(strstr(d.message, "endless line"));
	unlink(name);
}

static void put_row(FILE *to, long long second)
{
	fprintf(to,
		"{\"timestamp\": \"%lld\", \"input_length\": 1, \"output_length\": 1, "
		"\"session_id\": \"s\"}\n",
		second);
}

/* A clock that starts again week after week, back to the last row that fits 64 bits of ns, then
 * leaps forward: beyond the span, not around the end of the integers. */
static void test_leap_of_a_clock(void **state)
{
	const long long weeks = 6597, far = weeks * 7 * 86400;
	char name[] = "/tmp/infercap-trace-XXXXXX";
	FILE *to = fdopen(mkstemp(name), "w");
	struct trace_request row;
	struct trace_reader r;

	(void)state;
	put_row(to, far);
	for (long long i = 0; i < 2 * weeks; i++)
		put_row(to, -far);
	put_row(to, far);
	put_row(to, -far);
	fclose(to);
	open_trace(&r, name);
	for (int i = 0; i < 3; i++) {
		assert_true(trace_reader_next(&r, &row));
		assert_int_equal(row.arrival_ns, 0);
	}
	assert_false(trace_reader_next(&r, &row));
	assert_int_equal(r.skipped, 2 * weeks);
	trace_reader_free(&r);
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixtures),
		cmocka_unit_test(test_each_fault_has_its_reason),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_leap_of_a_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
