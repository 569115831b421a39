/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real questions with known outcomes: see tests/cases/README.md. Run from the source folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/csv.h"
#include "base/xmalloc.h"
#include "roofline/memory.h"
#include "scenario/catalog.h"
#include "scenario/hf_config.h"
#include "scenario/hf_quantization.h"
#include "scenario/scenario.h"

static const double GIB = 0x1p30;

/* One row of fit.csv, resolved. */
struct fit {
	struct model model;
	struct gpu gpu;
	struct engine_cost engine;
	struct precision_use use;
	struct memory_need need;
	struct memory_plan plan;
	double pool_gib;
};

static char *cell(const struct csv *c, char *const *header, const char *name)
{
	for (size_t i = 0; header[i]; i++)
		if (!strcmp(header[i], name))
			return c->field[i];
	fail_msg("no column %s", name);
	return NULL;
}

static double number(const char *text, double unset)
{
	return *text ? strtod(text, NULL) : unset;
}

static int64_t integer(const char *text, int64_t unset)
{
	return *text ? strtoll(text, NULL, 10) : unset;
}

static int index_of(const char *name, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	fail_msg("%s is unknown", name);
	return 0;
}

static bool is_in_catalogue(const struct catalog *catalog, enum catalog_kind kind, const char *id)
{
	struct diag d;

	diag_init(&d);
	return catalog_find(catalog, kind, id, &d);
}

static void read_entry(const struct catalog *catalog, enum catalog_kind kind, const char *id,
		       void *object)
{
	struct diag d;

	diag_init(&d);
	if (!catalog_read(catalog, kind, id, object, &d))
		fail_msg("%s: %s: %s", id, d.path, d.message);
}

static void fit_init(struct fit *f, const struct catalog *catalog, const struct csv *c,
		     char *const *header)
{
	struct precision asked = {
		.weights = index_of(cell(c, header, "weights"), weight_format_names),
		.kv = index_of(cell(c, header, "kv"), kv_format_names),
	};
	const char *budget = cell(c, header, "budget");
	char why[256] = "";

	read_entry(catalog, CATALOG_MODEL, cell(c, header, "model"), &f->model);
	read_entry(catalog, CATALOG_GPU, cell(c, header, "gpu"), &f->gpu);
	record_init(&engine_cost_record, &f->engine);
	f->engine.gpu_memory_utilization.value = number(cell(c, header, "utilization"), 0.9);
	f->engine.reserve.value = number(cell(c, header, "reserve_gb"), (double)NAN) * 1e9;
	f->pool_gib = number(cell(c, header, "pool_gib"), (double)NAN);
	f->need = (struct memory_need){
		.tp = (int)integer(cell(c, header, "tp"), 1),
		.max_model_len = integer(cell(c, header, "max_model_len"), RECORD_INT_UNSET),
		.longest_request = RECORD_INT_UNSET,
		.max_num_seqs = integer(cell(c, header, "sequences"), 256),
		.max_num_batched_tokens = integer(budget, 2048),
		.chunked_prefill = *budget,
	};
	if (model_refusal(&f->model) || !precision_settle(&asked, &f->model, &f->gpu, &f->use, why))
		fail_msg("refused: %s%s", model_refusal(&f->model), why);
	memory_plan(&f->plan, &f->need, &f->model, &f->gpu, &f->use, &f->engine);
}

static void fit_free(struct fit *f)
{
	record_free(&model_record, &f->model);
	record_free(&gpu_record, &f->gpu);
	record_free(&engine_cost_record, &f->engine);
}

/* the number that a metric with bounds looks at */
static double measure(const struct fit *f, const char *metric)
{
	if (!strcmp(metric, "pool_tokens"))
		return (double)f->plan.kv_pool_tokens;
	if (!strcmp(metric, "kv_bytes_per_token"))
		return f->plan.kv_bytes_per_token;
	if (!strcmp(metric, "static_gib"))
		return (f->plan.weights_bytes + f->plan.reserve_bytes) / GIB;
	if (!strcmp(metric, "tokens_of_pool"))
		return f->pool_gib * GIB / f->plan.kv_bytes_per_token;
	if (!strcmp(metric, "concurrency"))
		return (double)memory_concurrency(&f->plan, f->engine.block_size,
						  f->need.max_model_len);
	fail_msg("metric %s is unknown", metric);
	return 0;
}

