/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers over a small catalogue of our own in fixture/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

#define FIXTURE	     "tests/unit/scenario/fixture"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SETS(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

#define HEAD	"{\"model\": \"tiny-1b\", \"gpus\": \"red-24gb\", "
#define TRAFFIC "\"traffic\": {\"arrivals\": {\"rate\": 2}, \"input\": 100, \"output\": 10}"
#define PLAIN	HEAD TRAFFIC "}"

/* Reads a scenario's text, or the file `text` names if it is none, with options in `o`. */
static struct scenario *read_with(const char *text, struct scenario_options o, struct diag *d)
{
	diag_init(d);
	o.data_dir = FIXTURE;
	o.seed = o.seed ? o.seed : RECORD_INT_UNSET;
	o.file = strchr("{[", text[0]) ? "S" : text;
	o.text = strchr("{[", text[0]) ? text : NULL;
	return scenario_read(&o, d);
}

static struct scenario *read_good(const char *text, struct scenario_options o)
{
	struct diag d;
	struct scenario *s = read_with(text, o, &d);

	if (!s)
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
	return s;
}

static struct scenario *read_sets(const char *text, const char *const *sets)
{
	return read_good(text, (struct scenario_options){.sets = sets});
}

static void near(double a, double b)
{
	if (fabs(a - b) > 1e-12 * fabs(b))
		fail_msg("%.17g is not %.17g", a, b);
}

static void test_file(void **state)
{
	struct scenario *s =
		read_good(FIXTURE "/workloads/plain.json", (struct scenario_options){0});

	(void)state;
	assert_string_equal(s->model.id, "tiny-1b");
	assert_int_equal(s->model.head_dim, 64);
	assert_int_equal(s->candidates, 2);
	assert_string_equal(s->candidate[0].shown, "red-24gb");
	assert_string_equal(s->candidate[1].shown, "red-48gb+");
	assert_string_equal(s->candidate[1].gpu.id, "red-48gb");
	near(s->candidate[1].gpu.memory.value, 48e9);
	near(s->candidate[1].gpu.mbu.value, 0.7);
	assert_int_equal(s->candidate[1].gpu.mbu.origin, ORIGIN_GIVEN);
	near(s->candidate[1].gpu.bandwidth.value, 900e9);
	assert_int_equal(s->candidate[1].gpu.bandwidth.origin, ORIGIN_DATASHEET);
	assert_string_equal(s->engine.id, "vllm");
	near(s->engine.cost.layer.value, 30e-6);
	assert_int_equal(s->deployment.replicas, 1);
	near(s->traffic.arrivals.rate, 2);
	near(s->facts.output_max, 30);
	assert_int_equal(s->prices.providers.count, 3);
	scenario_del(s);
}

static void test_trace_is_relative_to_its_file(void **state)
{
	struct scenario *s =
		read_good(FIXTURE "/workloads/traced.json", (struct scenario_options){0});

	(void)state;
	assert_string_equal(s->traffic.trace, FIXTURE "/workloads/three.csv");
	assert_int_equal(s->facts.requests, 3);
	assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(s->resolved, "traffic"), "input"));
	scenario_del(s);
	s = read_sets(PLAIN, SETS("traffic.trace=" FIXTURE "/workloads/three.csv"));
	near(s->facts.input_mean, 200);
	scenario_del(s);
}

