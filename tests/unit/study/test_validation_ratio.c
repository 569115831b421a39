/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "study/validation_ratio.h"
#include "unit/study/fixture_points.h"

#define OUTPUT "throughput.output_tokens_per_s"
#define TOTAL  "throughput.total_tokens_per_s"

static const struct measured_row rows[] = {{.line = 2}, {.line = 3}, {.line = 4}, {.line = 5}};

static struct validation_point throughput(size_t row, const char *gpu, double measured,
					  double simulated)
{
	struct validation_point p = fixture_point(&rows[row], OUTPUT, simulated / measured - 1);

	p.gpu = gpu;
	p.load = VALIDATION_CLOSED;
	p.measured = measured;
	p.simulated = simulated;
	return p;
}

static struct validation_ratios find(struct validation_point *p, size_t n)
{
	const struct validation v = {.points = n, .point = p};
	struct validation_ratios r;

	validation_ratios_find(&r, &v);
	return r;
}

/* 300 over 100 measured, 200 over 110 simulated. */
static void a_pair(void **state)
{
	struct validation_point p[] = {throughput(0, "a100", 100, 110),
				       throughput(1, "h100", 300, 200)};
	struct validation_ratios r = find(p, 2);

	(void)state;
	assert_int_equal(r.n, 1);
	assert_string_equal(r.ratio[0].gpu, "a100");
	assert_string_equal(r.ratio[0].other, "h100");
	assert_near(r.ratio[0].measured, 3, 1e-12);
	assert_near(r.ratio[0].simulated, 200.0 / 110, 1e-12);
	assert_near(r.ratio[0].error, 200.0 / 330 - 1, 1e-12);
	assert_int_equal(r.ratio[0].line, 2);
	assert_int_equal(r.ratio[0].other_line, 3);
	assert_int_equal(r.ratio[0].set, VALIDATION_CHECK);
	validation_ratios_free(&r);
}

static void three_gpus_are_three_pairs(void **state)
{
	struct validation_point p[] = {throughput(0, "l4", 10, 10), throughput(1, "a100", 20, 20),
				       throughput(2, "h100", 40, 40),
				       throughput(3, "h100", 50, 40)};
	struct validation_ratios r;

	(void)state;
	p[0].set = VALIDATION_UNFITTED;
	p[1].set = VALIDATION_FIT;
	r = find(p, 4);
	assert_int_equal(r.n, 3); /* the second h100 row is not another GPU */
	assert_int_equal(r.ratio[0].set, VALIDATION_FIT);      /* a100, h100 */
	assert_int_equal(r.ratio[1].set, VALIDATION_FIT);      /* a100, l4 */
	assert_int_equal(r.ratio[2].set, VALIDATION_UNFITTED); /* h100, l4 */
	assert_near(r.ratio[2].measured, 0.25, 1e-12);
	validation_ratios_free(&r);
}

/* A row that nothing was fitted to stands for its GPU, wherever it is. */
static void check_rows_come_first(void **state)
{
	struct validation_point p[] = {throughput(0, "a100", 100, 90),
				       throughput(1, "a100", 100, 110),
				       throughput(2, "h100", 300, 200)};
	struct validation_ratios r;

	(void)state;
	p[0].set = VALIDATION_FIT;
	r = find(p, 3);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.ratio[0].line, 3);
	assert_int_equal(r.ratio[0].set, VALIDATION_CHECK);
	validation_ratios_free(&r);
}

static void only_what_is_alike(void **state)
{
	struct validation_point p[] = {throughput(0, "a100", 100, 110),
				       throughput(1, "h100", 300, 200)};

	(void)state;
	p[1].pair = "model=other";
	assert_int_equal(find(p, 2).n, 0);
	p[1].pair = "";
	p[1].name = "other table";
	assert_int_equal(find(p, 2).n, 0);
	p[1].name = "t";
	p[1].load = VALIDATION_BELOW; /* its throughput is what was offered */
	assert_int_equal(find(p, 2).n, 0);
	p[1].load = VALIDATION_CLOSED;
	p[1].left_out = "a rule";
	assert_int_equal(find(p, 2).n, 0);
	p[1].left_out = NULL;
	p[1].gpu = "a100";
	assert_int_equal(find(p, 2).n, 0);
	p[1].gpu = "h100";
	p[1].metric = "latency.tpot_ms.p50";
	assert_int_equal(find(p, 2).n, 0);
}

/* Tokens put out, where they were measured. */
static void one_throughput_a_row(void **state)
{
	struct validation_point p[] = {throughput(0, "a100", 100, 110), throughput(0, "a100", 1, 1),
				       throughput(1, "h100", 5, 1),
				       throughput(1, "h100", 300, 200)};
	struct validation_ratios r;

	(void)state;
	p[1].metric = p[2].metric = TOTAL;
	r = find(p, 4);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.ratio[0].metric, OUTPUT);
	validation_ratios_free(&r);
	p[0].left_out = p[3].left_out = "a rule";
	r = find(p, 4);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.ratio[0].metric, TOTAL);
	validation_ratios_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair),
		cmocka_unit_test(three_gpus_are_three_pairs),
		cmocka_unit_test(check_rows_come_first),
		cmocka_unit_test(only_what_is_alike),
		cmocka_unit_test(one_throughput_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
