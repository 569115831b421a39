/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model dimensions from Hugging Face config.json files as families write them; dimensions are the
 * public ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/xmalloc.h"
#include "roofline/precision.h"
#include "scenario/hf_config.h"

static bool read_doc(struct model *m, struct json_doc *doc, struct record_list *unknown,
		     struct diag *d)
{
	bool good;

	record_init(&model_record, m);
	good = hf_config_read(m, doc, unknown, d) && record_finish(&model_record, m, "", d);
	if (good)
		model_settle(m);
	json_doc_del(doc);
	return good;
}

static struct model read_text(const char *text)
{
	struct model m;
	struct diag d;
	struct json_doc *doc;

	diag_init(&d);
	doc = json_doc_parse("config.json", text, &d);
	if (!doc || !read_doc(&m, doc, NULL, &d))
		fail_msg("%d:%d: %s: %s", d.line, d.column, d.path, d.message);
	return m;
}

static void assert_refused(const char *text, const char *path, const char *message)
{
	struct model m;
	struct diag d;

	diag_init(&d);
	assert_false(read_doc(&m, json_doc_parse("config.json", text, &d), NULL, &d));
	assert_string_equal(d.path, path);
	if (!strstr(d.message, message))
		fail_msg("message is: %s", d.message);
	assert_true(d.line > 0);
	record_free(&model_record, &m);
}

static double kv_bytes(const struct model *m)
{
	return 2.0 * 2 * (double)(m->num_hidden_layers * m->num_key_value_heads * m->head_dim);
}