static void test_sets_in_order(void **state)
{
	struct scenario *s = read_sets(
		PLAIN, SETS("traffic.arrivals.rate=8", "traffic.arrivals.rate=9", "name=a b",
			    "slo.ttft_ms.p99.9=500", "gpus[0].mbu=0.5", "gpus[0].mbu.sigma=0.1",
			    "engine.layer_us=7", "engine.max_num_seqs=64", "prices.providers=ALL",
			    "model.num_hidden_layers=2", "deployment.replicas=3"));

	(void)state;
	near(s->traffic.arrivals.rate, 9);
	assert_string_equal(s->name, "a b");
	near(s->slo.limit_s[SLO_TTFT][SLO_P999], 0.5);
	assert_true(slo_is_set(&s->slo));
	near(s->candidate[0].gpu.mbu.value, 0.5);
	near(s->candidate[0].gpu.mbu.sigma, 0.1);
	assert_string_equal(s->candidate[0].shown, "red-24gb+");
	near(s->engine.cost.layer.value, 7e-6);
	assert_string_equal(s->engine.id, "vllm+");
	assert_int_equal(s->engine.scheduling.max_num_seqs, 64);
	assert_true(s->prices.all_providers);
	assert_int_equal(s->model.num_hidden_layers, 2);
	assert_string_equal(s->model.id, "tiny-1b+");
	assert_int_equal(s->deployment.replicas, 3);
	scenario_del(s);
}

static void test_new_tag_in_a_set(void **state)
{
	struct scenario *s =
		read_sets(FIXTURE "/workloads/plain.json",
			  SETS("traffic.arrivals.process=poisson", "traffic.output=5"));

	(void)state;
	near(s->traffic.arrivals.rate, 2);
	assert_true(isnan(s->traffic.arrivals.cv));
	near(s->traffic.output.value, 5);
	assert_true(isnan(s->traffic.output.max));
	scenario_del(s);
}

static void test_null_returns_to_the_default(void **state)
{
	struct scenario *s = read_sets(
		HEAD "\"engine\": \"calm\", \"deployment\": {\"replicas\": 4}, " TRAFFIC "}",
		SETS("deployment.replicas=null", "engine=null"));

	(void)state;
	assert_int_equal(s->deployment.replicas, 1);
	assert_string_equal(s->engine.id, "vllm");
	scenario_del(s);
}

static void test_engine_object_overrides_vllm(void **state)
{
	struct scenario *s = read_sets(HEAD "\"engine\": {\"step_us\": 1}, " TRAFFIC "}", NULL);

	(void)state;
	assert_string_equal(s->engine.id, "vllm+");
	near(s->engine.cost.step.value, 1e-6);
	near(s->engine.cost.layer.value, 30e-6);
	scenario_del(s);
	s = read_sets(PLAIN, SETS("engine=calm"));
	near(s->engine.cost.step.value, 600e-6);
	near(s->engine.cost.layer.value, 30e-6);
	scenario_del(s);
}

static void test_vllm_flags(void **state)
{
	struct scenario *s = read_sets(
		HEAD "\"engine\": {\"tensor_parallel_size\": 2, \"data_parallel_size\": 3, "
		     "\"kv_cache_dtype\": \"fp8\", \"enable_chunked_prefill\": false, "
		     "\"num_gpu_blocks_override\": 77, \"quantization\": \"int4\"}, " TRAFFIC "}",
		SETS("engine.tensor_parallel_size=4"));

	(void)state;
	assert_int_equal(s->deployment.tensor_parallel, 4);
	assert_int_equal(s->deployment.replicas, 3);
	assert_int_equal(s->precision.kv, 3);
	assert_int_equal(s->precision.weights, FORMAT_INT4);
	assert_false(s->engine.scheduling.chunked_prefill);
	assert_int_equal(s->engine.cost.kv_pool_blocks, 77);
	scenario_del(s);
}

static void test_gpu_option_replaces_the_list(void **state)
{
	static const char *const gpus[] = {"crimson", "pcie", NULL};
	static const char *const sets[] = {"gpus[1].mbu=0.6", NULL};
	struct scenario *s =
		read_good(PLAIN, (struct scenario_options){.gpus = gpus, .sets = sets});

	(void)state;
	assert_int_equal(s->candidates, 2);
	assert_string_equal(s->candidate[0].shown, "red-24gb");
	assert_string_equal(s->candidate[1].shown, "red-pcie-48gb+");
	near(s->candidate[1].gpu.bandwidth.value, 700e9);
	near(s->candidate[1].gpu.memory.value, 48e9);
	near(s->candidate[1].gpu.peak.of[COMPUTE_BF16].value, 70e12);
	scenario_del(s);
}

