/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "roofline/power.h"
#include "toy.h"

/* idle 100, TDP 700: at T = 0 of a busy step 100 + 600*.44 = 364; T = e^4 - 1: .44 + .26 = .7: 520;
 * far beyond 700. */
static void test_power(void **state)
{
	struct gpu g;

	(void)state;
	record_init(&gpu_record, &g);
	g.tdp_w.value = 700;
	g.idle_w.value = 100;
	assert_near(power_busy_w(&g, 0), 364, 1e-9);
	assert_near(power_busy_w(&g, exp(4) - 1), 520, 1e-9);
	assert_near(power_busy_w(&g, 65536), 700, 1e-9);
	g.idle_w.value = (double)NAN;
	assert_near(power_idle_w(&g), 140, 1e-9);
	record_free(&gpu_record, &g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_power)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
