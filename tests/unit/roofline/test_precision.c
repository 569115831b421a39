/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table "Precision" of the interface, GPU generation by generation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "toy.h"

static const struct generation {
	const char *architecture, *capability;
	bool bf16, fp8, int8, fp4; /* peaks */
} generations[] = {
	{"Pascal", "6.0", false, false, false, false},
	{"Volta", "7.0", false, false, false, false},
	{"Turing", "7.5", false, false, true, false},
	{"Ampere", "8.6", true, false, true, false},
	{"Ada Lovelace", "8.9", true, true, true, false},
	{"Hopper", "9.0", true, true, true, false},
	{"Blackwell", "10.0", true, true, true, true},
	{"CDNA2", "gfx90a", true, false, true, false},
	{"CDNA3", "gfx942", true, true, true, false},
};
enum { PASCAL, VOLTA, TURING, AMPERE, ADA, HOPPER, BLACKWELL, CDNA2, CDNA3 };

struct setting {
	struct toy toy;
	struct precision asked;
	char why[256];
};

static void setting_init(struct setting *s, int generation)
{
	const struct generation *g = &generations[generation];
	struct figure *peak = s->toy.gpu.peak.of;

	toy_init(&s->toy);
	s->toy.gpu.architecture = strdup(g->architecture);
	s->toy.gpu.compute_capability = strdup(g->capability);
	if (!g->bf16)
		peak[COMPUTE_BF16].value = (double)NAN;
	if (!g->fp8)
		peak[COMPUTE_FP8].value = (double)NAN;
	if (!g->int8)
		peak[COMPUTE_INT8].value = (double)NAN;
	if (g->fp4)
		peak[COMPUTE_FP4].value = 4e14;
	s->asked = (struct precision){0};
}

static bool settle(struct setting *s)
{
	s->why[0] = '\0';
	return precision_settle(&s->asked, &s->toy.model, &s->toy.gpu, &s->toy.use, s->why);
}

/* What weights of a format become on a generation; compute < 0: unsupported. */
static void assert_weights(int generation, int format, double bytes, int compute)
{
	struct setting s;

	setting_init(&s, generation);
	s.asked.weights = format;
	if (compute < 0) {
		assert_false(settle(&s));
		assert_non_null(strstr(s.why, "not supported"));
	} else {
		if (!settle(&s))
			fail_msg("%s: %s", generations[generation].architecture, s.why);
		assert_near(s.toy.use.linear_bytes, bytes, 0);
		assert_int_equal(s.toy.use.linear, compute);
	}
	toy_free(&s.toy);
}

enum { NO = -1 };

static void test_bf16(void **state)
{
	static const int expected[] = {NO,	     NO,	   NO,
				       COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16,
				       COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16};

	(void)state;
	for (int g = PASCAL; g <= CDNA3; g++)
		assert_weights(g, FORMAT_BF16, 2, expected[g]);
}

static void test_fp8(void **state)
{
	static const int expected[] = {NO,	    NO,		 NO, COMPUTE_BF16, COMPUTE_FP8,
				       COMPUTE_FP8, COMPUTE_FP8, NO, COMPUTE_FP8};

	(void)state;
	for (int g = PASCAL; g <= CDNA3; g++)
		assert_weights(g, FORMAT_FP8, 1, expected[g]);
}

static void test_int8(void **state)
{
	static const int expected[] = {NO,	     COMPUTE_FP16, COMPUTE_INT8,
				       COMPUTE_INT8, COMPUTE_INT8, COMPUTE_INT8,
				       COMPUTE_INT8, COMPUTE_INT8, COMPUTE_INT8};

	(void)state;
	for (int g = PASCAL; g <= CDNA3; g++)
		assert_weights(g, FORMAT_INT8, 1, expected[g]);
}

static void test_fp4(void **state)
{
	static const int expected[] = {NO,	     NO,	   NO,
				       COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16,
				       COMPUTE_FP4,  COMPUTE_BF16, COMPUTE_BF16};

	(void)state;
	for (int g = PASCAL; g <= CDNA3; g++) {
		assert_weights(g, FORMAT_MXFP4, 0.53125, expected[g]);
		assert_weights(g, FORMAT_NVFP4, 0.5625, expected[g]);
	}
}