static void test_own_objects(void **state)
{
	struct scenario *s = read_sets(
		"{\"model\": {\"id\": \"mine\", \"num_hidden_layers\": 2, \"hidden_size\": 64, "
		"\"num_attention_heads\": 2, \"intermediate_size\": 128, \"vocab_size\": 100, "
		"\"max_position_embeddings\": 512}, \"gpus\": [{\"memory_gb\": 8, "
		"\"bandwidth_gbs\": 100, "
		"\"peak_tflops\": 10}, {\"base\": \"red-24gb\", \"id\": \"cool\", \"mfu\": "
		"0.4}], " TRAFFIC "}",
		NULL);

	(void)state;
	assert_string_equal(s->model.id, "mine");
	assert_int_equal(s->model.num_key_value_heads, 2);
	assert_string_equal(s->candidate[0].shown, "own");
	assert_string_equal(s->candidate[1].shown, "cool");
	assert_string_equal(s->candidate[1].gpu.id, "red-24gb");
	near(gpu_mfu(&s->candidate[1].gpu, COMPUTE_BF16)->value, 0.4);
	scenario_del(s);
}

static void test_newest_base_holds(void **state)
{
	struct scenario *s = read_sets(FIXTURE "/workloads/plain.json",
				       SETS("gpus[1].base=red-24gb", "gpus[0]=crimson",
					    "gpus[0].base=red-pcie", "gpus[0].mbu=0.9"));

	(void)state;
	near(s->candidate[1].gpu.memory.value, 24e9);
	near(s->candidate[1].gpu.mbu.value, 0.7); /* the override stays */
	assert_string_equal(s->candidate[1].shown, "red-24gb+");
	assert_string_equal(s->candidate[0].shown, "red-pcie-48gb+");
	scenario_del(s);
}

static void test_prices_and_seed(void **state)
{
	static const char *const prices[] = {"crimson=0.5", NULL};
	struct scenario *s =
		read_good(PLAIN, (struct scenario_options){.prices = prices, .seed = 17});

	(void)state;
	near(s->candidate[0].price_override, 0.5);
	assert_int_equal(s->traffic.seed, 17);
	scenario_del(s);
}

static void test_resolved_reads_again(void **state)
{
	struct scenario *s = read_sets(FIXTURE "/workloads/plain.json", SETS("engine.step_us=1"));
	char *text = cJSON_PrintUnformatted(s->resolved), *again;
	struct scenario *t = read_sets(text, NULL);

	(void)state;
	again = cJSON_PrintUnformatted(t->resolved);
	assert_string_equal(text, again);
	near(t->engine.cost.step.value, 1e-6);
	free(text);
	free(again);
	scenario_del(s);
	scenario_del(t);
}

struct bad {
	const char *text; /* the scenario, or a file */
	const char *set;  /* a --set, or NULL */
	const char *file; /* of the message */
	int line, column;
	const char *path, *message, *nearest;
};

