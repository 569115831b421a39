/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each term of a decoder's step against a value worked by hand from the toy's round numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "roofline/pnorm.h"
#include "toy.h"

static const struct work nothing;

static void toy_cost(struct toy *t, struct step_cost *c, int weights, int tp)
{
	toy_settle(t, weights);
	llm_step_cost(c, &t->model, &t->gpu, &t->use, &t->engine, tp);
}

static const struct term *term_named(const struct step_cost *c, const char *name)
{
	for (int i = 0; i < c->terms; i++)
		if (!strcmp(c->term[i].name, name))
			return &c->term[i];
	fail_msg("no term %s", name);
	return NULL;
}

static bool has_term(const struct step_cost *c, const char *name)
{
	for (int i = 0; i < c->terms; i++)
		if (!strcmp(c->term[i].name, name))
			return true;
	return false;
}

/* microseconds of one term with x of its quantity */
static double term_us(const struct step_cost *c, const char *name, int64_t x)
{
	const struct term *t = term_named(c, name);
	struct work now = {{0}};

	now.of[t->of] = x;
	return 1e6 * term_time(t, &now).total_s;
}

static double price_us(const struct step_cost *c, const struct work *now)
{
	return 1e6 * step_cost_price(c, now, &nothing).first_s;
}

#define assert_us(GOT, WANT) assert_near(GOT, WANT, 1e-6)

/* T = 80: FLOPs 2*80*14.4e6/4.8e13 = 48 us, bytes 2*14.4e6/8e11 = 36 us: 60 us, two layers 120.
 * T = 45: 27 and 36 us: 45 us, two layers 90. */
static void test_dense_layers(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "dense layers", 80), 120);
	assert_us(term_us(&c, "dense layers", 45), 90);
	assert_int_equal(t.use.linear, COMPUTE_BF16);
	step_cost_free(&c);
	toy_free(&t);
}

/* Not gated: P = 2.4e6 + 2*1000*4000 = 10.4e6; T = 1: 2*10.4e6/4.8e13 = 0.433333 us, 2*10.4e6/8e11
 * = 26 us: sqrt(0.187778 + 676) = 26.0036109 us, two layers 52.0072218. */
static void test_plain_mlp(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	t.model.gated_mlp = false;
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_near(term_us(&c, "dense layers", 1), 52.0072218, 1e-6);
	step_cost_free(&c);
	toy_free(&t);
}

/* R = 80: 2*80*1e7/4.8e13 = 33.3333 us, 2*1e7/8e11 = 25 us: 41.6667 us. R = 0: weights are read, 25
 * us. */
static void test_head(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "LM head", 80), 125.0 / 3);
	assert_us(term_us(&c, "LM head", 0), 25);
	step_cost_free(&c);
	toy_free(&t);
}

/* 4*10*100*pairs/4e13 = pairs*1e-10 s; 2*2*100*2 = 800 bytes a cached token, /5e11 = 1.6e-9 s.
 * 100 tokens from nothing: 5,050 pairs, 0.505 us > 0.16: two layers 1.01 us.
 * One token behind 32,000: 32,001 pairs, 3.2001 us < 32,001*1.6e-9 = 51.2016: two layers 102.4032
 * us. */
static void test_prefill_attention(void **state)
{
	struct work fresh = {.of = {[PER_PAIR] = 5050, [PER_CHUNK_CONTEXT] = 100}};
	struct work behind = {.of = {[PER_PAIR] = 32001, [PER_CHUNK_CONTEXT] = 32001}};
	const struct term *term;
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	term = term_named(&c, "prefill attention");
	assert_us(1e6 * term_time(term, &fresh).total_s, 1.01);
	assert_us(1e6 * term_time(term, &behind).total_s, 102.4032);
	step_cost_free(&c);
	toy_free(&t);
}

/* S = 5,000: 4*10*100*5000/4e13 = 0.5 us < 800*5000/5e11 = 8 us: two layers 16 us.
 * fp8 cache: 400 bytes, 4 us: 8 us. Volta reads 10 query heads in place of 2 KV heads: 80 us. */
static void test_decode_attention(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "decode attention", 5000), 16);
	step_cost_free(&c);
	t.use.kv_bytes = 1;
	llm_step_cost(&c, &t.model, &t.gpu, &t.use, &t.engine, 1);
	assert_us(term_us(&c, "decode attention", 5000), 8);
	step_cost_free(&c);
	t.gpu.architecture = strdup("Volta");
	toy_cost(&t, &c, FORMAT_FP16, 1);
	assert_us(term_us(&c, "decode attention", 5000), 80);
	step_cost_free(&c);
	toy_free(&t);
}

