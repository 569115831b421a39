/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a length may not be, and where the message points. */
#include <stdio.h>
#include <unistd.h>

#include "harness.h"
#include "traffic/length_draw.h"

static void test_refusals(void **state)
{
	static const struct {
		const char *json, *path, *part;
	} bad[] = {
		{"{\"dist\": \"uniform\", \"min\": 3}", "max", "needs max"},
		{"{\"dist\": \"uniform\", \"min\": 30, \"max\": 3}", "min", "min 30 and max 3"},
		{"{\"dist\": \"uniform\", \"min\": 3.2, \"max\": 3.9}", "min", "no whole length"},
		{"{\"dist\": \"normal\", \"mean\": 3}", "sd", "needs sd"},
		{"{\"dist\": \"normal\", \"mean\": 100, \"sd\": 1, \"min\": 200}", "min",
		 "nothing of the normal law"},
		{"{\"dist\": \"normal\", \"mean\": 100, \"sd\": 0, \"max\": 99}", "max",
		 "nothing of the normal law"},
		{"{\"dist\": \"lognormal\", \"mean\": 3}", "cv", "go together"},
		{"{\"dist\": \"lognormal\", \"sigma\": 3}", "mu", "go together"},
		{"{\"dist\": \"lognormal\"}", "mean", "needs mean and cv"},
		{"{\"dist\": \"lognormal\", \"mean\": 3, \"cv\": 1, \"mu\": 1}", "mu", "not both"},
		{"{\"dist\": \"exponential\"}", "mean", "needs mean"},
		{"{\"dist\": \"gamma\", \"mean\": 7}", "cv", "needs cv"},
		{"{\"dist\": \"zipf\", \"min\": 1, \"max\": 9}", "theta", "needs theta"},
		{"{\"dist\": \"zipf\", \"min\": 1, \"max\": 9e6, \"theta\": 1}", "max", "at most"},
		{"{\"dist\": \"empirical\"}", "quantiles", "needs quantiles or a file"},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0.5, 10], [0.2, 20]]}", "quantiles",
		 "must increase"},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0.2, 10], [1, 2]]}", "quantiles",
		 "must not decrease"},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0.2, 10], [1.5, 20]]}", "quantiles",
		 "not between 0 and 1"},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0.2, 10], [0.9, 20]]}", "quantiles",
		 "end at 0.9"},
		{"{\"dist\": \"empirical\", \"quantiles\": [[0, 1], [1, 2]], \"file\": \"x\"}",
		 "file", "not both"},
	};
	struct length_law law;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		harness_refused(&length_law_record, &law, bad[i].json, bad[i].path, bad[i].part);
}

/* Writes text to a file whose name goes into a law. */
static void law_of_file(char *json, size_t size, const char *text)
{
	char name[] = "/tmp/infercap-lengths-XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	snprintf(json, size, "{\"dist\": \"empirical\", \"file\": \"%s\"}", name);
}

static void drop_file(const struct length_law *law)
{
	assert_int_equal(unlink(law->file), 0);
}

static void test_sample_from_a_file(void **state)
{
	struct length_law law;
	struct length_draw draw;
	struct diag d;
	char json[128];

	(void)state;
	law_of_file(json, sizeof(json), "tokens\r\n30\r\n10\r\n\r\n20");
	assert_true(harness_read(&length_law_record, &law, json, &d));
	assert_true(length_draw_init(&draw, &law, &d));
	assert_int_equal(length_draw_tokens(&draw, 0.001), 10);
	assert_int_equal(length_draw_tokens(&draw, 0.5), 20);
	assert_int_equal(length_draw_tokens(&draw, 0.999), 30);
	length_draw_free(&draw);
	drop_file(&law);
	record_free(&length_law_record, &law);
}

static void test_bad_files(void **state)
{
	static const char *const text[] = {"", "q,tokens\n", "10\n20,30\n", "10\nabc\n",
					   "1,2,3\n4,5,6\n"};
	struct length_law law;
	struct diag d;
	char json[128];

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		law_of_file(json, sizeof(json), text[i]);
		assert_false(harness_read(&length_law_record, &law, json, &d));
		assert_true(strstr(d.message, "lengths"));
		drop_file(&law);
		record_free(&length_law_record, &law);
	}
	assert_false(harness_read(&length_law_record, &law,
				  "{\"dist\": \"empirical\", \"file\": \"/nonexistent\"}", &d));
	record_free(&length_law_record, &law);
}

/* The choices of the tag are the list of kinds, and each says what it is. */
static void test_kinds_are_described(void **state)
{
	const char *const *names = length_law_record.field[0].of;

	(void)state;
	for (int i = 0; i < LENGTH_KINDS_COUNT; i++) {
		assert_string_equal(names[i], length_kinds[i]->name);
		assert_true(strlen(length_kinds[i]->help) > 10);
	}
	assert_null(names[LENGTH_KINDS_COUNT]);
	assert_null(length_kinds[LENGTH_KINDS_COUNT]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_sample_from_a_file),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_kinds_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