#define assert_near(GOT, WANT, SHARE)                                                              \
	do {                                                                                       \
		double got_ = GOT, want_ = WANT;                                                   \
		if (!(fabs(got_ / want_ - 1) <= (SHARE)))                                          \
			fail_msg("%s is %.10g, not %.10g", #GOT, got_, want_);                     \
	} while (0)

static const char llama_8b[] =
	"{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", \"hidden_size\": "
	"4096,"
	"\"intermediate_size\": 14336, \"num_hidden_layers\": 32, \"num_attention_heads\": 32,"
	"\"num_key_value_heads\": 8, \"head_dim\": null, \"max_position_embeddings\": 131072,"
	"\"rope_theta\": 500000.0, \"vocab_size\": 128256}";

static void test_llama(void **state)
{
	struct model m = read_text(llama_8b);

	(void)state;
	assert_int_equal(m.head_dim, 128);
	assert_near(kv_bytes(&m), 131072, 0);
	assert_near(model_params(&m), 8030261248, 0.001);
	assert_null(model_refusal(&m));
	record_free(&model_record, &m);
}

static void test_unknown_keys(void **state)
{
	struct record_list unknown = {0};
	struct model m;
	struct diag d;

	(void)state;
	diag_init(&d);
	assert_true(read_doc(&m, json_doc_parse("config.json", llama_8b, &d), &unknown, &d));
	assert_int_equal(unknown.count, 1);
	assert_string_equal(((char **)unknown.data)[0], "rope_theta");
	free(((char **)unknown.data)[0]);
	free(unknown.data);
	record_free(&model_record, &m);
}

static void test_is_foreign(void **state)
{
	struct diag d;
	struct json_doc *ours, *theirs;

	(void)state;
	diag_init(&d);
	ours = json_doc_parse("a", "{\"architecture\": \"decoder\", \"hidden_size\": 1}", &d);
	theirs = json_doc_parse("b", "{\"model_type\": \"llama\"}", &d);
	assert_false(hf_config_is(json_doc_root(ours)));
	assert_true(hf_config_is(json_doc_root(theirs)));
	json_doc_del(ours);
	json_doc_del(theirs);
}

static void test_gpt2(void **state)
{
	struct model m = read_text(
		"{\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_layer\": 12,"
		"\"n_head\": 12, \"n_positions\": 1024, \"n_ctx\": 1024, \"n_inner\": null,"
		"\"vocab_size\": 50257}");

	(void)state;
	assert_int_equal(m.intermediate_size, 3072);
	assert_int_equal(m.position_rows, 1024);
	assert_true(m.tie_word_embeddings);
	assert_near(model_params(&m), 124439808, 0.002);
	record_free(&model_record, &m);
}

static void test_opt(void **state)
{
	struct model m =
		read_text("{\"model_type\": \"opt\", \"hidden_size\": 5120, \"ffn_dim\": 20480,"
			  "\"num_hidden_layers\": 40, \"num_attention_heads\": 40,"
			  "\"max_position_embeddings\": 2048, \"vocab_size\": 50272}");

	(void)state;
	assert_int_equal(m.position_rows, 2050);
	assert_int_equal(m.num_key_value_heads, 40);
	assert_near(model_params(&m), 12853473280, 0.002);
	record_free(&model_record, &m);
}

static void test_falcon(void **state)
{
	struct model m = read_text("{\"model_type\": \"falcon\", \"hidden_size\": 4544,"
				   "\"num_hidden_layers\": 32, \"num_attention_heads\": 71,"
				   "\"num_kv_heads\": 71, \"multi_query\": true,"
				   "\"new_decoder_architecture\": false, \"vocab_size\": 65024}");

	(void)state;
	assert_int_equal(m.num_key_value_heads, 1);
	assert_int_equal(m.max_position_embeddings, 2048);
	assert_near(model_params(&m), 6921720704, 0.002);
	record_free(&model_record, &m);
	m = read_text(
		"{\"model_type\": \"falcon\", \"hidden_size\": 8192, \"num_hidden_layers\": 60,"
		"\"num_attention_heads\": 128, \"num_kv_heads\": 8, \"multi_query\": true,"
		"\"new_decoder_architecture\": true, \"vocab_size\": 65024}");
	assert_int_equal(m.num_key_value_heads, 8);
	assert_near(model_params(&m), 41303293952, 0.002);
	record_free(&model_record, &m);
}

static void test_phi(void **state)
{
	struct model m = read_text("{\"model_type\": \"phi\", \"hidden_size\": 2560,"
				   "\"intermediate_size\": 10240, \"num_hidden_layers\": 32,"
				   "\"num_attention_heads\": 32, \"num_key_value_heads\": null,"
				   "\"max_position_embeddings\": 2048, \"vocab_size\": 51200,"
				   "\"tie_word_embeddings\": false}");

	(void)state;
	assert_false(m.gated_mlp);
	assert_near(model_params(&m), 2779683840, 0.003);
	record_free(&model_record, &m);
}

/* head_dim is not hidden/heads: Mistral-Small 24B, Gemma 3 12B */
static void test_own_head_dim(void **state)
{
	struct model m = read_text(
		"{\"model_type\": \"mistral\", \"hidden_size\": 5120,"
		"\"intermediate_size\": 32768, \"num_hidden_layers\": 40,"
		"\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"head_dim\": 128,"
		"\"max_position_embeddings\": 32768, \"sliding_window\": null,"
		"\"vocab_size\": 131072}");

	(void)state;
	assert_near(kv_bytes(&m), 163840, 0);
	assert_null(model_refusal(&m));
	record_free(&model_record, &m);
}

/* the decoder nested beside a vision part that has layers too */
static void test_nested(void **state)
{
	static const char gemma[] =
		"{\"model_type\": \"gemma3\", \"text_config\": {\"model_type\": \"gemma3_text\","
		"\"hidden_size\": 5376, \"intermediate_size\": 21504, \"num_hidden_layers\": 62,"
		"\"num_attention_heads\": 32, \"num_key_value_heads\": 16, \"head_dim\": 128,"
		"\"max_position_embeddings\": 131072, \"sliding_window\": 1024, \"vocab_size\": "
		"262208},"
		"\"vision_config\": {\"num_hidden_layers\": 27, \"hidden_size\": 1152}}";
	static const char thinker[] = "{\"model_type\": \"omni\", \"thinker_config\": "
				      "{\"text_config\": {\"hidden_size\": 3584,"
				      "\"intermediate_size\": 18944, \"num_hidden_layers\": 28, "
				      "\"num_attention_heads\": 28,"
				      "\"num_key_value_heads\": 4, \"max_position_embeddings\": "
				      "32768, \"vocab_size\": 152064}}}";
	struct model m = read_text(gemma);

	(void)state;
	assert_int_equal(m.num_hidden_layers, 62);
	assert_int_equal(m.num_key_value_heads, 16);
	assert_true(m.tie_word_embeddings);
	assert_int_equal(m.sliding_window, 1024);
	assert_int_equal(m.window_layers, 2);
	assert_non_null(model_refusal(&m));
	record_free(&model_record, &m);
	m = read_text(thinker);
	assert_int_equal(m.num_hidden_layers, 28);
	assert_int_equal(m.head_dim, 128);
	record_free(&model_record, &m);
}

#define QWEN2(MORE)                                                                                \
	"{\"model_type\": \"qwen2\", \"hidden_size\": 3584, \"intermediate_size\": 18944,"         \
	"\"num_hidden_layers\": 28, \"num_attention_heads\": 28, \"num_key_value_heads\": 4,"      \
	"\"max_position_embeddings\": 32768, \"vocab_size\": 152064, " MORE "}"

static void assert_window(const char *text, int64_t window, int layers)
{
	struct model m = read_text(text);

	assert_int_equal(m.sliding_window, window);
	assert_int_equal(m.window_layers, layers);
	record_free(&model_record, &m);
}

static void test_windows(void **state)
{
	(void)state;
	assert_window(QWEN2("\"sliding_window\": 4096, \"use_sliding_window\": false"), 0, 0);
	assert_window(QWEN2("\"sliding_window\": null"), 0, 0);
	assert_window(QWEN2("\"sliding_window\": 4096, \"use_sliding_window\": true"), 4096, 0);
	assert_window(QWEN2("\"sliding_window\": 131072"), 0, 0); /* wider than the context */
	assert_window(QWEN2("\"sliding_window\": 1024, \"layer_types\": [\"sliding_attention\","
			    "\"sliding_attention\", \"sliding_attention\", \"sliding_attention\","
			    "\"sliding_attention\", \"full_attention\"]"),
		      1024, 2);
	assert_window(QWEN2("\"sliding_window\": 1024, \"layer_types\": [\"sliding_attention\","
			    "\"full_attention\"]"),
		      1024, 1);
	assert_window(QWEN2("\"sliding_window\": 1024, \"layer_types\": [\"full_attention\"]"), 0,
		      0);
}

static void assert_quantized(const char *text, int weights, int experts, int kv)
{
	struct model m = read_text(text);

	assert_int_equal(m.native_weights, weights);
	assert_int_equal(m.native_experts, experts);
	assert_int_equal(m.native_kv, kv);
	record_free(&model_record, &m);
}

static void test_quantization(void **state)
{
	(void)state;
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"fp8\"}"), FORMAT_FP8,
			 FORMAT_AUTO, KV_AUTO);
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 4}"),
			 FORMAT_INT4, FORMAT_AUTO, KV_AUTO);
	assert_quantized(
		QWEN2("\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 8}"),
		FORMAT_INT8, FORMAT_AUTO, KV_AUTO);
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"mxfp4\"}"),
			 FORMAT_AUTO, FORMAT_MXFP4, KV_AUTO);
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"compressed-tensors\","
			       "\"config_groups\": {\"group_0\": {\"weights\": {\"num_bits\": 8,"
			       "\"type\": \"float\"}}}, \"kv_cache_scheme\": null}"),
			 FORMAT_FP8, FORMAT_AUTO, KV_AUTO);
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"compressed-tensors\","
			       "\"config_groups\": {\"group_0\": {\"weights\": {\"num_bits\": 4,"
			       "\"type\": \"int\"}}}, \"kv_cache_scheme\": {\"num_bits\": 8,"
			       "\"type\": \"float\"}}"),
			 FORMAT_INT4, FORMAT_AUTO, KV_FP8);
	assert_quantized(QWEN2("\"quantization_config\": {\"quant_method\": \"bitsandbytes\","
			       "\"load_in_4bit\": true}"),
			 FORMAT_INT4, FORMAT_AUTO, KV_AUTO);
	assert_refused(QWEN2("\"quantization_config\": {\"quant_method\": \"awq\", \"bits\": 3}"),
		       "quantization_config", "does not know");
}