/* Twice the GPUs halve the linears (60), the head (20.8333) and attention (8 us). All-reduces at T
 * = 80: 5 us + 2*(1/2)*80*1000*2/1e11 = 1.6 us, (2*2 + 1) of them: 33 us. Gather at R = 80: 5 us +
 * 80*10000*2*(1/2)/1e11 = 8: 13. */
static void test_two_gpus(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_us(term_us(&c, "dense layers", 80), 60);
	assert_us(term_us(&c, "LM head", 80), 62.5 / 3);
	assert_us(term_us(&c, "decode attention", 5000), 8);
	assert_us(term_us(&c, "all-reduce", 80), 33);
	assert_us(term_us(&c, "logit gather", 80), 13);
	assert_int_equal(c.gpus, 2);
	assert_near(c.peak_byte_per_s, 2e12, 1);
	assert_near(c.peak_flop_per_s, 2e14, 1);
	step_cost_free(&c);
	toy_free(&t);
}

/* No link table: .63 of PCIe's 20 GB/s = 12.6 GB/s and 16 us: 16 + 160,000/12.6e9 = 12.6984127 us,
 * five 143.4920635; an engine's own figures come before the GPU's. */
static void test_links_assumed(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	t.gpu.pcie.value = 20e9;
	t.gpu.link_busbw.at2.value = t.gpu.link_lat.at2.value = (double)NAN;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_us(term_us(&c, "all-reduce", 80), 143.4920635);
	step_cost_free(&c);
	t.engine.link_busbw.at2.value = 1e11;
	t.engine.link_lat.at2.value = 5e-6;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_us(term_us(&c, "all-reduce", 80), 33);
	step_cost_free(&c);
	toy_free(&t);
}

/* Four GPUs, two KV heads: each head is held twice, B/(2*BW): 8 us a layer / 2 = 4, two layers 8;
 * the unit moves 2*800*5000 bytes a layer. Links: the last figure holds beyond; share 3/4: 5 us +
 * 2*(3/4)*160,000/1e11 = 2.4 us, five: 37. */
static void test_more_gpus_than_kv_heads(void **state)
{
	struct work now = {.of = {[PER_CONTEXT] = 5000}};
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 4);
	assert_us(term_us(&c, "decode attention", 5000), 8);
	assert_us(term_us(&c, "all-reduce", 80), 37);
	assert_near(term_time(term_named(&c, "decode attention"), &now).bytes, 16e6, 1);
	step_cost_free(&c);
	toy_free(&t);
}

/* fp8: 2*80*14.4e6/9.6e13 = 24 us, 14.4e6/8e11 = 18 us: 30, two layers 60 us; the head stays 16
 * bits. */
static void test_fp8(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_FP8, 1);
	assert_us(term_us(&c, "dense layers", 80), 60);
	assert_us(term_us(&c, "LM head", 80), 125.0 / 3);
	assert_near(c.peak_flop_per_s, 2e14, 1);
	step_cost_free(&c);
	toy_free(&t);
}

/* int4: 4.25/8*14.4e6 = 7.65e6 bytes/8e11 = 9.5625 us; 16-bit products, T = 1: 0.6 us: sqrt(0.36
 * + 91.44140625) = 9.58130503 us, two layers 19.16261006. */
static void test_int4(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_INT4, 1);
	assert_near(term_us(&c, "dense layers", 1), 19.16261006, 1e-6);
	step_cost_free(&c);
	toy_free(&t);
}

/* mfu by compute type: fp8 at .24 takes 48 us, bytes still 18: sqrt(2304 + 324) = 51.26402247, two
 * layers 102.52804494 */
static void test_mfu_by_type(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	t.gpu.mfu.of[COMPUTE_FP8].value = 0.24;
	toy_cost(&t, &c, FORMAT_FP8, 1);
	assert_near(term_us(&c, "dense layers", 80), 102.52804494, 1e-6);
	step_cost_free(&c);
	toy_free(&t);
}

/* Layer 0 is dense: T = 80: 60 us. Layer 1: projections 2*80*2.4e6/4.8e13 = 8 us, 4.8e6/8e11 = 6
 * us: 10 us. Experts, T = 1: 4*(1 - 1/2) + 1 = 3 experts, 18e6/8e11 = 22.5 us; FLOPs of 3 at 0.3 of
 * the rate, 18e6/1.44e13 = 1.25 us, which add up. T = 2: 4*(3/4) + 1 = 4 experts, 30 us; 2.5 us.
 * T = 75: all 5, 37.5 us; 93.75 us. */