static void test_int4(void **state)
{
	static const int expected[] = {COMPUTE_FP32, COMPUTE_FP16, COMPUTE_FP16,
				       COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16,
				       COMPUTE_BF16, COMPUTE_BF16, COMPUTE_BF16};

	(void)state;
	for (int g = PASCAL; g <= CDNA3; g++)
		assert_weights(g, FORMAT_INT4, 0.53125, expected[g]);
}

static void test_default(void **state)
{
	struct setting s;

	(void)state;
	setting_init(&s, HOPPER);
	assert_true(settle(&s));
	assert_int_equal(s.toy.use.weights, FORMAT_BF16);
	assert_int_equal(s.toy.use.kv, KV_BF16);
	assert_null(s.toy.use.note);
	toy_free(&s.toy);
	setting_init(&s, TURING);
	assert_true(settle(&s));
	assert_int_equal(s.toy.use.weights, FORMAT_FP16);
	assert_int_equal(s.toy.use.kv, KV_FP16);
	assert_int_equal(s.toy.use.other, COMPUTE_FP16);
	assert_non_null(strstr(s.toy.use.note, "fp16 in place of bf16"));
	s.asked.weights = FORMAT_FP16;
	assert_true(settle(&s));
	assert_null(s.toy.use.note);
	toy_free(&s.toy);
	setting_init(&s, PASCAL);
	assert_true(settle(&s));
	assert_near(s.toy.use.linear_bytes, 2, 0);
	assert_int_equal(s.toy.use.linear, COMPUTE_FP32);
	assert_int_equal(s.toy.use.other, COMPUTE_FP32);
	toy_free(&s.toy);
}

static void test_fp32(void **state)
{
	struct setting s;

	(void)state;
	setting_init(&s, AMPERE);
	s.asked.weights = FORMAT_FP32;
	assert_true(settle(&s));
	assert_near(s.toy.use.other_bytes, 4, 0);
	assert_near(s.toy.use.kv_bytes, 4, 0);
	assert_int_equal(s.toy.use.linear, COMPUTE_FP32);
	toy_free(&s.toy);
}

static void assert_activations(int generation, int weights, int activations, int compute)
{
	struct setting s;

	setting_init(&s, generation);
	s.asked = (struct precision){.weights = weights, .activations = activations};
	assert_int_equal(settle(&s), compute >= 0);
	if (compute >= 0)
		assert_int_equal(s.toy.use.linear, compute);
	toy_free(&s.toy);
}

static void test_activations(void **state)
{
	(void)state;
	assert_activations(HOPPER, FORMAT_FP8, ACTIVATIONS_16, COMPUTE_BF16);
	assert_activations(HOPPER, FORMAT_INT8, ACTIVATIONS_16, COMPUTE_BF16);
	assert_activations(HOPPER, FORMAT_INT4, ACTIVATIONS_FP8, COMPUTE_FP8);
	assert_activations(HOPPER, FORMAT_INT8, ACTIVATIONS_FP8, NO);
	assert_activations(HOPPER, FORMAT_BF16, ACTIVATIONS_INT8, NO);
	assert_activations(AMPERE, FORMAT_FP8, ACTIVATIONS_FP8, NO);
	assert_activations(VOLTA, FORMAT_INT8, ACTIVATIONS_INT8, NO);
	assert_activations(BLACKWELL, FORMAT_NVFP4, ACTIVATIONS_16, COMPUTE_BF16);
}

static void test_kv(void **state)
{
	struct setting s;

	(void)state;
	setting_init(&s, AMPERE);
	s.asked.kv = KV_FP8;
	assert_true(settle(&s));
	assert_near(s.toy.use.kv_bytes, 1, 0);
	s.asked.kv = KV_AUTO;
	s.toy.model.native_kv = KV_FP8;
	assert_true(settle(&s));
	assert_near(s.toy.use.kv_bytes, 1, 0);
	s.asked.kv = KV_BF16;
	assert_true(settle(&s));
	assert_near(s.toy.use.kv_bytes, 2, 0);
	toy_free(&s.toy);
	setting_init(&s, TURING);
	s.asked.kv = KV_BF16;
	assert_false(settle(&s));
	toy_free(&s.toy);
	setting_init(&s, PASCAL);
	s.asked.kv = KV_FP8;
	assert_false(settle(&s));
	toy_free(&s.toy);
}

