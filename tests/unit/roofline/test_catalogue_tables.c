/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The field tables of model, GPU and engine read every file of the catalogue; counts follow from
 * dimensions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "roofline/engine_cost.h"
#include "toy.h"

static void read_file(const struct record *r, void *object, const char *file)
{
	struct diag d;
	struct json_doc *doc;

	diag_init(&d);
	record_init(r, object);
	doc = json_doc_read(file, &d);
	if (!doc || !record_read(r, object, doc, json_doc_root(doc), "", ORIGIN_DATASHEET, &d) ||
	    !record_finish(r, object, "", &d))
		fail_msg("%s:%d: %s: %s", file, d.line, d.path, d.message);
	json_doc_del(doc);
}

/* Calls check with each .json file of a folder; returns how many. */
static int for_each_file(const char *folder, void (*check)(const char *file))
{
	DIR *dir = opendir(folder);
	int files = 0;

	assert_non_null(dir);
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		char file[512];
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".json") != 0)
			continue;
		snprintf(file, sizeof(file), "%s/%s", folder, entry->d_name);
		check(file);
		files++;
	}
	closedir(dir);
	return files;
}

static void check_model(const char *file)
{
	struct model m;

	read_file(&model_record, &m, file);
	model_settle(&m);
	if (!isnan(m.params_published) && fabs(model_params(&m) / m.params_published - 1) > 0.01)
		fail_msg("%s: %.0f parameters, published %.0f", file, model_params(&m),
			 m.params_published);
	record_free(&model_record, &m);
}

static void check_gpu(const char *file)
{
	struct gpu g;

	read_file(&gpu_record, &g, file);
	if (!(gpu_mfu(&g, COMPUTE_FP16)->value > 0.3 && gpu_mfu(&g, COMPUTE_FP16)->value < 1.1))
		fail_msg("%s: mfu %g", file, gpu_mfu(&g, COMPUTE_FP16)->value);
	if (!(gpu_peak(&g, COMPUTE_FP32) > 1e12 && g.bandwidth.value > 1e11 &&
	      g.memory.value > 4e9))
		fail_msg("%s: peak, bandwidth or memory missing", file);
	record_free(&gpu_record, &g);
}

static void test_models(void **state)
{
	(void)state;
	assert_int_equal(for_each_file("workloads/models", check_model), 68);
}

static void test_gpus(void **state)
{
	(void)state;
	assert_int_equal(for_each_file("gpus", check_gpu), 36);
}

static void test_h100(void **state)
{
	struct gpu g;

	(void)state;
	read_file(&gpu_record, &g, "gpus/h100-sxm-80gb.json");
	assert_near(g.bandwidth.value, 3.35e12, 0);
	assert_near(gpu_peak(&g, COMPUTE_BF16), 989.4e12, 1e6);
	assert_true(gpu_mfu(&g, COMPUTE_FP8)->value < gpu_mfu(&g, COMPUTE_BF16)->value);
	assert_near(gpu_mfu(&g, COMPUTE_BF16)->value, 0.67, 0.05);
	assert_near(gpu_capability(&g), 9.0, 0);
	assert_near(g.link_lat.at2.value, 4.3e-6, 1e-6);
	record_free(&gpu_record, &g);
}

static void test_mfu_falls_back(void **state)
{
	struct gpu g;

	(void)state;
	record_init(&gpu_record, &g);
	g.mfu.of[COMPUTE_INT8].value = 0.4;
	assert_near(gpu_mfu(&g, COMPUTE_FP8)->value, 0.4, 0);
	g.mfu.of[COMPUTE_FP16].value = 0.5;
	assert_near(gpu_mfu(&g, COMPUTE_FP8)->value, 0.5, 0);
	g.mfu.all.value = 0.6;
	assert_near(gpu_mfu(&g, COMPUTE_FP8)->value, 0.6, 0);
	g.mfu.of[COMPUTE_FP8].value = 0.65;
	assert_near(gpu_mfu(&g, COMPUTE_FP8)->value, 0.65, 0);
	assert_true(isnan(gpu_capability(&g)));
	record_free(&gpu_record, &g);
}

/* The toy: 2*1e7 + 2*14.4e6 = 48.8e6; MoE: 2*1e7 + 14.4e6 + 2.4e6 + 5*3e6 + 4,000 = 51.804e6,
 * active 45.804e6. */
static void test_params(void **state)
{
	struct toy t;

	(void)state;
	toy_init(&t);
	assert_near(model_params(&t.model), 48.8e6, 0.5);
	t.model.tie_word_embeddings = true;
	t.model.position_rows = 1000;
	assert_near(model_params(&t.model), 39.8e6, 0.5);
	t.model.tie_word_embeddings = false;
	t.model.position_rows = 0;
	toy_make_moe(&t);
	assert_near(model_params(&t.model), 51.804e6, 0.5);
	assert_near(model_active_params(&t.model), 45.804e6, 0.5);
	toy_free(&t);
}

static void test_refusals(void **state)
{
	struct toy t;

	(void)state;
	toy_init(&t);
	assert_null(model_refusal(&t.model));
	t.model.sliding_window = 4096;
	assert_non_null(strstr(model_refusal(&t.model), "windows"));
	t.model.kv_lora_rank = 512;
	assert_non_null(strstr(model_refusal(&t.model), "MLA"));
	t.model.architecture = MODEL_ENCODER;
	assert_non_null(strstr(model_refusal(&t.model), "one-shot"));
	toy_free(&t);
}

static void test_engine_runs_on(void **state)
{
	struct engine_cost e;
	struct gpu g;
	char why[256];

	(void)state;
	record_init(&engine_cost_record, &e);
	record_init(&gpu_record, &g);
	e.needs_compute_capability = 7.0;
	assert_true(engine_cost_runs_on(&e, &g, why));
	g.compute_capability = strdup("6.1");
	assert_false(engine_cost_runs_on(&e, &g, why));
	assert_non_null(strstr(why, "7.0"));
	record_free(&gpu_record, &g);
	record_free(&engine_cost_record, &e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models),	       cmocka_unit_test(test_gpus),
		cmocka_unit_test(test_h100),	       cmocka_unit_test(test_mfu_falls_back),
		cmocka_unit_test(test_params),	       cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_engine_runs_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