static void test_experts(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_make_moe(&t);
	t.gpu.expert_share.value = 0.3;
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "dense layers", 80), 60);
	assert_us(term_us(&c, "attention projections", 80), 10);
	assert_near(term_us(&c, "experts", 1), 23.75, 1e-6);
	assert_near(term_us(&c, "experts", 2), 32.5, 1e-6);
	assert_us(term_us(&c, "experts", 75), 131.25);
	assert_us(term_us(&c, "experts", 0), 7.5); /* the shared one is read */
	step_cost_free(&c);
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_us(term_us(&c, "experts", 75), 131.25 / 2);
	assert_us(term_us(&c, "attention projections", 80), 5);
	step_cost_free(&c);
	toy_free(&t);
}

/* Experts in mxfp4 beside 16-bit projections: T = 75: 37.5*4.25/16 = 9.9609375 us; 16-bit
 * products at 0.3 of the rate, 93.75 us. */
static void test_native_experts(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_make_moe(&t);
	t.gpu.expert_share.value = 0.3;
	t.model.native_experts = FORMAT_MXFP4;
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "attention projections", 80), 10);
	assert_near(term_us(&c, "experts", 75), 103.7109375, 1e-6);
	step_cost_free(&c);
	toy_cost(&t, &c, FORMAT_MXFP4, 1);
	assert_us(term_us(&c, "attention projections", 80), 10);
	step_cost_free(&c);
	toy_free(&t);
}

/* Sampling: 40*10,000*80/1e12 = 32 us, neither divided by tp nor by mbu. */
static void test_sampling(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	t.engine.sample_bytes.value = 40;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_us(term_us(&c, "sampling", 80), 32);
	step_cost_free(&c);
	t.engine.sample_bytes.value = 0;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	assert_false(has_term(&c, "sampling"));
	step_cost_free(&c);
	toy_free(&t);
}

/* Times of 10 us a layer, 100 a step, 2 a request, 3 ms front end; host 5 us a layer, 1 a sequence.
 */
static void set_times(struct toy *t, double host_factor)
{
	t->engine.layer.value = 10e-6;
	t->engine.step.value = 100e-6;
	t->engine.request.value = 2e-6;
	t->engine.frontend.value = 3e-3;
	t->engine.launch.value = 5e-6;
	t->engine.host_seq.value = 1e-6;
	t->engine.host_factor.value = host_factor;
}

/* host_factor 4: layers 2*10*4 = 80 us, step 400, request 2*2 = 4, front end 12 ms; launch 2*5 =
 * 10, sequences 1 stay. */
static void test_engine_times(void **state)
{
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	set_times(&t, 4);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	assert_us(term_us(&c, "layer overhead", 1), 80);
	assert_us(term_us(&c, "step overhead", 1), 400);
	assert_us(term_us(&c, "request overhead", 80), 320);
	assert_us(term_us(&c, "host launch", 1), 10);
	assert_us(term_us(&c, "host sequences", 80), 80);
	assert_near(c.frontend_s, 12e-3, 1e-12);
	step_cost_free(&c);
	toy_free(&t);
}

/* A whole step, T = R = n = 80, S = 5,000: device 120 + 41.666667 + 16 + 2*10 = 197.666667 us,
 * longer than the host's 2*5 + 80 = 90; fixed 100 + 80*2 = 260: 457.666667 us. A round adds 80
 * tokens of 2*1.6e-9 s: 0.256 us. */
static void test_price_device(void **state)
{
	struct work now = {.of = {1, 80, 80, 80, 0, 0, 5000, 0}};
	struct work a_round = {.of = {[PER_CONTEXT] = 80}};
	struct toy t;
	struct step_cost c;
	struct price p;

	(void)state;
	toy_init(&t);
	set_times(&t, 1);
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	p = step_cost_price(&c, &now, &a_round);
	assert_us(1e6 * p.first_s, 457.6666667);
	assert_us(1e6 * p.growth_s, 0.256);
	assert_true(p.rounds == INT64_MAX);
	now.of[PER_PAIR] = now.of[PER_CHUNK_CONTEXT] = 32001;
	assert_us(price_us(&c, &now), 457.6666667 + 102.4032);
	step_cost_free(&c);
	toy_free(&t);
}

/* The same with 60 us of launch a layer: host 120 + 80 = 200 > 197.666667: 460 us flat. The device
 * gains 0.256 us a round on a gap of 2.333333: from round ceil(9.11) = 10 on it leads: 197.666667
 * + 2.56 + 260 = 460.226667. */
