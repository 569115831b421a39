/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

static void grows_until_it_is_full(void **state)
{
	char text[10] = "";

	(void)state;
	text_add(text, sizeof(text), "%d", 12);
	assert_string_equal(text, "12");
	text_add(text, sizeof(text), ", %s", "three");
	assert_string_equal(text, "12, three");
	text_add(text, sizeof(text), "%s", "more");
	assert_string_equal(text, "12, three");
}

static void is_cut_at_the_end(void **state)
{
	char text[6] = "abc";

	(void)state;
	text_add(text, sizeof(text), "%s", "defgh");
	assert_string_equal(text, "abcde");
}

static void ends_so(void **state)
{
	(void)state;
	assert_true(text_ends("a.json", ".json"));
	assert_false(text_ends(".json", ".json"));
	assert_false(text_ends("a.jsonl", ".json"));
	assert_false(text_ends("n", ".json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(grows_until_it_is_full),
					   cmocka_unit_test(is_cut_at_the_end),
					   cmocka_unit_test(ends_so)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