/* ModelOpt puts the scheme into a file beside config.json. */
static void test_file_beside(void **state)
{
	char folder[] = "/tmp/infercap-hf-XXXXXX";
	char config[64], beside[64];
	struct model m;
	struct diag d;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(config, sizeof(config), "%s/config.json", folder);
	snprintf(beside, sizeof(beside), "%s/hf_quant_config.json", folder);
	file = fopen(config, "w");
	fputs(llama_8b, file);
	fclose(file);
	file = fopen(beside, "w");
	fputs("{\"quantization\": {\"quant_algo\": \"FP8\", \"kv_cache_quant_algo\": \"FP8\"}}",
	      file);
	fclose(file);
	diag_init(&d);
	assert_true(read_doc(&m, json_doc_read(config, &d), NULL, &d));
	assert_int_equal(m.native_weights, FORMAT_FP8);
	assert_int_equal(m.native_kv, KV_FP8);
	record_free(&model_record, &m);
	unlink(config);
	unlink(beside);
	rmdir(folder);
}

static void test_experts(void **state)
{
	struct model m = read_text(
		"{\"model_type\": \"mixtral\", \"hidden_size\": 4096,"
		"\"intermediate_size\": 14336, \"num_hidden_layers\": 32,"
		"\"num_attention_heads\": 32, \"num_key_value_heads\": 8,"
		"\"num_local_experts\": 8, \"num_experts_per_tok\": 2, \"sliding_window\": null,"
		"\"max_position_embeddings\": 32768, \"vocab_size\": 32000}");

	(void)state;
	assert_near(model_params(&m), 46.7e9, 0.01);
	assert_near(model_active_params(&m), 12.9e9, 0.01);
	record_free(&model_record, &m);
	m = read_text("{\"model_type\": \"qwen2_moe\", \"hidden_size\": 2048, "
		      "\"intermediate_size\": 5632,"
		      "\"moe_intermediate_size\": 1408, \"shared_expert_intermediate_size\": 5632,"
		      "\"num_hidden_layers\": 24, \"num_attention_heads\": 16, "
		      "\"num_key_value_heads\": 16,"
		      "\"num_experts\": 60, \"num_experts_per_tok\": 4, \"decoder_sparse_step\": 1,"
		      "\"mlp_only_layers\": [], \"max_position_embeddings\": 8192, \"vocab_size\": "
		      "151936}");
	assert_int_equal(m.n_shared_experts, 4);
	assert_near(model_params(&m), 14.3e9, 0.01);
	record_free(&model_record, &m);
}

