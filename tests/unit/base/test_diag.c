/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static const char *const names[] = {"layer_us", "step_us", "mbu", "mfu", "p99", "p99.9", NULL};

static char *printed(const struct diag *d, void (*print)(const struct diag *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	print(d, memory);
	fclose(memory);
	return text;
}

static void assert_printed(const struct diag *d, const char *wanted)
{
	char *text = printed(d, diag_print);

	assert_string_equal(text, wanted);
	free(text);
}

static void test_nearest(void **state)
{
	(void)state;
	assert_string_equal(diag_nearest("layers_us", names), "layer_us");
	assert_string_equal(diag_nearest("LAYER_US", names), "layer_us");
	assert_string_equal(diag_nearest("lyaer_us", names), "layer_us");
	assert_string_equal(diag_nearest("mvu", names), "mbu");
	assert_string_equal(diag_nearest("p99.", names), "p99");
	assert_null(diag_nearest("temperature", names));
	assert_null(diag_nearest("", names));
}

/* A beginning up to a separator wins over what is as near by letters. */
static void test_nearest_by_beginning(void **state)
{
	static const char *const keys[] = {"rates", "rate", "hidden_size", "input", NULL};

	(void)state;
	assert_string_equal(diag_nearest("rate_s", keys), "rate");
	assert_string_equal(diag_nearest("rate_limit", keys), "rate");
	assert_string_equal(diag_nearest("hidden", keys), "hidden_size");
	assert_string_equal(diag_nearest("input_tokens", keys), "input");
	assert_null(diag_nearest("inputtokens", keys));
	assert_null(diag_nearest("h", keys));
}

static void test_first_is_kept(void **state)
{
	struct diag d = {0};

	(void)state;
	assert_false(diag_fail(&d, "first %d", 1));
	assert_false(diag_fail(&d, "second"));
	diag_at(&d, "a.json", 3, 7);
	diag_at(&d, "b.json", 1, 1);
	diag_path(&d, "gpus[0]");
	diag_path(&d, "x");
	assert_printed(&d, "infercap: a.json:3:7: gpus[0]: first 1\n");
}

static void test_all_parts(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_unknown(&d, "key", "mvu", names);
	diag_at(&d, "s.json", 2, 5);
	diag_path(&d, "gpus[0].mvu");
	assert_printed(
		&d, "infercap: s.json:2:5: gpus[0].mvu: unknown key \"mvu\"; did you mean \"mbu\"? "
		    "(allowed: layer_us, step_us, mbu, mfu, p99, p99.9)\n");
}

static void test_without_place(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_fail(&d, "needs a value");
	diag_found(&d, "nothing");
	assert_printed(&d, "infercap: needs a value, found nothing\n");
	diag_at(&d, "f.json", 0, 0);
	assert_printed(&d, "infercap: f.json: needs a value, found nothing\n");
}

static void test_found_beside_limits(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_fail(&d, "must be above 0");
	diag_found(&d, "0");
	assert_printed(&d, "infercap: must be above 0, found 0\n");
}

static void test_nothing_for_the_terminal(void **state)
{
	struct diag d = {0};

	(void)state;
	diag_unknown(&d, "GPU", "a\033[2J\n", names);
	diag_at(&d, "\rf", 1, 1);
	assert_printed(&d, "infercap: ?f:1:1: unknown GPU \"a?[2J?\" (allowed: layer_us, "
			   "step_us, mbu, mfu, p99, p99.9)\n");
}

static void test_long_texts_are_cut(void **state)
{
	struct diag d = {0};
	char name[3000];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	diag_fail(&d, "%s", name);
	assert_int_equal(strlen(d.message), sizeof(d.message) - 1);
	assert_string_equal(d.message + sizeof(d.message) - 5, "x...");
}

static void test_json(void **state)
{
	struct diag d = {0};
	char *text;

	(void)state;
	diag_fail(&d, "unknown \"x\"");
	diag_at(&d, "s.json", 2, 5);
	text = printed(&d, diag_json);
	assert_non_null(strstr(text, "\"error\": {"));
	assert_non_null(strstr(text, "\"line\": 2"));
	assert_non_null(strstr(text, "\"message\": \"unknown \\\"x\\\"\""));
	assert_non_null(strstr(text, "\"nearest\": null"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest),
					   cmocka_unit_test(test_nearest_by_beginning),
					   cmocka_unit_test(test_first_is_kept),
					   cmocka_unit_test(test_all_parts),
					   cmocka_unit_test(test_without_place),
					   cmocka_unit_test(test_found_beside_limits),
					   cmocka_unit_test(test_nothing_for_the_terminal),
					   cmocka_unit_test(test_long_texts_are_cut),
					   cmocka_unit_test(test_json)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
