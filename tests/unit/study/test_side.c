/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include <string.h>

#include "study/side.h"
#include "unit/study/fixture_side.h"

/* Groups of two make no three; no degree decodes a token in 0.1 ms. */
static void reasons(void **state)
{
	(void)state;
	struct fixture_side w;

	fixture_side_init(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 3, 1);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "tpot_ms p50"));
	assert_non_null(strstr(w.result.reason, "tensor_parallel 1"));
	fixture_side_free(&w);
	fixture_side_init(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 0, 1);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "the best degree that fits"));
	fixture_side_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
