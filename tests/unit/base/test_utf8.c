/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/utf8.h"

static void test_characters(void **state)
{
	(void)state;
	assert_int_equal(utf8_bytes("a", 1), 1);
	assert_int_equal(utf8_bytes("\xc3\xa9", 2), 2);
	assert_int_equal(utf8_bytes("\xe2\x82\xac", 3), 3);
	assert_int_equal(utf8_bytes("\xf0\x9f\x98\x80", 4), 4);
}

static void test_refused(void **state)
{
	(void)state;
	assert_int_equal(utf8_bytes("", 0), 0);
	assert_int_equal(utf8_bytes("\xe9 ", 2), 0);		/* Latin-1 */
	assert_int_equal(utf8_bytes("\xe2\x82", 2), 0);		/* cut */
	assert_int_equal(utf8_bytes("\xc0\xaf", 2), 0);		/* overlong */
	assert_int_equal(utf8_bytes("\xe0\x80\xaf", 3), 0);	/* overlong */
	assert_int_equal(utf8_bytes("\xed\xa0\x80", 3), 0);	/* surrogate */
	assert_int_equal(utf8_bytes("\xf4\x90\x80\x80", 4), 0); /* beyond U+10FFFF */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_characters),
					   cmocka_unit_test(test_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
