/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"

/* A csv over a text, by way of an unnamed file. */
static struct csv over(const char *text, size_t bytes)
{
	char name[] = "/tmp/infercap_csv_XXXXXX";
	int file = mkstemp(name);
	struct diag d = {0};
	struct csv c;

	assert_int_equal(write(file, text, bytes), (int)bytes);
	close(file);
	assert_true(csv_open(&c, name, &d));
	unlink(name);
	c.name = "text";
	return c;
}

static void test_rows(void **state)
{
	static const char text[] = "\xef\xbb\xbf"
				   "a,b,c\r\n1,,x y\r\n\r\n\"q\"\"q\",\"1,2\",";
	struct csv c = over(text, sizeof(text) - 1);

	(void)state;
	assert_true(csv_row(&c));
	assert_int_equal(csv_column(&c, "a"), 0);
	assert_int_equal(csv_column(&c, "c"), 2);
	assert_int_equal(csv_column(&c, "d"), -1);
	assert_true(csv_row(&c));
	assert_int_equal(c.fields, 3);
	assert_string_equal(c.field[1], "");
	assert_string_equal(c.field[2], "x y");
	assert_true(csv_row(&c));
	assert_int_equal(c.fields, 1);
	assert_string_equal(c.field[0], "");
	assert_true(csv_row(&c));
	assert_int_equal(c.number, 4);
	assert_int_equal(c.fields, 3);
	assert_string_equal(c.field[0], "q\"q");
	assert_string_equal(c.field[1], "1,2");
	assert_false(csv_row(&c));
	assert_false(c.failed);
	csv_close(&c);
}

static void test_quotes_over_lines(void **state)
{
	static const char text[] = "a,\"one\r\ntwo\"\nb,5\" disk\nc\n";
	struct csv c = over(text, sizeof(text) - 1);

	(void)state;
	assert_true(csv_row(&c));
	assert_string_equal(c.field[1], "one\ntwo");
	assert_int_equal(c.number, 1);
	assert_true(csv_row(&c));
	assert_int_equal(c.number, 3);
	assert_string_equal(c.field[1], "5\" disk");
	assert_true(csv_row(&c));
	assert_int_equal(c.number, 4);
	csv_close(&c);
}

static void test_open_quote_ends(void **state)
{
	static const char text[] = "\"never closed\nx\ny";
	struct csv c = over(text, sizeof(text) - 1);

	(void)state;
	assert_true(csv_row(&c));
	assert_int_equal(c.fields, 1);
	assert_false(csv_row(&c));
	csv_close(&c);
}

static void test_lines(void **state)
{
	static const char text[] = "first\r\n\nlast\0end";
	struct csv c = over(text, sizeof(text) - 1);

	(void)state;
	assert_string_equal(csv_line(&c), "first");
	assert_string_equal(csv_line(&c), "");
	assert_string_equal(csv_line(&c), "last");
	assert_int_equal(c.length, 8); /* a NUL byte inside shows */
	assert_int_equal(c.number, 3);
	assert_null(csv_line(&c));
	csv_close(&c);
}

static void test_missing(void **state)
{
	struct csv c;
	struct diag d = {0};

	(void)state;
	assert_false(csv_open(&c, "/nowhere/at.csv", &d));
	assert_string_equal(d.file, "/nowhere/at.csv");
	csv_close(&c);
}

static void test_write(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	(void)state;
	csv_write(memory, "plain");
	csv_write(memory, "a,b");
	csv_write(memory, "say \"x\"");
	fclose(memory);
	assert_string_equal(text, "plain\"a,b\"\"say \"\"x\"\"\"");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
					   cmocka_unit_test(test_quotes_over_lines),
					   cmocka_unit_test(test_open_quote_ends),
					   cmocka_unit_test(test_lines),
					   cmocka_unit_test(test_missing),
					   cmocka_unit_test(test_write)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
