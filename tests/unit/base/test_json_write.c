/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"

static void assert_number(double value, const char *wanted)
{
	char text[32];

	json_number(text, value);
	assert_string_equal(text, wanted);
}

static void test_numbers(void **state)
{
	double tenth = 0.1, third = 1.0 / 3;
	char text[32];

	(void)state;
	assert_number(tenth, "0.1");
	assert_number(0, "0");
	assert_number(-0.0, "0");
	assert_number(100000, "100000");
	assert_number(1e15, "1e+15");
	assert_number(-2.5e-7, "-2.5e-07");
	assert_number(0x1p53, "9007199254740992");
	assert_number((double)NAN, "null");
	assert_number((double)-INFINITY, "null");
	json_number(text, third);
	assert_true(strtod(text, NULL) == third);
	json_number(text, 5e-324);
	assert_true(strtod(text, NULL) == 5e-324);
}

static void test_document(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	struct json_write w;

	(void)state;
	json_write_init(&w, memory);
	json_write_open(&w, '{');
	json_write_key(&w, "a\n\"");
	json_write_open(&w, '[');
	json_write_int(&w, INT64_MIN + 1);
	json_write_real(&w, 0.5);
	json_write_bool(&w, true);
	json_write_text(&w, NULL);
	json_write_close(&w, ']');
	json_write_key(&w, "e");
	json_write_open(&w, '{');
	json_write_close(&w, '}');
	json_write_close(&w, '}');
	fclose(memory);
	assert_string_equal(text, "{\n  \"a\\n\\\"\": [\n    -9223372036854775807,\n    0.5,\n"
				  "    true,\n    null\n  ],\n  \"e\": {}\n}");
	free(text);
}

static void test_tree(void **state)
{
	static const char json[] =
		"{\n  \"x\": [\n    1,\n    \"y\",\n    false\n  ],\n  \"z\": null\n}";
	cJSON *tree = cJSON_Parse(json);
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	struct json_write w;

	(void)state;
	json_write_init(&w, memory);
	json_write_tree(&w, tree);
	fclose(memory);
	assert_string_equal(text, json);
	free(text);
	cJSON_Delete(tree);
}

static void test_text_that_is_no_utf8(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	struct json_write w;

	(void)state;
	json_write_init(&w, memory);
	json_write_text(&w, "caf\xe9 \xc3\xa9\xe2\x82");
	fclose(memory);
	assert_string_equal(text, "\"caf\xef\xbf\xbd \xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_document),
		cmocka_unit_test(test_text_that_is_no_utf8), cmocka_unit_test(test_tree)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
