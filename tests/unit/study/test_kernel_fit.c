/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/kernel_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "des/rng.h"

enum { MOST = 2000 };

/* A GPU whose constants are known, and another that starts elsewhere. */
static struct gpu gpu(double mfu, double mfu_fp8, double mbu, double p, double amfu, double ambu)
{
	struct gpu g;

	record_init(&gpu_record, &g);
	g.id = strdup("red");
	g.bandwidth.value = 3e12;
	g.peak.of[COMPUTE_BF16].value = g.peak.of[COMPUTE_FP16].value = 1e15;
	g.peak.of[COMPUTE_FP8].value = 2e15;
	g.mfu.all = (struct figure){.value = mfu, .sigma = NAN, .origin = ORIGIN_ASSUMED};
	g.mfu.of[COMPUTE_FP8] =
		(struct figure){.value = mfu_fp8, .sigma = NAN, .origin = ORIGIN_ASSUMED};
	g.mbu.value = mbu;
	g.p.value = p;
	g.amfu.value = amfu;
	g.ambu.value = ambu;
	g.link_busbw.at4.value = 2e11;
	g.link_lat.at4.value = 5e-6;
	return g;
}

/* Seconds by the equations of docs/model.md, written out; kernels of 4 us. */
static double linear_s(double flops, double bytes, double peak, double mfu)
{
	double compute_s = flops / (peak * mfu), memory_s = bytes / (3e12 * 0.9);

	return pow(pow(compute_s, 3) + pow(memory_s, 3), 1.0 / 3) + 4e-6;
}

static struct kernel_row *add(struct kernel_table *t, int kind, int dtype, double seconds)
{
	struct kernel_row *r = &t->row[t->rows++];

	assert_true(t->rows <= MOST);
	*r = (struct kernel_row){.kind = kind, .dtype = dtype, .seconds = seconds};
	return r;
}

static void add_gemms(struct kernel_table *t, int dtype)
{
	double width = dtype == COMPUTE_FP8 ? 1 : 2, mfu = dtype == COMPUTE_FP8 ? 0.6 : 0.8;

	for (int n = 2048; n <= 16384; n *= 2)
		for (int k = 2048; k <= 16384; k *= 2)
			for (int m = 1; m <= 8192; m *= 4) {
				struct kernel_row *r = add(t, KERNEL_GEMM, dtype,
							   linear_s(2.0 * m * n * k, width * n * k,
								    2e15 / width, mfu));

				if (dtype == COMPUTE_FP8) /* what turns activations into fp8 */
					r->seconds += 6e-6 + 5e-12 * m * k;
				r->m = m;
				r->n = n;
				r->k = k;
				r->shape = (uint64_t)n * 10 + (uint64_t)k;
			}
}

/* FLOPs at 0.4 of the 16-bit rate, then the bytes of the experts touched; kernels of 30 us. */
static void add_experts(struct kernel_table *t)
{
	for (int experts = 8; experts <= 128; experts *= 4)
		for (int m = 1; m <= 8192; m *= 4) {
			double weights = 3.0 * 4096 * 2048;
			double touched = experts * (1 - pow(1 - 2.0 / experts, m));
			struct kernel_row *r = add(t, KERNEL_EXPERTS, COMPUTE_FP8, 0);

			r->seconds = 2.0 * m * 2 * weights / (1e15 * 0.8 * 0.4) +
				     touched * weights / (3e12 * 0.9) + 3e-5;
			r->m = m;
			r->n = 4096;
			r->k = 2048;
			r->experts = experts;
			r->chosen = 2;
			r->shape = (uint64_t)experts;
		}
}

static void add_prefills(struct kernel_table *t)
{
	for (int heads = 16; heads <= 64; heads *= 2)
		for (int c = 256; c <= 16384; c *= 2)
			for (int q = 0; q <= 4096; q += 4096) {
				double pairs = c * q + c * (c + 1) / 2.0;
				struct kernel_row *r = add(t, KERNEL_PREFILL, COMPUTE_BF16, 0);

				r->seconds = fmax(512 * heads * pairs / (1e15 * 0.5),
						  2 * 8 * 128 * 2 * (q + c) / (3e12 * 0.7)) +
					     1e-5 + 2e-10 * c * heads;
				r->batch = 1;
				r->tokens = c;
				r->cached = q;
				r->heads = heads;
				r->kv_heads = 8;
				r->head_dim = 128;
				r->shape = (uint64_t)heads;
			}
}

