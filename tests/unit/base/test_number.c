/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/number.h"

static void prints(double value, int digits, const char *expected)
{
	char text[NUMBER_TEXT];

	number_text(text, value, digits);
	assert_string_equal(text, expected);
}

static void significant_digits(void **state)
{
	(void)state;
	prints(12.3456, 4, "12.35");
	prints(0.012345, 4, "0.01235");
	prints(0.5, 3, "0.500");
	prints(0, 3, "0.00");
	prints(-1.5, 2, "-1.5");
	prints(0.998, 2, "1.0");
	prints(1, 2, "1.0");
	prints(999.96, 4, "1,000");
	prints(NAN, 4, "-");
}

static void thousands(void **state)
{
	(void)state;
	prints(999, 4, "999.0");
	prints(1234.4, 4, "1,234");
	prints(27447.9, 4, "27,448");
	prints(-1234567, 0, "-1,234,567");
	prints(1e9, 0, "1,000,000,000");
}

static void plain(void **state)
{
	char text[NUMBER_TEXT];

	(void)state;
	number_plain(text, 2000);
	assert_string_equal(text, "2,000");
	number_plain(text, 0.1 * 1e3);
	assert_string_equal(text, "100");
	number_plain(text, 5.53046);
	assert_string_equal(text, "5.530");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(significant_digits),
		cmocka_unit_test(thousands),
		cmocka_unit_test(plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
