/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/progress.h"

static void the_time_left(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {
		{0, "0 s left"},	  {0.2, "1 s left"},	     {59, "59 s left"},
		{60, "1 min 0 s left"},	  {185.7, "3 min 5 s left"}, {3599, "59 min 59 s left"},
		{3600, "1 h 0 min left"}, {7860, "2 h 11 min left"}, {3.6e8, "100000 h 0 min left"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[PROGRESS_LEFT];

		progress_left(text, cases[i].seconds);
		assert_string_equal(text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_time_left)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