static void add_decodes(struct kernel_table *t)
{
	for (int heads = 16; heads <= 64; heads *= 2)
		for (int n = 1; n <= 256; n *= 4)
			for (int context = 512; context <= 32768; context *= 4) {
				struct kernel_row *r = add(t, KERNEL_DECODE, COMPUTE_BF16, 0);

				r->seconds = 4096.0 * n * context / (3e12 * 0.7) + 8e-6;
				r->batch = n;
				r->cached = context;
				r->heads = heads;
				r->kv_heads = 8;
				r->head_dim = 128;
				r->shape = (uint64_t)heads;
			}
}

static void add_links(struct kernel_table *t)
{
	for (int bytes = 16384; bytes <= 1 << 25; bytes *= 2) {
		struct kernel_row *r = add(t, KERNEL_ALL_REDUCE, 0, 0);

		r->seconds = 7e-6 + 2 * 3.0 / 4 * bytes / 1.5e11;
		r->gpus = 4;
		r->bytes = bytes;
		r->shape = (uint64_t)bytes;
	}
}

static void table_init(struct kernel_table *t)
{
	*t = (struct kernel_table){.row = calloc(MOST, sizeof(struct kernel_row))};
	add_gemms(t, COMPUTE_BF16);
	add_gemms(t, COMPUTE_FP8);
	add_experts(t);
	add_prefills(t);
	add_decodes(t);
	add_links(t);
	record_texts_add(&t->sources, strdup("a bench"));
}

static const struct kernel_constant *constant(const struct kernel_fit *f, const char *name)
{
	for (size_t i = 0; i < f->constants; i++)
		if (!strcmp(f->constant[i].name, name))
			return &f->constant[i];
	fail_msg("no constant %s", name);
	return NULL;
}

static void check(const struct kernel_fit *f, const char *name, double wanted, double share)
{
	const struct kernel_constant *c = constant(f, name);

	if (!(fabs(c->value / wanted - 1) <= share))
		fail_msg("%s is %g, expected %g within %g", name, c->value, wanted, share);
	assert_false(c->held);
}

static void check_all(const struct kernel_fit *f, double share)
{
	check(f, "mfu.all", 0.8, share);
	check(f, "mfu.fp8", 0.6, share);
	check(f, "mbu", 0.9, share);
	check(f, "p", 3, 12 * share + 1e-3);
	check(f, "expert_share", 0.4, 4 * share);
	check(f, "experts_us", 30, 5 * share);
	check(f, "amfu", 0.5, share);
	check(f, "ambu", 0.7, share);
	check(f, "gemm_us", 4, 5 * share);
	check(f, "gemm_8bit_us", 10, 5 * share);
	check(f, "quantise_ps", 5, 5 * share);
	check(f, "prefill_us", 10, 5 * share);
	check(f, "query_ps", 200, 12 * share);
	check(f, "decode_us", 8, 5 * share);
	check(f, "link_busbw_gbs.4", 150, 4 * share);
	check(f, "link_lat_us.4", 7, 4 * share);
}

static void finish(struct gpu *g, struct kernel_table *t)
{
	record_free(&gpu_record, g);
	kernel_table_free(t);
}

static void exact_kernels_give_their_constants(void **state)
{
	struct gpu g = gpu(0.5, 0.3, 0.7, 2, 0.3, 0.5);
	struct kernel_table t;
	struct kernel_fit f;
	struct diag d;

	(void)state;
	diag_init(&d);
	table_init(&t);
	assert_true(kernel_fit_run(&f, &g, &t, &d));
	assert_true(f.converged);
	check_all(&f, 1e-3);
	assert_int_equal(f.rows[KERNEL_GEMM] + f.rows[KERNEL_EXPERTS] + f.rows[KERNEL_PREFILL] +
				 f.rows[KERNEL_DECODE] + f.rows[KERNEL_ALL_REDUCE],
			 t.rows);
	assert_true(f.median_error[KERNEL_GEMM] < 1e-3);
	assert_true(g.mbu.origin == ORIGIN_FITTED && fabs(g.mbu.value - 0.9) < 1e-3);
	assert_non_null(strstr(g.mbu.source, "a bench"));
	assert_true(fabs(g.link_busbw.at4.value - 1.5e11) < 1e8);
	finish(&g, &t);
}