static const struct bad bad[] = {
	{"{}", NULL, "S", 1, 1, "model", "model is required", ""},
	{"{\"model\": \"tiny-1b\"}", NULL, "S", 1, 1, "gpus", "gpus is required", ""},
	{"{\"model\": \"tiny-1b\", \"gpus\": \"red\"}", NULL, "S", 1, 1, "traffic", "is required",
	 ""},
	{"[]", NULL, "S", 1, 1, "", "must be an object", ""},
	{PLAIN, "nmae=x", "--set nmae=x", 1, 1, "nmae", "unknown key", "name"},
	{PLAIN, "modle=x", "--set modle=x", 1, 1, "modle", "unknown key", "model"},
	{PLAIN, "name", "--set name", 1, 1, "", "takes PATH=VALUE", ""},
	{PLAIN, "gpus.mbu=1", "--set gpus.mbu=1", 1, 1, "gpus.mbu", "gpus is a list", ""},
	{PLAIN, "gpus[1].mbu=1", "--set gpus[1].mbu=1", 1, 1, "gpus[1].mbu", "no such element", ""},
	{PLAIN, "gpus[0].mub=1", "--set gpus[0].mub=1", 1, 1, "gpus[0].mub", "unknown key", "mbu"},
	{PLAIN, "gpus[0].mbu=-1", "--set gpus[0].mbu=-1", 1, 1, "gpus[0].mbu", "above 0", ""},
	{PLAIN, "gpus=rde", "--set gpus=rde", 1, 1, "gpus", "unknown GPU", "red-24gb"},
	{PLAIN, "gpus=48gb", "--set gpus=48gb", 1, 1, "gpus",
	 "more than one GPU: red-48gb, red-pcie-48gb", ""},
	{PLAIN, "gpus=[]", "--set gpus=[]", 1, 1, "gpus", "names no GPU", ""},
	{PLAIN, "gpus=null", "S", 1, 1, "gpus", "gpus is required", ""},
	{PLAIN, "gpus=[\"red\",\"red-48gb\"]", "--set gpus=[\"red\",\"red-48gb\"]", 1, 8, "gpus[1]",
	 "red-48gb stands twice", ""},
	{PLAIN, "model=whisper-large", "--set model=whisper-large", 1, 1, "model",
	 "whisper-large-v3 is a one-shot model, not in this version", ""},
	{PLAIN, "model=tiny-2b", "--set model=tiny-2b", 1, 1, "model", "unknown model", "tiny-1b"},
	{PLAIN, "model=7", "--set model=7", 1, 1, "model", "id of a model, or an object", ""},
	{PLAIN, "model.hidden_size=0", "--set model.hidden_size=0", 1, 1, "model.hidden_size",
	 "between 1", ""},
	{PLAIN, "engine=slow", "--set engine=slow", 1, 1, "engine",
	 "slow needs the scheduler \"dynamic\", which is not in this version", ""},
	{PLAIN, "engine.scheduler=dynamic", "--set engine.scheduler=dynamic", 1, 1,
	 "engine.scheduler", "\"dynamic\" is not in this version", ""},
	{PLAIN, "model=" FIXTURE "/workloads/plain.json", FIXTURE "/workloads/plain.json", 1, 1,
	 "model", "a scenario, not a model", ""},
	{PLAIN, "slo.ttft_ms=5000", "--set slo.ttft_ms=5000", 1, 1, "slo.ttft_ms",
	 "as in {\"p99\": 5000}", ""},
	{PLAIN, "precision.weights=4", "--set precision.weights=4", 1, 1, "precision.weights",
	 "one of the names allowed", "int4"},
	{PLAIN, "engine.policy=priority", "--set engine.policy=priority", 1, 1, "engine.policy",
	 "not in this version", ""},
	{PLAIN, "engine.tensor_parallel_size=0", "--set engine.tensor_parallel_size=0", 1, 1,
	 "engine.tensor_parallel_size", "between 1", ""},
	{PLAIN, "pools=[]", "--set pools=[]", 1, 1, "pools", "names no pool", ""},
	{PLAIN, "slo.attainment=0.9", "--set slo.attainment=0.9", 1, 1, "slo.attainment",
	 "none is given", ""},
	{PLAIN, "prices.pick=best", "--set prices.pick=best", 1, 1, "prices.pick", "unknown pick",
	 ""},
	{PLAIN, "traffic.arrivals.rate=0.0001", "--set traffic.arrivals.rate=0.0001", 1, 1,
	 "traffic.arrivals.rate", "at most 1e8 s", ""},
	{PLAIN, "traffic.requests=5", NULL, 0, 0, "", "", ""},
	{HEAD "\"traffic\": {\"arrivals\": {\"rate\": 2}, \"input\": 1, \"output\": 1, "
	      "\"requests\": 5}}",
	 "traffic.warmup=5", "--set traffic.warmup=5", 1, 1, "traffic.warmup", "leaves none of 5",
	 ""},
	{PLAIN, "traffic.trace=nothing", "--set traffic.trace=nothing", 1, 1, "traffic.trace",
	 "cannot be opened", ""},
	{FIXTURE "/workloads/traced.json", "traffic.arrivals.rate=1",
	 "--set traffic.arrivals.rate=1", 1, 1, "traffic.arrivals.rate", "the trace gives", ""},
	{HEAD "\"traffic\": {\"trace\": \"" FIXTURE "/workloads/three.csv\", \"input\": 3}}", NULL,
	 "S", 1, 123, "traffic.input", "the trace gives", ""},
	{HEAD "\"pools\": [], " TRAFFIC "}", NULL, "S", 1, 51, "pools", "names no pool", ""},
	{HEAD "\"name\": null, " TRAFFIC "}", NULL, "S", 1, 50, "name", "null is not a value", ""},
	{HEAD "\"engine\": null, " TRAFFIC "}", NULL, "S", 1, 52, "engine", "id of an engine", ""},
	{HEAD "\"engine\": {\"policy\": \"fcfs\", \"scheduling_policy\": \"fcfs\"}, " TRAFFIC "}",
	 NULL, "S", 1, 92, "engine.scheduling_policy", "another name of engine.policy", ""},
	{HEAD "\"precision\": \"w4a16\", \"engine\": {\"dtype\": \"half\"}, " TRAFFIC "}", NULL,
	 "S", 1, 84, "engine.dtype", "another name of precision.weights", ""},
	{HEAD "\"engine\": {\"dtype\": \"half\", \"quantization\": \"awq\"}, " TRAFFIC "}", NULL,
	 "S", 1, 62, "engine.dtype", "another name", ""},
	{"{\"model\": {\"base\": \"tiny-1b\", \"hidden_sise\": 3}, \"gpus\": \"red\", " TRAFFIC "}",
	 NULL, "S", 1, 46, "model.hidden_sise", "unknown key", "hidden_size"},
	{"{\"model\": {\"base\": 3}, \"gpus\": \"red\", " TRAFFIC "}", NULL, "S", 1, 11,
	 "model.base", "must be the id of a model", ""},
	{"{\"model\": {\"hidden_size\": 3}, \"gpus\": \"red\", " TRAFFIC "}", NULL, "S", 1, 11,
	 "model.num_hidden_layers", "is required", ""},
};

