/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The description of a trace against a published one's known figures, and the conversion against
 * reading it back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "study/trace_report.h"

#define CONVERSATION "workloads/traces/AzureLLMInferenceTrace_conv.csv"
#define FOLDER	     "tests/traces/"

static void read_report(struct trace_report *t, const char *file)
{
	struct diag d;

	diag_init(&d);
	if (!trace_report_read(t, file, NULL, NULL, &d))
		fail_msg("%s: %s", file, d.message);
}

/* Azure's conversation trace of 2023: gaps' deviation over mean, percentiles at (n-1)q. */
static void test_azure_conversation(void **state)
{
	struct trace_report t;

	(void)state;
	if (access(CONVERSATION, R_OK))
		skip();
	read_report(&t, CONVERSATION);
	assert_string_equal(t.format, "azure");
	assert_int_equal(t.requests, 19366);
	assert_int_equal(t.skipped, 0);
	assert_true(t.skipped_line == RECORD_INT_UNSET && !t.skipped_reason);
	assert_true(fabs(t.span_s - 3501.7) < 0.05);
	assert_true(fabs(t.rate_rps - 5.530) < 0.0005);
	assert_true(fabs(t.cv - 1.094) < 0.0005);
	assert_true(fabs(t.input.mean - 1154.7) < 0.05);
	assert_true(t.input.p50 == 1020 && t.input.p90 == 2734.5 && t.input.max == 14050);
	assert_true(fabs(t.input.p99 - 4142) < 0.5);
	assert_true(fabs(t.output.mean - 211.1) < 0.05);
	assert_true(t.output.p50 == 129 && t.output.p99 == 601 && t.output.max == 1000);
	trace_report_free(&t);
}

/* Gaps of 1.75, 3.75, 2.5 s; lengths 10 to 40: all worked by hand. */
static void test_by_hand(void **state)
{
	struct trace_report t;

	(void)state;
	read_report(&t, FOLDER "vidur.csv");
	assert_true(t.requests == 4 && t.skipped == 2 && t.skipped_line == 4);
	assert_true(t.span_s == 8 && t.rate_rps == 0.375);
	assert_true(fabs(t.cv - 1.010362971 / (8 / 3.)) < 1e-8);
	assert_true(t.input.mean == 25 && t.input.p50 == 25 && fabs(t.input.p90 - 37) < 1e-9);
	assert_true(fabs(t.input.p99 - 39.7) < 1e-9 && t.input.max == 40);
	trace_report_free(&t);
	/* One time: no rate. */
	read_report(&t, FOLDER "one-time.csv");
	assert_true(t.span_s == 0 && isnan(t.rate_rps) && isnan(t.cv));
	trace_report_free(&t);
}

static void test_refused(void **state)
{
	static const char *const bad[][2] = {
		{FOLDER "no-usable-row.csv", "no usable row"},
		{FOLDER "vidur-lengths.csv", "no arrival times"},
		{FOLDER "nowhere.csv", "cannot be opened"},
	};
	struct trace_report t;
	struct diag d;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		diag_init(&d);
		assert_false(trace_report_read(&t, bad[i][0], NULL, NULL, &d));
		assert_non_null(strstr(d.message, bad[i][1]));
	}
}

/* Converts to a temporary file; its name, to be unlinked. */
static void convert(const char *from, char *to, const char *extension)
{
	const struct trace_format *as = trace_format_by_extension(extension);
	FILE *file = fdopen(mkstemp(to), "w");
	struct trace_report t;
	struct diag d;

	diag_init(&d);
	assert_non_null(as);
	assert_true(trace_report_read(&t, from, file, as, &d));
	fclose(file);
	trace_report_free(&t);
}

static void check_same(const struct trace_report *a, const struct trace_report *b)
{
	assert_true(a->requests == b->requests && b->skipped == 0);
	assert_true(a->span_s == b->span_s);
	assert_true(a->cv == b->cv || (isnan(a->cv) && isnan(b->cv)));
	assert_memory_equal(&a->input, &b->input, sizeof(a->input));
	assert_memory_equal(&a->output, &b->output, sizeof(a->output));
}

static void test_conversion_reads_back(void **state)
{
	static const char *const from[] = {FOLDER "azure-2023.csv", FOLDER "burstgpt-sessions.csv",
					   FOLDER "mooncake.jsonl", FOLDER "faulty.csv"};
	struct trace_report a, b;

	(void)state;
	for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++) {
		char to[] = "/tmp/infercap-convert-XXXXXX";

		convert(from[i], to, "x.csv");
		read_report(&a, from[i]);
		read_report(&b, to);
		assert_string_equal(b.format, "vidur");
		check_same(&a, &b);
		trace_report_free(&a);
		trace_report_free(&b);
		unlink(to);
	}
}

/* Whole milliseconds survive; the text is the format's. */
static void test_conversion_to_mooncake(void **state)
{
	char to[] = "/tmp/infercap-convert-XXXXXX", text[256] = "";
	struct trace_report a, b;
	FILE *file;

	(void)state;
	convert(FOLDER "mooncake.jsonl", to, "x.jsonl");
	read_report(&a, FOLDER "mooncake.jsonl");
	read_report(&b, to);
	check_same(&a, &b);
	file = fopen(to, "r");
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_string_equal(
		text, "{\"timestamp\": 0, \"input_length\": 2100, \"output_length\": 3}\n"
		      "{\"timestamp\": 0, \"input_length\": 900, \"output_length\": 1}\n"
		      "{\"timestamp\": 3053, \"input_length\": 500, \"output_length\": 70}\n");
	trace_report_free(&a);
	trace_report_free(&b);
	unlink(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_azure_conversation),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_conversion_reads_back),
		cmocka_unit_test(test_conversion_to_mooncake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
