/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/count.h"
#include "scenario/oneshot_models.h"
#include "scenario/short_form.h"

static void test_ids(void **state)
{
	(void)state;
	assert_true(short_form_is_id("L4-24GB", "l4-24gb"));
	assert_true(short_form_is_id("vit-b/16", "vit-b-16"));
	assert_true(short_form_is_id("RTX 4090_24GB", "rtx-4090-24gb"));
	assert_false(short_form_is_id("l4", "l4-24gb"));
	assert_false(short_form_is_id("l4-24gb-x", "l4-24gb"));
}

static void test_hf(void **state)
{
	(void)state;
	assert_true(
		short_form_is_hf("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B"));
	assert_true(short_form_is_hf("llama-2-7b-chat-hf", "meta-llama/Llama-2-7b-hf"));
	assert_true(short_form_is_hf("mirror/gemma-3-4b", "google/gemma-3-4b-it"));
	assert_false(short_form_is_hf("meta-llama/Llama-3.1-70B", "meta-llama/Llama-3.1-8B"));
	assert_false(short_form_is_hf("", "x/"));
}

static void test_parts(void **state)
{
	(void)state;
	assert_true(short_form_matches("l4", "l4-24gb"));
	assert_true(short_form_matches("A100-40gb", "a100-sxm-40gb"));
	assert_false(short_form_matches("l4", "l40s-48gb")); /* parts are whole */
	assert_false(short_form_matches("40gb-a100", "a100-sxm-40gb"));
	assert_false(short_form_matches("", "a100"));
	assert_false(short_form_matches("-", "a100"));
}

static void test_vendors(void **state)
{
	(void)state;
	assert_string_equal(short_form_without_vendor("NVIDIA GeForce RTX 3090"), "RTX 3090");
	assert_string_equal(short_form_without_vendor("Tesla_T4"), "T4");
	assert_string_equal(short_form_without_vendor("nvidia"), "nvidia");
	assert_string_equal(short_form_without_vendor("teslax-1"), "teslax-1");
}

static void test_resembling(void **state)
{
	(void)state;
	assert_true(short_form_resembles("RTX4090", "rtx-4090-24gb"));
	assert_true(short_form_resembles("L40-S", "l40s-48gb"));
	assert_true(short_form_resembles("A100 80GB PCIe", "a100-pcie-80gb"));
	assert_false(short_form_resembles("L40-S", "l40-48gb"));
	assert_false(short_form_resembles("rtx409", "rtx-4090-24gb"));
	assert_false(short_form_resembles("A100 40GB PCIe", "a100-pcie-80gb"));
	assert_false(short_form_resembles("", "l4-24gb"));
}

static void test_counts(void **state)
{
	static const char *const with[] = {"2:a100", "4xa100", "4 x a100", "2*l4",
					   "a100:2", "h100x2", "a100 x4"};
	static const char *const without[] = {"a100", "rtx4090", "RTX 4090", "4090", "x", "4", ""};

	(void)state;
	for (size_t i = 0; i < COUNT(with); i++)
		assert_true(short_form_has_count(with[i]));
	for (size_t i = 0; i < COUNT(without); i++)
		assert_false(short_form_has_count(without[i]));
}

static void test_oneshot(void **state)
{
	(void)state;
	assert_string_equal(oneshot_models_find("whisper-large"), "whisper-large-v3");
	assert_string_equal(oneshot_models_find("openai/whisper-tiny"), "whisper-tiny");
	assert_string_equal(oneshot_models_find("sdxl"), "sdxl-base-1.0");
	assert_null(oneshot_models_find("llama-3.1-8b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ids),	   cmocka_unit_test(test_hf),
		cmocka_unit_test(test_parts),	   cmocka_unit_test(test_vendors),
		cmocka_unit_test(test_resembling), cmocka_unit_test(test_counts),
		cmocka_unit_test(test_oneshot)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
