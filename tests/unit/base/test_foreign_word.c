/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/diag.h"
#include "base/foreign_word.h"

static const char *const deployment[] = {"replicas", "tensor_parallel", NULL};
static const char *const weights[] = {"int8", "int4", "mxfp4", NULL};

static void test_meaning(void **state)
{
	(void)state;
	assert_string_equal(foreign_word_meaning("tp", deployment), "tensor_parallel");
	assert_string_equal(foreign_word_meaning("DP", deployment), "replicas");
	assert_string_equal(foreign_word_meaning("awq-int4", weights), "int4");
	assert_string_equal(foreign_word_meaning("8bit", weights), "int8");
}

/* A word counts only where what it means may stand. */
static void test_no_meaning(void **state)
{
	(void)state;
	assert_null(foreign_word_meaning("tp", weights));
	assert_null(foreign_word_meaning("qps", deployment));
	assert_null(foreign_word_meaning("replica", deployment));
	assert_null(foreign_word_meaning("", deployment));
}

static void test_wins_over_letters(void **state)
{
	static const char *const limits[] = {"tp", "tpot_ms", NULL};
	static const char *const numbers[] = {"int4", "5", NULL};

	(void)state;
	assert_string_equal(diag_nearest("tpot", limits), "tpot_ms");
	assert_string_equal(diag_nearest("4", numbers), "int4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_no_meaning),
		cmocka_unit_test(test_wins_over_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
