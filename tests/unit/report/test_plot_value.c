/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "report/plot_head.h"
#include "report/plot_value.h"

/* What a function prints. */
static char text[512];
static FILE *begin(void)
{
	memset(text, 0, sizeof text);
	return fmemopen(text, sizeof text, "w");
}

static void test_values(void **state)
{
	cJSON *tree = cJSON_Parse("{\"latency\": {\"ttft_ms\": {\"p99.9\": 3, \"p99\": null}}, "
				  "\"gpu\": \"l4\", \"holds\": true, \"list\": [1]}");

	(void)state;
	assert_true(plot_real(tree, "latency/ttft_ms/p99.9") == 3);
	assert_true(isnan(plot_real(tree, "latency/ttft_ms/p99")));
	assert_true(isnan(plot_real(tree, "latency/ttft_ms/p9")));
	assert_true(isnan(plot_real(tree, "gpu/none")));
	assert_true(isnan(plot_real(tree, "list/x")));
	assert_true(isnan(plot_real(NULL, "x")));
	assert_string_equal(plot_text(tree, "gpu"), "l4");
	assert_string_equal(plot_text(tree, "latency"), "");
	assert_true(plot_is_true(tree, "holds"));
	assert_false(plot_is_true(tree, "gpu"));
	cJSON_Delete(tree);
}

static void test_names(void **state)
{
	struct record_list names = {0};

	(void)state;
	assert_int_equal(plot_name(&names, "b"), 0);
	assert_int_equal(plot_name(&names, "a"), 1);
	assert_int_equal(plot_name(&names, "b"), 0);
	assert_int_equal(names.count, 2);
	record_texts_free(&names);
}

static void test_row(void **state)
{
	struct plot_row row = {.to = begin()};

	(void)state;
	plot_row_real(&row, 0.1);
	plot_row_real(&row, (double)NAN);
	plot_row_text(&row, "a, \"b\"");
	plot_row_bool(&row, false);
	plot_row_end(&row);
	plot_row_text(&row, "x");
	plot_row_end(&row);
	fclose(row.to);
	assert_string_equal(text, "0.1,,\"a, \"\"b\"\"\",false\nx\n");
}

/* Nothing in a name is code: not its quotes, nor a new line. */
static void test_head(void **state)
{
	struct record_list names = {0}, none = {0};
	FILE *to = begin();

	(void)state;
	plot_head_text(to, "TITLE", "it's\n\"$x `y` \\n");
	plot_head_real(to, "LIMIT", 2000);
	plot_head_real(to, "NONE", (double)NAN);
	record_texts_add(&names, xstrdup("a"));
	record_texts_add(&names, xstrdup("b's"));
	plot_head_texts(to, "GPU", &names);
	plot_head_texts(to, "NO", &none);
	fclose(to);
	assert_string_equal(text, "TITLE = 'it''s \"$x `y` \\n'\nLIMIT = 2000\nNONE = NaN\n"
				  "array GPU[2] = ['a', 'b''s']\narray NO[1] = ['']\n");
	record_texts_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
