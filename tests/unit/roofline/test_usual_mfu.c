/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "roofline/usual_mfu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A card by what the law reads. */
static struct gpu card(const char *architecture, const char *capability, double watts,
		       double tflops)
{
	struct gpu g;

	record_init(&gpu_record, &g);
	g.architecture = strdup(architecture);
	g.compute_capability = strdup(capability);
	g.tdp_w.value = watts;
	g.peak.of[COMPUTE_FP16].value = tflops * 1e12;
	return g;
}

static void near(double got, double wanted, double within)
{
	if (!(fabs(got - wanted) <= within))
		fail_msg("%g, expected %g", got, wanted);
}

static double matmul(const char *architecture, const char *capability, double watts, double tflops)
{
	struct gpu g = card(architecture, capability, watts, tflops);
	double mfu = usual_matmul_mfu(&g);

	record_free(&gpu_record, &g);
	return mfu;
}

/* Large matmuls that people measured, TFLOP/s: the law is within 13 % of each. */
static void the_law_is_near_what_was_measured(void **state)
{
	static const struct {
		const char *architecture, *capability;
		double watts, peak, measured;
	} cards[] = {
		{"Ada Lovelace", "8.9", 72, 121, 61}, {"Ada Lovelace", "8.9", 350, 362.05, 267},
		{"Hopper", "9.0", 700, 989.4, 775},   {"Hopper", "9.0", 350, 756.4, 477},
		{"Volta", "7.0", 300, 125, 94.8},     {"Volta", "7.0", 250, 130, 88.9},
		{"Turing", "7.5", 70, 65, 42.2},      {"Ampere", "8.0", 400, 312, 261},
		{"Ampere", "8.0", 250, 312, 238},     {"Ampere", "8.6", 300, 154.8, 122},
		{"Ampere", "8.6", 140, 76.7, 64},     {"Blackwell", "10.0", 1000, 2250, 1660},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
		double law = cards[i].peak * matmul(cards[i].architecture, cards[i].capability,
						    cards[i].watts, cards[i].peak);

		near(law / cards[i].measured, 1, 0.13);
	}
}

/* Half the power is the root of half the clock; more power than kernels need changes nothing. */
static void power_limits_the_clock(void **state)
{
	(void)state;
	near(matmul("Ada Lovelace", "8.9", 36, 121) / matmul("Ada Lovelace", "8.9", 72, 121),
	     sqrt(0.5), 1e-12);
	near(matmul("Ada Lovelace", "8.9", 450, 165), 0.85, 0);
	near(matmul("Pascal", "6.1", 50, 12), 0.90, 0);
	near(matmul("Ada Lovelace", "8.9", (double)NAN, 121), 0.85, 0);
	near(matmul("unheard of", "x", 100, 100), 0.75, 0);
}

static void serving_runs_more_than_matmuls(void **state)
{
	struct gpu g = card("Ada Lovelace", "8.9", 72, 121);
	double alone = usual_matmul_mfu(&g);
	struct figure mfu;

	(void)state;
	g.bandwidth.value = 300e9;
	mfu = usual_mfu(&g);
	near(mfu.value, alone / (1 + 3.5e-4 * 121e12 * alone / 300e9), 1e-12);
	near(mfu.sigma / mfu.value, 0.1, 1e-12);
	assert_int_equal(mfu.origin, ORIGIN_ASSUMED);
	assert_non_null(mfu.source);
	free(mfu.source);
	record_free(&gpu_record, &g);
}

/* Reading a GPU without mfu gives it one; any of its own keeps it away. */
static void a_gpu_that_is_read_has_one(void **state)
{
	struct gpu g = card("Ada Lovelace", "8.9", 72, 121);
	struct diag d;

	(void)state;
	diag_init(&d);
	g.id = strdup("own");
	g.bandwidth.value = 300e9;
	g.memory.value = 24e9;
	if (!record_finish(&gpu_record, &g, "gpu", &d))
		fail_msg("%s: %s", d.path, d.message);
	near(gpu_mfu(&g, COMPUTE_FP8)->value, 0.5, 0.02);
	free(g.mfu.all.source);
	g.mfu.all = (struct figure){.value = (double)NAN, .sigma = (double)NAN};
	g.mfu.of[COMPUTE_FP8].value = 0.4;
	if (!record_finish(&gpu_record, &g, "gpu", &d))
		fail_msg("%s: %s", d.path, d.message);
	near(gpu_mfu(&g, COMPUTE_BF16)->value, 0.4, 0);
	record_free(&gpu_record, &g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_law_is_near_what_was_measured),
		cmocka_unit_test(power_limits_the_clock),
		cmocka_unit_test(serving_runs_more_than_matmuls),
		cmocka_unit_test(a_gpu_that_is_read_has_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