static bool holds(const struct fit *f, const char *metric, double low, double high)
{
	char why[128];

	if (!strcmp(metric, "fits"))
		return f->plan.fits;
	if (!strcmp(metric, "does_not_fit"))
		return !f->plan.fits && f->plan.missing_bytes > 0 && *f->plan.reason;
	if (!strcmp(metric, "tp_impossible"))
		return !f->plan.fits && !memory_tp_divides(&f->model, f->need.tp, why);
	if (!strcmp(metric, "warns_tight"))
		return strstr(f->plan.warning, "tight");
	if (!strcmp(metric, "warns_utilization"))
		return strstr(f->plan.warning, "gpu_memory_utilization");
	return measure(f, metric) >= low && measure(f, metric) <= high;
}

/* Refused rows: the model's own refusal is checked, as is that the catalogue lacks one. */
static void check_refused(const struct catalog *catalog, const char *model, const char *metric)
{
	struct model m;

	if (!strcmp(metric, "catalogue")) {
		assert_false(is_in_catalogue(catalog, CATALOG_MODEL, model));
	} else if (!strcmp(metric, "windows")) {
		read_entry(catalog, CATALOG_MODEL, model, &m);
		assert_non_null(model_refusal(&m));
		assert_non_null(strstr(model_refusal(&m), metric));
		record_free(&model_record, &m);
	}
}

static void check_row(const struct catalog *catalog, const struct csv *c, char *const *header,
		      const char *outcome)
{
	const char *point = cell(c, header, "point"), *metric = cell(c, header, "metric");
	struct fit f;
	bool good;

	fit_init(&f, catalog, c, header);
	good = holds(&f, metric, number(cell(c, header, "low"), 0),
		     number(cell(c, header, "high"), 0));
	if (good != !strcmp(outcome, "pass"))
		fail_msg("%s (%s): %s is %s: pool %lld tokens, max_model_len %lld, weights %.3g, "
			 "reserve %.3g; %s%s",
			 point, cell(c, header, "source"), metric, good ? "met" : "missed",
			 (long long)f.plan.kv_pool_tokens, (long long)f.plan.max_model_len,
			 f.plan.weights_bytes, f.plan.reserve_bytes, f.plan.reason, f.plan.warning);
	fit_free(&f);
}

static char **copy_header(const struct csv *c)
{
	char **header = xcalloc(c->fields + 1, sizeof(*header));

	for (size_t i = 0; i < c->fields; i++)
		header[i] = xstrdup(c->field[i]);
	return header;
}

static void free_header(char **header)
{
	for (size_t i = 0; header[i]; i++)
		free(header[i]);
	free(header);
}

static struct catalog *catalogue(void)
{
	struct diag d;
	struct catalog *catalog;

	diag_init(&d);
	catalog = catalog_new(NULL, ".", &d);
	if (!catalog)
		fail_msg("%s: %s", d.file, d.message);
	return catalog;
}

static void test_fit(void **state)
{
	struct catalog *catalog = catalogue();
	int passed = 0, refused = 0, missed = 0;
	struct csv c;
	struct diag d;
	char **header;

	(void)state;
	diag_init(&d);
	assert_true(csv_open(&c, "tests/cases/fit.csv", &d));
	assert_true(csv_row(&c));
	header = copy_header(&c);
	while (csv_row(&c)) {
		const char *outcome = cell(&c, header, "outcome");

		if (!strcmp(outcome, "refused")) {
			check_refused(catalog, cell(&c, header, "model"),
				      cell(&c, header, "metric"));
			printf("%s refused: %s %s\n", cell(&c, header, "point"),
			       cell(&c, header, "metric"), cell(&c, header, "note"));
			refused++;
			continue;
		}
		check_row(catalog, &c, header, outcome);
		if (!strcmp(outcome, "miss")) {
			printf("%s missed: %s\n", cell(&c, header, "point"),
			       cell(&c, header, "note"));
			missed++;
		} else {
			passed++;
		}
	}
	assert_int_equal(passed, 27);
	assert_int_equal(refused, 21);
	assert_int_equal(missed, 1);
	free_header(header);
	csv_close(&c);
	catalog_del(catalog);
}

/* F17b (aiconfigurator#1159): 80 GiB in all, 50 GiB not for KV, fraction .9: .9*80 - 50 = 22 GiB by
 * vLLM's reading, .9*(80 - 50) = 27 by TensorRT-LLM's. */
