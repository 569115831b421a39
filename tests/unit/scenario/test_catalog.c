/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of gpus/, workloads/models/ and workloads/engines/ against the figures that they were
 * made from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "base/csv.h"
#include "roofline/usual_mfu.h"
#include "scenario/scenario.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define GIB	     1073741824.0

struct fixture {
	struct catalog *catalog;
	struct json_doc *given; /* tests/catalog/gpus_given.json */
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct diag d;

	diag_init(&d);
	f->given = json_doc_read("tests/catalog/gpus_given.json", &d);
	f->catalog = f->given ? catalog_new(NULL, ".", &d) : NULL;
	if (f->catalog) {
		*state = f;
		return 0;
	}
	diag_print(&d, stderr);
	return 1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	catalog_del(f->catalog);
	json_doc_del(f->given);
	free(f);
	return 0;
}

/* ---- what a raw file says ---- */

static const cJSON *at(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The number at a key; NAN where there is none. */
static double number(const cJSON *object, const char *key)
{
	const cJSON *item = at(object, key);

	return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const char *text(const cJSON *object, const char *key)
{
	const cJSON *item = at(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

/* A number, or the middle of a pair or of a list's ends; NAN else. */
static double middle(const cJSON *item)
{
	if (cJSON_IsNumber(item))
		return item->valuedouble;
	if (!cJSON_IsArray(item))
		return (double)NAN;
	double low = cJSON_GetArrayItem(item, 0)->valuedouble;
	double high = cJSON_GetArrayItem(item, cJSON_GetArraySize(item) - 1)->valuedouble;
	return (low + high) / 2;
}

/* A GPU's file as it is written. */
static struct json_doc *read_gpu(const char *id)
{
	char path[128];
	struct diag d;

	diag_init(&d);
	snprintf(path, sizeof(path), "gpus/%s.json", id);
	struct json_doc *doc = json_doc_read(path, &d);
	assert_non_null(doc);
	return doc;
}

/* Calls `check` with each GPU's file and its `given`. */
static void each_gpu(const struct fixture *f, void (*check)(const cJSON *gpu, const cJSON *given))
{
	for (size_t i = 0; i < catalog_count(f->catalog, CATALOG_GPU); i++) {
		struct json_doc *doc = read_gpu(catalog_id(f->catalog, CATALOG_GPU, i));

		check(json_doc_root(doc), at(json_doc_root(doc), "given"));
		json_doc_del(doc);
	}
}

/* The MI250's file is of one of its two devices, `given` of the module. */
static double share_of_board(const cJSON *gpu)
{
	return strcmp(text(gpu, "id"), "mi250-128gb") == 0 ? 0.5 : 1;
}

/* ---- (a) given ---- */

static void given_is_what_the_source_gives(void **state)
{
	const struct fixture *f = *state;
	const cJSON *expected;
	int gpus = 0;

	cJSON_ArrayForEach(expected, json_doc_root(f->given))
	{
		struct json_doc *doc = read_gpu(expected->string);
		const cJSON *given = at(json_doc_root(doc), "given"), *item;

		cJSON_ArrayForEach(
			item, expected) if (!cJSON_Compare(item, at(given, item->string), true))
			fail_msg("%s: given.%s is not the source's", expected->string,
				 item->string);
		assert_int_equal(cJSON_GetArraySize(given), cJSON_GetArraySize(expected) + 1);
		assert_false(isnan(number(given, "flop_per_clock_sm")));
		json_doc_del(doc);
		gpus++;
	}
	assert_int_equal(gpus, 36);
	assert_int_equal(catalog_count(f->catalog, CATALOG_GPU), 36);
}

/* Rates without tensor cores that no engine computes in: Pascal computes in fp32, and Volta's int8
 * is DP4A. */
static bool is_unused(const char *architecture, const char *type)
{
	return (strcmp(architecture, "Pascal") == 0 && strcmp(type, "fp32") != 0) ||
	       (strcmp(architecture, "Volta") == 0 && strcmp(type, "int8") == 0);
}

static void check_peaks(const cJSON *gpu, const cJSON *given)
{
	static const char *const names[][2] = {{"fp32", "fp32"},	{"tf32", "tf32"},
					       {"bf16", "bf16_tensor"}, {"fp16", "fp16_tensor"},
					       {"fp8", "fp8_tensor"},	{"int8", "int8"},
					       {"int4", "int4"},	{"fp4", "fp4"}};
	const cJSON *peak = at(gpu, "peak_tflops"), *source = at(given, "peak");

	for (size_t i = 0; i < COUNT(names); i++) {
		double found = number(peak, names[i][0]);
		double expected = number(source, names[i][1]) * share_of_board(gpu);

		if (is_unused(text(gpu, "architecture"), names[i][0]))
			expected = (double)NAN;
		if (isnan(found) != isnan(expected) || fabs(found - expected) > 1e-9 * expected)
			fail_msg("%s: %s is %g, given %g", text(gpu, "id"), names[i][0], found,
				 expected);
	}
	assert_near(number(at(gpu, "bandwidth_gbs"), "value"),
		    number(at(given, "memory"), "bandwidth_gbs") * share_of_board(gpu), 1e-9);
}

static void peaks_are_the_dense_ones_given(void **state)
{
	each_gpu(*state, check_peaks);
}

/* ---- (b) silicon arithmetic and what is derived ---- */

/* Dense FLOP a clock and SM: 16-bit tensor, fp32 on Pascal. */
static double flop_per_clock(const cJSON *gpu)
{
	static const struct {
		const char *id, *architecture, *die;
		double flop;
	} table[] = {
		{"a10g-24gb", "", "", 512},	{"rtx-3090-24gb", "", "", 512},
		{"rtx-4090-24gb", "", "", 512}, {"l40-48gb", "", "", 512},
		{"", "Volta", "", 1024},	{"", "Turing", "", 1024},
		{"", "Ampere", "GA100", 2048},	{"", "Ampere", "GA10", 1024},
		{"", "Ada", "", 1024},		{"", "Hopper", "", 4096},
		{"", "Blackwell", "", 8192},	{"", "CDNA2", "", 1024},
		{"", "CDNA3", "", 2048},	{"", "Pascal", "GP100", 128},
		{"", "Pascal", "GP102", 256},
	};

	for (size_t i = 0; i < COUNT(table); i++)
		if (table[i].id[0] ? strcmp(table[i].id, text(gpu, "id")) == 0
				   : !strncmp(text(gpu, "architecture"), table[i].architecture,
					      strlen(table[i].architecture)) &&
					     !strncmp(text(gpu, "die"), table[i].die,
						      strlen(table[i].die)))
			return table[i].flop;
	fail_msg("%s: no FLOP a clock", text(gpu, "id"));
	return (double)NAN;
}

static void check_silicon(const cJSON *gpu, const cJSON *given)
{
	bool pascal = strcmp(text(gpu, "architecture"), "Pascal") == 0;
	double clock_mhz = number(given, "tensor_clock_mhz");
	double peak = number(at(given, "peak"), pascal ? "fp32" : "fp16_tensor") * 1e12;
	double flop = flop_per_clock(gpu);

	if (isnan(clock_mhz))
		clock_mhz = number(given, "boost_mhz");
	double silicon = number(given, "sms") * flop * clock_mhz * 1e6;
	if (!(fabs(peak / silicon - 1) <= 0.02))
		fail_msg("%s: the peak is %g, SMs x FLOP/clock x clock %g", text(gpu, "id"), peak,
			 silicon);
	assert_near(number(given, "flop_per_clock_sm"), flop, 0);
}

static void peaks_agree_with_the_silicon(void **state)
{
	each_gpu(*state, check_silicon);
}

/* Total memory as the CUDA runtime reports it [GiB], where somebody printed it (PyTorch and vLLM
 * logs); NAN else. */
static double runtime_gib(const char *id)
{
	static const struct {
		const char *id;
		double gib;
	} table[] = {
		{"l4-24gb", 22.03},
		{"a10g-24gb", 22.06},
		{"t4-16gb", 14.56},
		{"v100-sxm2-16gb", 15.78},
		{"v100-pcie-16gb", 15.78},
		{"v100-sxm2-32gb", 31.74},
		{"v100-pcie-32gb", 31.74},
		{"rtx-3090-24gb", 23.58},
		{"rtx-4090-24gb", 23.64},
		{"a100-sxm-40gb", 39.39},
		{"a100-pcie-40gb", 39.39},
		{"l40s-48gb", 44.40},
		{"h100-sxm-80gb", (79.1 + 79.25) / 2},
		{"h100-pcie-80gb", (79.1 + 79.25) / 2},
		{"a100-sxm-80gb", (79.15 + 79.25) / 2},
		{"a100-pcie-80gb", (79.15 + 79.25) / 2},
		{"h200-sxm-141gb", 139.81},
		{"b200-sxm-180gb", 178.35},
	};

	for (size_t i = 0; i < COUNT(table); i++)
		if (strcmp(table[i].id, id) == 0)
			return table[i].gib;
	return (double)NAN;
}

static void check_memory(const cJSON *gpu, const cJSON *given)
{
	const cJSON *memory = at(given, "memory");
	double gib = runtime_gib(text(gpu, "id")),
	       label = number(memory, "label_gb") * share_of_board(gpu);
	double smi = number(memory, "smi_total_mib") / 1024;

	if (isnan(gib))
		gib = isnan(smi) ? label * 0.97
				 : smi - (label <= 24	? 0.45
					  : label <= 48 ? 0.55
							: 0.6);
	double found = number(at(gpu, "memory_gb"), "value");
	if (!(fabs(found - gib * GIB / 1e9) <= 1e-5 * found))
		fail_msg("%s: memory_gb is %g, expected %g", text(gpu, "id"), found,
			 gib * GIB / 1e9);
}

static void memory_is_what_the_runtime_reports(void **state)
{
	each_gpu(*state, check_memory);
}

static double expected_idle(const cJSON *idle, double tdp)
{
	double loaded = middle(at(idle, "with_context")), high = middle(at(idle, "p0"));
	double value = number(idle, "value");
	const char *state = text(idle, "state");

	if (isnan(value))
		return 0.2 * tdp;
	if (!isnan(loaded))
		return loaded;
	if (strstr(state, "loaded"))
		return value;
	if (!isnan(high))
		return fmin(high + 30, tdp / 2);
	return fmin(value + (strncmp(state, "P0", 2) == 0 ? 38 : 45), tdp / 2);
}

static void check_idle(const cJSON *gpu, const cJSON *given)
{
	cJSON *idle = cJSON_Duplicate(at(given, "idle_w"), true);
	double tdp = number(at(gpu, "tdp_w"), "value"), found = number(at(gpu, "idle_w"), "value");

	if (share_of_board(gpu) < 1)
		cJSON_SetNumberValue(cJSON_GetObjectItem(idle, "value"),
				     number(idle, "value") * share_of_board(gpu));
	double expected = expected_idle(idle, tdp);
	if (!(fabs(found - expected) <= 1e-6 * found))
		fail_msg("%s: idle_w is %g, expected %g", text(gpu, "id"), found, expected);
	cJSON_Delete(idle);
}

static void idle_power_follows_the_rule(void **state)
{
	each_gpu(*state, check_idle);
}

/* Cards that were measured, or share a die with one, keep what that gave. */
static bool has_own_mfu(const cJSON *gpu)
{
	static const char *const as_another[] = {"a100-sxm-40gb", "h200-sxm-141gb", "gh200-96gb",
						 "rtx-4000-ada-20gb"};

	for (size_t i = 0; i < COUNT(as_another); i++)
		if (strcmp(text(gpu, "id"), as_another[i]) == 0)
			return true;
	return strcmp(text(at(at(gpu, "mfu"), "all"), "origin"), "fitted") == 0;
}

/* All others sustain what their power allows. */
static void check_mfu(const cJSON *gpu, const cJSON *given)
{
	const cJSON *all = at(at(gpu, "mfu"), "all");
	struct gpu g;

	(void)given;
	if (has_own_mfu(gpu))
		return;
	record_init(&gpu_record, &g);
	g.architecture = (char *)text(gpu, "architecture");
	g.compute_capability = (char *)text(gpu, "compute_capability");
	g.tdp_w.value = number(at(gpu, "tdp_w"), "value");
	g.bandwidth.value = number(at(gpu, "bandwidth_gbs"), "value") * 1e9;
	for (int type = 0; type < COMPUTE_TYPES; type++)
		g.peak.of[type].value =
			number(at(gpu, "peak_tflops"), compute_type_names[type]) * 1e12;
	struct figure expected = usual_mfu(&g);
	free(expected.source);
	g.architecture = g.compute_capability = NULL;
	record_free(&gpu_record, &g);
	if (!(fabs(number(all, "value") - expected.value) <= 1e-3))
		fail_msg("%s: mfu is %g, expected %g", text(gpu, "id"), number(all, "value"),
			 expected.value);
}

static void mfu_follows_the_rule(void **state)
{
	each_gpu(*state, check_mfu);
}

/* ---- (c) parameters ---- */

static void parameters_match_the_published_totals(void **state)
{
	const struct fixture *f = *state;
	struct csv csv;
	struct diag d;
	int models = 0, published = 0;

	diag_init(&d);
	assert_true(csv_open(&csv, "tests/catalog/models_published.csv", &d));
	assert_true(csv_row(&csv));
	assert_int_equal(csv_column(&csv, "params_published"), 3);
	while (csv_row(&csv)) {
		struct model m = {0};

		models++;
		if (!catalog_read(f->catalog, CATALOG_MODEL, csv.field[0], &m, &d)) {
			diag_print(&d, stderr);
			fail();
		}
		assert_int_equal(m.architecture == MODEL_ENCODER,
				 strcmp(csv.field[1], "encoder") == 0);
		if (*csv.field[3]) {
			double total = strtod(csv.field[3], NULL);

			published++;
			if (!(fabs(model_params(&m) / total - 1) <= 0.01))
				fail_msg("%s: %.4g parameters, published %.4g", csv.field[0],
					 model_params(&m), total);
		}
		record_free(&model_record, &m);
	}
	csv_close(&csv);
	assert_int_equal(models, 68);
	assert_int_equal(published, 63);
	assert_int_equal(catalog_count(f->catalog, CATALOG_MODEL), 68);
}

/* ---- (d) everything is read ---- */

static void read_all(const struct catalog *c, enum catalog_kind kind, const struct record *r,
		     void *object)
{
	for (size_t i = 0; i < catalog_count(c, kind); i++) {
		struct diag d;

		diag_init(&d);
		memset(object, 0, r->size);
		if (!catalog_read(c, kind, catalog_id(c, kind, i), object, &d)) {
			diag_print(&d, stderr);
			fail();
		}
		record_free(r, object);
	}
}

static void every_entry_is_read(void **state)
{
	static const char *const engines[] = {"vllm",	"vllm-0.8", "vllm-0.7",	 "tensorrt-llm",
					      "sglang", "tgi",	    "llama.cpp", "splitwise-2023"};
	const struct fixture *f = *state;
	struct engine e;
	struct gpu g;
	struct model m;
	struct diag d;

	read_all(f->catalog, CATALOG_GPU, &gpu_record, &g);
	read_all(f->catalog, CATALOG_MODEL, &model_record, &m);
	read_all(f->catalog, CATALOG_ENGINE, &engine_record, &e);
	diag_init(&d);
	for (size_t i = 0; i < COUNT(engines); i++)
		assert_string_equal(catalog_find(f->catalog, CATALOG_ENGINE, engines[i], &d),
				    engines[i]);
}

/* Cards and models are found as their tools and authors write them. */
static void names_of_others_are_found(void **state)
{
	static const struct {
		enum catalog_kind kind;
		const char *name, *id;
	} known[] = {
		{CATALOG_GPU, "a100", "a100-sxm-80gb"},
		{CATALOG_GPU, "l4", "l4-24gb"},
		{CATALOG_GPU, "NVIDIA L40S", "l40s-48gb"},
		{CATALOG_GPU, "NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
		{CATALOG_GPU, "RTX 4090", "rtx-4090-24gb"},
		{CATALOG_GPU, "Tesla T4", "t4-16gb"},
		{CATALOG_GPU, "NVIDIA H100 80GB HBM3", "h100-sxm-80gb"},
		{CATALOG_GPU, "NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
		{CATALOG_GPU, "NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
		{CATALOG_GPU, "NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada-48gb"},
		{CATALOG_MODEL, "meta-llama/Llama-3.3-70B-Instruct", "llama-3.1-70b"},
		{CATALOG_MODEL, "llama-3.3-70b-instruct", "llama-3.1-70b"},
		{CATALOG_MODEL, "Llama-3.1 8B", "llama-3.1-8b"},
	};
	const struct fixture *f = *state;
	struct diag d;

	diag_init(&d);
	for (size_t i = 0; i < COUNT(known); i++)
		assert_string_equal(catalog_find(f->catalog, known[i].kind, known[i].name, &d),
				    known[i].id);
}

/* A figure is no bare number: it says where it comes from. */
static void check_origins(const cJSON *gpu, const cJSON *given)
{
	static const char *const keys[] = {"memory_gb", "bandwidth_gbs", "mbu",	  "amfu",  "ambu",
					   "p",		"pcie_gbs",	 "tdp_w", "idle_w"};

	(void)given;
	for (size_t i = 0; i < COUNT(keys); i++)
		if (!*text(at(gpu, keys[i]), "origin") || !*text(at(gpu, keys[i]), "source"))
			fail_msg("%s: %s without origin or source", text(gpu, "id"), keys[i]);
	assert_true(cJSON_GetArraySize(at(gpu, "sources")) > 0);
}

static void every_figure_has_a_source(void **state)
{
	each_gpu(*state, check_origins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(given_is_what_the_source_gives),
		cmocka_unit_test(peaks_are_the_dense_ones_given),
		cmocka_unit_test(peaks_agree_with_the_silicon),
		cmocka_unit_test(memory_is_what_the_runtime_reports),
		cmocka_unit_test(idle_power_follows_the_rule),
		cmocka_unit_test(mfu_follows_the_rule),
		cmocka_unit_test(parameters_match_the_published_totals),
		cmocka_unit_test(every_entry_is_read),
		cmocka_unit_test(every_figure_has_a_source),
		cmocka_unit_test(names_of_others_are_found),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