/* 6 % of noise, and one row in twelve off by a factor up to ten. */
static void noise_and_outliers_leave_them_near(void **state)
{
	struct gpu g = gpu(0.5, 0.3, 0.7, 2, 0.3, 0.5);
	gsl_rng *rng = rng_new(4, "test", 0);
	struct kernel_table t;
	struct kernel_fit f;
	struct diag d;

	(void)state;
	diag_init(&d);
	table_init(&t);
	for (size_t i = 0; i < t.rows; i++)
		t.row[i].seconds *= exp(gsl_ran_gaussian(rng, 0.06)) *
				    (i % 12 ? 1 : 2 + 8 * gsl_rng_uniform(rng));
	assert_true(kernel_fit_run(&f, &g, &t, &d));
	check_all(&f, 0.03);
	for (size_t i = 0; i < f.constants; i++)
		assert_true(f.constant[i].sigma > 0);
	assert_true(f.outliers[KERNEL_GEMM] >= f.rows[KERNEL_GEMM] / 16);
	assert_true(f.median_error[KERNEL_GEMM] > 0.03 && f.median_error[KERNEL_GEMM] < 0.07);
	gsl_rng_free(rng);
	finish(&g, &t);
}

/* The catalogue's share of sustained to kernel stays, in 16 bits and in fp8. */
static void serving_sustains_its_share(void **state)
{
	struct gpu g = gpu(0.4, 0.4, 0.7, 2, 0.3, 0.5);
	struct kernel_table t;
	struct kernel_fit f;
	struct diag d;

	(void)state;
	diag_init(&d);
	g.mfu_kernel.value = 0.5;
	table_init(&t);
	assert_true(kernel_fit_run(&f, &g, &t, &d));
	check(&f, "mfu.all", 0.8, 1e-3);
	assert_true(fabs(g.mfu_kernel.value - 0.8) < 1e-3);
	assert_true(fabs(g.mfu.all.value - 0.64) < 1e-3);
	assert_true(fabs(g.mfu.of[COMPUTE_FP8].value - 0.48) < 1e-3);
	finish(&g, &t);
}

/* Without rows that lean on them, constants are the catalogue's, origin and all. */
static void without_rows_the_catalogue_stands(void **state)
{
	struct gpu g = gpu(0.5, 0.3, 0.7, 2, 0.3, 0.5);
	struct kernel_table t = {.row = calloc(MOST, sizeof(struct kernel_row))};
	struct kernel_fit f;
	struct diag d;

	(void)state;
	diag_init(&d);
	for (int i = 0; i < 9; i++) {
		struct kernel_row *r = add(&t, KERNEL_GEMM, COMPUTE_BF16, 0);

		r->m = r->n = r->k = 16384 + 1024 * i;
		r->seconds = linear_s(2 * r->m * r->n * r->k, 0, 1e15, 0.75) - 4e-6;
		r->shape = (uint64_t)i;
	}
	assert_true(kernel_fit_run(&f, &g, &t, &d));
	check(&f, "mfu.all", 0.75, 1e-3);
	assert_true(constant(&f, "mbu")->held && constant(&f, "p")->held);
	assert_true(g.mbu.value == 0.7 && g.mbu.origin == ORIGIN_ASSUMED && g.p.value == 2);
	assert_true(isnan(f.median_error[KERNEL_DECODE]));
	finish(&g, &t);
}

static void a_type_without_a_peak_is_refused(void **state)
{
	struct gpu g = gpu(0.5, 0.3, 0.7, 2, 0.3, 0.5);
	struct kernel_table t;
	struct kernel_fit f;
	struct diag d;

	(void)state;
	diag_init(&d);
	g.peak.of[COMPUTE_FP8].value = (double)NAN;
	table_init(&t);
	assert_false(kernel_fit_run(&f, &g, &t, &d));
	assert_non_null(strstr(d.message, "fp8"));
	finish(&g, &t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_kernels_give_their_constants),
		cmocka_unit_test(noise_and_outliers_leave_them_near),
		cmocka_unit_test(serving_sustains_its_share),
		cmocka_unit_test(without_rows_the_catalogue_stands),
		cmocka_unit_test(a_type_without_a_peak_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