static void test_meanings_of_the_fraction(void **state)
{
	struct catalog *catalog = catalogue();
	struct precision asked = {0};
	struct fit f = {.need = {.tp = 1,
				 .max_model_len = RECORD_INT_UNSET,
				 .longest_request = RECORD_INT_UNSET,
				 .max_num_seqs = 256,
				 .max_num_batched_tokens = 8192,
				 .chunked_prefill = true}};
	char why[256];

	(void)state;
	read_entry(catalog, CATALOG_MODEL, "llama-3.1-8b", &f.model);
	read_entry(catalog, CATALOG_GPU, "h100-sxm-80gb", &f.gpu);
	record_init(&engine_cost_record, &f.engine);
	f.engine.gpu_memory_utilization.value = 0.9;
	f.gpu.memory.value = 80 * GIB;
	assert_true(precision_settle(&asked, &f.model, &f.gpu, &f.use, why));
	memory_plan(&f.plan, &f.need, &f.model, &f.gpu, &f.use, &f.engine);
	f.engine.reserve.value = 50 * GIB - f.plan.weights_bytes;
	memory_plan(&f.plan, &f.need, &f.model, &f.gpu, &f.use, &f.engine);
	assert_true(fabs(f.plan.kv_pool_bytes / GIB - 22) < 0.01);
	f.engine.fraction_of = FRACTION_FREE;
	memory_plan(&f.plan, &f.need, &f.model, &f.gpu, &f.use, &f.engine);
	assert_true(fabs(f.plan.kv_pool_bytes / GIB - 27) < 0.01);
	fit_free(&f);
	catalog_del(catalog);
}

/* ---- configurations ---- */

static void assert_text(const char *name, const cJSON *expect, const char *key, const char *got)
{
	const cJSON *want = cJSON_GetObjectItemCaseSensitive(expect, key);

	if (want && strcmp(got, want->valuestring) != 0)
		fail_msg("%s: %s is %s, not %s", name, key, got, want->valuestring);
}

static void assert_number(const char *name, const cJSON *expect, const char *key, double got,
			  double share)
{
	const cJSON *want = cJSON_GetObjectItemCaseSensitive(expect, key);

	if (want && !(fabs(got / want->valuedouble - 1) <= share))
		fail_msg("%s: %s is %.10g, not %.10g", name, key, got, want->valuedouble);
}

static void check_config(const char *name, const struct model *m, const cJSON *expect)
{
	static const char *const patterns[] = {"all", "alternating", "5:1"};
	const cJSON *refusal = cJSON_GetObjectItemCaseSensitive(expect, "refusal");
	double kv = 2.0 * 2 * (double)(m->num_hidden_layers * m->num_key_value_heads * m->head_dim);

	assert_number(name, expect, "kv_bytes_per_token", kv, 0);
	assert_number(name, expect, "layers", (double)m->num_hidden_layers, 0);
	assert_number(name, expect, "kv_heads", (double)m->num_key_value_heads, 0);
	assert_number(name, expect, "params_b", model_params(m) / 1e9, 0.01);
	assert_number(name, expect, "active_b", model_active_params(m) / 1e9, 0.02);
	assert_text(name, expect, "window_layers",
		    m->sliding_window > 0 ? patterns[m->window_layers] : "none");
	assert_text(name, expect, "weights", weight_format_names[m->native_weights]);
	assert_text(name, expect, "kv", kv_format_names[m->native_kv]);
	if (refusal && (!model_refusal(m) || !strstr(model_refusal(m), refusal->valuestring)))
		fail_msg("%s: not refused for %s", name, refusal->valuestring);
}

static void check_config_case(const cJSON *item)
{
	const char *name = cJSON_GetObjectItemCaseSensitive(item, "case")->valuestring;
	const cJSON *expect = cJSON_GetObjectItemCaseSensitive(item, "expect");
	const cJSON *refused = cJSON_GetObjectItemCaseSensitive(expect, "refused");
	char *text = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(item, "config"));
	struct model m;
	struct diag d;
	struct json_doc *doc;
	bool good;

	diag_init(&d);
	doc = json_doc_parse(name, text, &d);
	record_init(&model_record, &m);
	good = hf_config_read(&m, doc, NULL, &d) && record_finish(&model_record, &m, "", &d);
	if (good) {
		model_settle(&m);
		check_config(name, &m, expect);
	}
	if (good != !refused || (refused && !strstr(d.message, refused->valuestring)))
		fail_msg("%s: %s", name, good ? "is not refused" : d.message);
	record_free(&model_record, &m);
	json_doc_del(doc);
	cJSON_free(text);
}

/* O09 (llmfit#1045), elements of packed tensors, does not apply: parameters are counted from
 * dimensions. */
static void test_configs(void **state)
{
	struct diag d;
	struct json_doc *doc;
	const cJSON *item;
	int cases = 0;

	(void)state;
	diag_init(&d);
	doc = json_doc_read("tests/cases/configs.json", &d);
	if (!doc)
		fail_msg("%d:%d: %s", d.line, d.column, d.message);
	cJSON_ArrayForEach(item, json_doc_root(doc))
	{
		check_config_case(item);
		cases++;
	}
	assert_int_equal(cases, 15);
	json_doc_del(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_meanings_of_the_fraction),
		cmocka_unit_test(test_configs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