static void test_refusals(void **state)
{
	(void)state;
	assert_refused(QWEN2("\"full_attention_interval\": 4"), "full_attention_interval",
		       "hybrid");
	assert_refused(QWEN2("\"layer_types\": [\"linear_attention\", \"full_attention\"]"),
		       "layer_types", "hybrid");
	assert_refused(QWEN2("\"decoder_sparse_step\": 2"), "decoder_sparse_step", "MoE layers");
	assert_refused(QWEN2("\"is_encoder_decoder\": true"), "is_encoder_decoder",
		       "encoder-decoder");
	assert_refused(
		"{\"model_type\": \"openelm\", \"num_hidden_layers\": 2, \"num_kv_heads\": [3, 4]}",
		"num_kv_heads", "differ from each other");
	assert_refused(QWEN2("\"head_dim\": 12.5"), "head_dim", "whole number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_llama),	     cmocka_unit_test(test_unknown_keys),
		cmocka_unit_test(test_is_foreign),   cmocka_unit_test(test_gpt2),
		cmocka_unit_test(test_opt),	     cmocka_unit_test(test_falcon),
		cmocka_unit_test(test_phi),	     cmocka_unit_test(test_own_head_dim),
		cmocka_unit_test(test_nested),	     cmocka_unit_test(test_windows),
		cmocka_unit_test(test_quantization), cmocka_unit_test(test_file_beside),
		cmocka_unit_test(test_experts),	     cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