static void test_checkpoint(void **state)
{
	struct setting s;

	(void)state;
	setting_init(&s, HOPPER);
	toy_make_moe(&s.toy);
	s.toy.model.native_experts = FORMAT_MXFP4;
	assert_true(settle(&s));
	assert_near(s.toy.use.linear_bytes, 2, 0);
	assert_near(s.toy.use.expert_bytes, 0.53125, 0);
	s.asked.weights = FORMAT_BF16;
	assert_true(settle(&s));
	assert_near(s.toy.use.expert_bytes, 2, 0);
	s.asked.weights = FORMAT_MXFP4; /* the checkpoint, by the name of its experts */
	assert_true(settle(&s));
	assert_near(s.toy.use.linear_bytes, 2, 0);
	toy_free(&s.toy);
	setting_init(&s, TURING);
	s.toy.model.native_weights = FORMAT_FP8;
	assert_false(settle(&s));
	assert_non_null(strstr(s.why, "fp8 weights are not supported"));
	toy_free(&s.toy);
}

/* A GPU of one's own without architecture is known by its peaks. */
static void test_own_gpu(void **state)
{
	struct precision asked = {.weights = FORMAT_FP8};
	struct precision_use use;
	struct toy t;
	char why[256];

	(void)state;
	toy_init(&t);
	assert_true(precision_settle(&asked, &t.model, &t.gpu, &use, why));
	assert_int_equal(use.linear, COMPUTE_FP8);
	t.gpu.peak.of[COMPUTE_FP8].value = (double)NAN;
	assert_true(precision_settle(&asked, &t.model, &t.gpu, &use, why));
	assert_int_equal(use.linear, COMPUTE_BF16);
	t.gpu.peak.of[COMPUTE_BF16].value = (double)NAN;
	assert_false(precision_settle(&asked, &t.model, &t.gpu, &use, why));
	toy_free(&t);
}

/* Reads a precision as a scenario would; -1 in *weights if it is refused. */
static struct precision read(const char *text, bool *good)
{
	struct precision p;
	struct diag d;
	struct json_doc *doc;

	diag_init(&d);
	record_init(&precision_record, &p);
	doc = json_doc_parse("test", text, &d);
	assert_non_null(doc);
	*good = record_read(&precision_record, &p, doc, json_doc_root(doc), "", ORIGIN_GIVEN, &d) &&
		record_finish(&precision_record, &p, "", &d);
	json_doc_del(doc);
	return p;
}

static void assert_spelling(const char *text, int weights, int activations)
{
	struct setting s;
	bool good;

	setting_init(&s, HOPPER);
	s.asked = read(text, &good);
	assert_true(good);
	assert_true(settle(&s));
	assert_int_equal(s.toy.use.weights, weights);
	assert_int_equal(s.toy.use.activations, activations);
	toy_free(&s.toy);
}

static void test_spellings(void **state)
{
	bool good;

	(void)state;
	assert_spelling("\"w4a16\"", FORMAT_INT4, ACTIVATIONS_16);
	assert_spelling("\"w8a16\"", FORMAT_INT8, ACTIVATIONS_16);
	assert_spelling("\"w8a8\"", FORMAT_INT8, ACTIVATIONS_INT8);
	assert_spelling("\"auto\"", FORMAT_BF16, ACTIVATIONS_16);
	assert_spelling("{\"weights\": \"bfloat16\", \"kv\": \"fp8_e5m2\"}", FORMAT_BF16,
			ACTIVATIONS_16);
	assert_spelling("{\"weights\": \"fp8\", \"activations\": \"16\"}", FORMAT_FP8,
			ACTIVATIONS_16);
	assert_int_equal(read("{\"weights\": \"w4a16\", \"activations\": \"fp8\"}", &good).kv,
			 KV_AUTO);
	assert_false(good);
	read("\"fp12\"", &good);
	assert_false(good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bf16),	cmocka_unit_test(test_fp8),
		cmocka_unit_test(test_int8),	cmocka_unit_test(test_fp4),
		cmocka_unit_test(test_int4),	cmocka_unit_test(test_default),
		cmocka_unit_test(test_fp32),	cmocka_unit_test(test_activations),
		cmocka_unit_test(test_kv),	cmocka_unit_test(test_checkpoint),
		cmocka_unit_test(test_own_gpu), cmocka_unit_test(test_spellings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