static void test_bad(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const struct bad *b = &bad[i];
		struct diag d;
		struct scenario *s =
			read_with(b->text, (struct scenario_options){.sets = SETS(b->set)}, &d);

		if (!b->file) {
			assert_non_null(s);
			scenario_del(s);
			continue;
		}
		if (!s && strcmp(d.file, b->file) == 0 && d.line == b->line &&
		    d.column == b->column && strcmp(d.path, b->path) == 0 &&
		    strstr(d.message, b->message) && strcmp(d.nearest, b->nearest) == 0)
			continue;
		print_error("case %zu: %s:%d:%d: %s: %s (%s)\n", i, d.file, d.line, d.column,
			    d.path, d.message, d.nearest);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void test_bad_prices(void **state)
{
	static const char *const prices[] = {"red", "red-24gb=x", "red-24gb=0", "red-48gb=1", "=1"};

	(void)state;
	for (size_t i = 0; i < COUNT(prices); i++) {
		const char *const list[] = {prices[i], NULL};
		struct diag d;

		assert_null(read_with(PLAIN, (struct scenario_options){.prices = list}, &d));
		assert_int_equal(strncmp(d.file, "--price ", 8), 0);
	}
}

static void test_catalog_finds(void **state)
{
	static const char *const names[][2] = {{"RED-24GB", "red-24gb"},
					       {"crimson", "red-24gb"},
					       {"red", "red-48gb"},
					       {"red-pcie", "red-pcie-48gb"}};
	struct diag d = {0};
	struct catalog *c = catalog_new(NULL, FIXTURE, &d);

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_string_equal(catalog_find(c, CATALOG_GPU, names[i][0], &d), names[i][1]);
	assert_string_equal(catalog_find(c, CATALOG_MODEL, "other/tiny-1b", &d), "tiny-1b");
	assert_string_equal(catalog_find(c, CATALOG_MODEL, "maker/Wide-7B-chat", &d), "wide-7b");
	assert_int_equal(catalog_count(c, CATALOG_GPU), 3);
	assert_string_equal(catalog_id(c, CATALOG_GPU, 2), "red-pcie-48gb");
	catalog_del(c);
}

static void test_catalog_reads_chains(void **state)
{
	struct diag d = {0};
	struct catalog *c = catalog_new(NULL, FIXTURE, &d);
	struct gpu g = {0};
	struct engine e = {0};

	(void)state;
	assert_true(catalog_read(c, CATALOG_GPU, "red-pcie-48gb", &g, &d));
	assert_string_equal(g.id, "red-pcie-48gb");
	near(g.memory.value, 48e9);
	assert_int_equal(g.bandwidth.origin, ORIGIN_MEASURED);
	assert_int_equal(g.aliases.count, 0);
	record_free(&gpu_record, &g);
	/* an engine that this version cannot run is still an entry */
	assert_true(catalog_read(c, CATALOG_ENGINE, "slow", &e, &d));
	near(e.cost.layer.value, 30e-6);
	record_free(&engine_record, &e);
	catalog_del(c);
}

static void test_first_folder_wins(void **state)
{
	static const char *const folders[] = {FIXTURE "/circle", NULL};
	struct diag d = {0};
	struct catalog *c = catalog_new(folders, FIXTURE, &d);
	struct gpu g = {0};

	(void)state;
	assert_int_equal(catalog_count(c, CATALOG_GPU), 5);
	assert_false(catalog_read(c, CATALOG_GPU, "one", &g, &d));
	assert_non_null(strstr(d.message, "in a circle"));
	assert_string_equal(d.file, FIXTURE "/circle/gpus/two.json");
	assert_int_equal(d.line, 2);
	assert_string_equal(d.path, "base");
	catalog_del(c);
}

static void assert_bad_folder(const char *folder, const char *file, const char *message)
{
	const char *const folders[] = {folder, NULL};
	struct diag d = {0};

	assert_null(catalog_new(folders, FIXTURE, &d));
	assert_string_equal(d.file, file);
	assert_non_null(strstr(d.message, message));
}

static void test_bad_folders(void **state)
{
	(void)state;
	assert_bad_folder(FIXTURE "/bad", FIXTURE "/bad/gpus/blue.json", "must be the file's name");
	assert_bad_folder(FIXTURE "/gpus", FIXTURE "/gpus", "no catalogue");
	assert_bad_folder("/nowhere", "/nowhere", "no catalogue");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_trace_is_relative_to_its_file),
		cmocka_unit_test(test_sets_in_order),
		cmocka_unit_test(test_new_tag_in_a_set),
		cmocka_unit_test(test_null_returns_to_the_default),
		cmocka_unit_test(test_engine_object_overrides_vllm),
		cmocka_unit_test(test_vllm_flags),
		cmocka_unit_test(test_gpu_option_replaces_the_list),
		cmocka_unit_test(test_own_objects),
		cmocka_unit_test(test_newest_base_holds),
		cmocka_unit_test(test_prices_and_seed),
		cmocka_unit_test(test_resolved_reads_again),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_bad_prices),
		cmocka_unit_test(test_catalog_finds),
		cmocka_unit_test(test_catalog_reads_chains),
		cmocka_unit_test(test_first_folder_wins),
		cmocka_unit_test(test_bad_folders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