static void test_price_host(void **state)
{
	struct work now = {.of = {1, 80, 80, 80, 0, 0, 5000, 0}};
	struct work a_round = {.of = {[PER_CONTEXT] = 80}};
	struct toy t;
	struct step_cost c;
	struct price p;

	(void)state;
	toy_init(&t);
	set_times(&t, 1);
	t.engine.launch.value = 60e-6;
	toy_cost(&t, &c, FORMAT_AUTO, 1);
	p = step_cost_price(&c, &now, &a_round);
	assert_us(1e6 * p.first_s, 460);
	assert_true(p.growth_s == 0);
	assert_int_equal(p.rounds, 10);
	assert_true(step_cost_price(&c, &now, &nothing).rounds == INT64_MAX);
	now.of[PER_CONTEXT] += 9 * 80;
	assert_int_equal(step_cost_price(&c, &now, &a_round).rounds, 1);
	now.of[PER_CONTEXT] += 80;
	p = step_cost_price(&c, &now, &a_round);
	assert_us(1e6 * p.first_s, 460.2266667);
	assert_us(1e6 * p.growth_s, 0.256);
	step_cost_free(&c);
	toy_free(&t);
}

static void test_tables_change_no_digit(void **state)
{
	struct work now = {.of = {1, 0, 0, 3, 0, 0, 77, 0}};
	double computed[2];
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_make_moe(&t);
	t.gpu.expert_share.value = 0.3;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	now.of[PER_TOKEN] = 5000;
	now.of[PER_ROW] = 700;
	assert_true(c.table_size < 5000);
	computed[0] = step_cost_price(&c, &now, &nothing).first_s;
	step_cost_tabulate(&c, 8192, 1024);
	assert_int_equal(c.table_size, 8193);
	computed[1] = step_cost_price(&c, &now, &nothing).first_s;
	assert_memory_equal(&computed[0], &computed[1], sizeof(double));
	step_cost_tabulate(&c, 1000000, 1);
	assert_int_equal(c.table_size, 65537);
	step_cost_free(&c);
	toy_free(&t);
}

/* The price of a step is the sum of its terms: nothing is counted twice or left out. */
static void test_price_is_the_sum_of_terms(void **state)
{
	struct work now = {.of = {1, 90, 80, 80, 5050, 100, 5000, 0}};
	double sum = 0;
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_make_moe(&t);
	t.gpu.expert_share.value = 0.3;
	set_times(&t, 1);
	t.engine.sample_bytes.value = 40;
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	for (int i = 0; i < c.terms; i++)
		if (c.term[i].kind != TERM_HOST)
			sum += term_time(&c.term[i], &now).total_s;
	assert_us(price_us(&c, &now), 1e6 * sum);
	step_cost_free(&c);
	toy_free(&t);
}

static void test_pnorm(void **state)
{
	(void)state;
	assert_true(pnorm(0, 0.7, 2.9) == 0.7);
	assert_true(pnorm(0.7, 0, 2.9) == 0.7);
	assert_true(pnorm(0.7, 0.3, 0) == 0.7);
	assert_near(pnorm(3, 4, 2), 5, 1e-15);
	assert_near(pnorm(3, 4, 1), 7, 1e-15);
	assert_near(pnorm(3e-200, 4e-200, 2) / 5e-200, 1, 1e-15);
}

/* FLOPs of dense layers at T = 80: 2*80*14.4e6*2 = 4.608e9, bytes 2*28.8e6 = 57.6e6, whatever tp.
 */
static void test_work_done(void **state)
{
	struct work now = {.of = {[PER_TOKEN] = 80}};
	struct term_time time;
	struct toy t;
	struct step_cost c;

	(void)state;
	toy_init(&t);
	toy_cost(&t, &c, FORMAT_AUTO, 2);
	time = term_time(term_named(&c, "dense layers"), &now);
	assert_near(time.flops, 4.608e9, 1);
	assert_near(time.bytes, 57.6e6, 1);
	assert_us(1e6 * time.compute_s, 48);
	assert_us(1e6 * time.memory_s, 36);
	assert_us(1e6 * term_time(term_named(&c, "all-reduce"), &now).fixed_s, 25);
	step_cost_free(&c);
	toy_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dense_layers),
		cmocka_unit_test(test_plain_mlp),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_prefill_attention),
		cmocka_unit_test(test_decode_attention),
		cmocka_unit_test(test_two_gpus),
		cmocka_unit_test(test_links_assumed),
		cmocka_unit_test(test_more_gpus_than_kv_heads),
		cmocka_unit_test(test_fp8),
		cmocka_unit_test(test_int4),
		cmocka_unit_test(test_mfu_by_type),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_native_experts),
		cmocka_unit_test(test_sampling),
		cmocka_unit_test(test_engine_times),
		cmocka_unit_test(test_price_device),
		cmocka_unit_test(test_price_host),
		cmocka_unit_test(test_tables_change_no_digit),
		cmocka_unit_test(test_price_is_the_sum_of_terms),
		cmocka_unit_test(test_pnorm),
		cmocka_unit_test(test_work_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
