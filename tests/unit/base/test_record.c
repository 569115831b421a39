/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/record.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A union by tag, as length laws are. */
enum { SHAPE_CONSTANT, SHAPE_UNIFORM, SHAPE_GAMMA };
static const char *const shape_names[] = {"constant", "uniform", "gamma", "!cauchy", NULL};
struct shape {
	int dist;
	double value, low, high, cv;
	struct record_list quantiles;
};
static const struct field shape_fields[] = {
	{.key = "dist",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct shape, dist),
	 .of = shape_names,
	 .flags = FIELD_REQUIRED},
	{.key = "value",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct shape, value),
	 .min = 1,
	 .max = 100,
	 .when = 1 << SHAPE_CONSTANT,
	 .flags = FIELD_REQUIRED},
	{.key = "low",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct shape, low),
	 .when = 1 << SHAPE_UNIFORM | 1 << SHAPE_GAMMA},
	{.key = "high",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct shape, high),
	 .when = 1 << SHAPE_UNIFORM | 1 << SHAPE_GAMMA},
	{.key = "cv",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct shape, cv),
	 .max = 10,
	 .flags = FIELD_ABOVE_MIN,
	 .when = 1 << SHAPE_GAMMA},
	{.key = "quantiles",
	 .kind = FIELD_LIST,
	 .flags = FIELD_PAIRS,
	 .offset = offsetof(struct shape, quantiles)},
};
static bool shape_check(const void *object, struct diag *d)
{
	const struct shape *s = object;

	if (!(s->low > s->high))
		return true;
	diag_path(d, "low");
	return diag_fail(d, "low is above high");
}
static const struct record shape_record = {
	"shape",      "value",	  "dist", sizeof(struct shape), COUNT(shape_fields),
	shape_fields, shape_check};

struct inner {
	double wait;
	bool fast;
};
static const struct field inner_fields[] = {
	{.key = "wait_ms",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct inner, wait),
	 .scale = 1e-3,
	 .def = "2"},
	{.key = "fast", .kind = FIELD_BOOL, .offset = offsetof(struct inner, fast), .def = "true"},
};
static const struct record inner_record = {.name = "inner",
					   .size = sizeof(struct inner),
					   .fields = COUNT(inner_fields),
					   .field = inner_fields};

struct limits {
	double p99, p999;
};
static const struct field limits_fields[] = {
	{.key = "p99.9", .kind = FIELD_REAL, .offset = offsetof(struct limits, p999)},
	{.key = "p99", .kind = FIELD_REAL, .offset = offsetof(struct limits, p99)},
};
static const struct record limits_record = {.name = "limits",
					    .size = sizeof(struct limits),
					    .fields = COUNT(limits_fields),
					    .field = limits_fields};

struct card {
	char *name;
};
static const struct field card_fields[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct card, name),
	 .flags = FIELD_REQUIRED},
};
static const struct record card_record = {.name = "card",
					  .short_key = "name",
					  .size = sizeof(struct card),
					  .fields = COUNT(card_fields),
					  .field = card_fields};

struct outer {
	char *name, *trace, *given;
	int64_t seqs, seed;
	struct figure layer;
	struct figure_tp link;
	struct shape shape;
	struct inner inner;
	struct limits limits;
	struct record_list tags, rates, cards;
};
static const struct field outer_fields[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct outer, name),
	 .def = "\"none\""},
	{.key = "trace",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct outer, trace),
	 .flags = FIELD_PATH},
	{.key = "given",
	 .kind = FIELD_TEXT,
	 .offset = offsetof(struct outer, given),
	 .flags = FIELD_OPEN},
	{.key = "seqs",
	 .kind = FIELD_INT,
	 .offset = offsetof(struct outer, seqs),
	 .flags = FIELD_AUTO,
	 .min = 1,
	 .max = 4096,
	 .def = "\"auto\""},
	{.key = "seed", .kind = FIELD_INT, .offset = offsetof(struct outer, seed), .def = "1"},
	{.key = "layer_us",
	 .kind = FIELD_RECORD,
	 .of = &figure_record,
	 .scale = 1e-6,
	 .max = 1e4,
	 .offset = offsetof(struct outer, layer),
	 .def = "33",
	 .flags = FIELD_AUTO},
	{.key = "link_gbs",
	 .kind = FIELD_RECORD,
	 .of = &figure_tp_record,
	 .scale = 1e9,
	 .offset = offsetof(struct outer, link)},
	{.key = "shape",
	 .kind = FIELD_RECORD,
	 .of = &shape_record,
	 .offset = offsetof(struct outer, shape)},
	{.key = "inner",
	 .kind = FIELD_RECORD,
	 .of = &inner_record,
	 .flags = FIELD_INLINE,
	 .offset = offsetof(struct outer, inner)},
	{.key = "ttft_ms",
	 .kind = FIELD_RECORD,
	 .of = &limits_record,
	 .scale = 1e-3,
	 .offset = offsetof(struct outer, limits)},
	{.key = "tags",
	 .kind = FIELD_LIST,
	 .flags = FIELD_TEXTS,
	 .offset = offsetof(struct outer, tags)},
	{.key = "rates",
	 .kind = FIELD_LIST,
	 .flags = FIELD_REALS,
	 .min = 0,
	 .max = 9,
	 .offset = offsetof(struct outer, rates)},
	{.key = "cards",
	 .kind = FIELD_LIST,
	 .of = &card_record,
	 .offset = offsetof(struct outer, cards)},
	{.key = "pools", .kind = FIELD_LIST, .flags = FIELD_NOT_YET},
};
static const struct record outer_record = {.name = "outer",
					   .size = sizeof(struct outer),
					   .fields = COUNT(outer_fields),
					   .field = outer_fields};

/* An outer under layers. */
struct bench {
	struct outer o;
	struct record_places places;
	struct diag d;
	int layers;
};

static int setup(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	record_init(&outer_record, &b->o);
	record_places_init(&b->places);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	record_free(&outer_record, &b->o);
	record_places_free(&b->places);
	free(b);
	return 0;
}

/* Reads one more layer; its file is "L1", "L2", ... */
static bool layer(struct bench *b, const char *text)
{
	char name[16];
	struct json_doc *doc;
	bool good;

	snprintf(name, sizeof(name), "L%d", ++b->layers);
	doc = json_doc_parse(name, text, &b->d);
	assert_non_null(doc);
	record_places_layer(&b->places, name, "");
	good = record_read_layer(
		&(struct record_reader){.doc = doc, .prefix = "", .d = &b->d, .places = &b->places},
		&outer_record, &b->o, json_doc_root(doc));
	json_doc_del(doc);
	return good;
}

static bool set(struct bench *b, const char *path, const char *text)
{
	struct json_doc *doc = json_doc_parse("--set", text, &b->d);
	bool good;

	record_places_layer(&b->places, "--set", "");
	good = record_set(&(struct record_reader){.doc = doc,
						  .prefix = "",
						  .d = &b->d,
						  .places = &b->places,
						  .null_is_default = true},
			  &outer_record, &b->o, path, json_doc_root(doc));
	json_doc_del(doc);
	return good;
}

static bool finish(struct bench *b)
{
	return record_finish_layers(&outer_record, &b->o, &b->places, "", &b->d);
}

static void assert_error(const struct bench *b, const char *file, int line, int column,
			 const char *path, const char *message)
{
	if (strcmp(b->d.file, file) != 0 || b->d.line != line || b->d.column != column ||
	    strcmp(b->d.path, path) != 0 || !strstr(b->d.message, message))
		fail_msg("%s:%d:%d: %s: %s", b->d.file, b->d.line, b->d.column, b->d.path,
			 b->d.message);
}

static void test_defaults(void **state)
{
	struct bench *b = *state;

	assert_string_equal(b->o.name, "none");
	assert_null(b->o.trace);
	assert_true(b->o.seqs == RECORD_INT_UNSET);
	assert_int_equal(b->o.seed, 1);
	assert_true(fabs(b->o.layer.value - 33e-6) < 1e-18);
	assert_int_equal(b->o.layer.origin, ORIGIN_ASSUMED);
	assert_true(isnan(b->o.link.at2.value));
	assert_int_equal(b->o.shape.dist, -1);
	assert_true(b->o.inner.wait == 2 * 1e-3);
	assert_true(b->o.inner.fast);
	assert_int_equal(b->o.tags.count, 0);
}

static void test_values_of_each_kind(void **state)
{
	struct bench *b = *state;

	assert_true(layer(
		b, "{\"name\": \"n\", \"seqs\": 256, \"wait_ms\": 5, \"fast\": false,"
		   " \"tags\": \"one\", \"rates\": [1, 2.5], \"cards\": [\"a\", {\"name\": \"b\"}],"
		   " \"given\": {\"x\": [1, null]}, \"shape\": {\"dist\": \"uniform\", \"low\": 1,"
		   " \"quantiles\": [[0, 1], [1, 9]]}, \"ttft_ms\": {\"p99.9\": 200}}"));
	assert_true(finish(b));
	assert_string_equal(b->o.name, "n");
	assert_int_equal(b->o.seqs, 256);
	assert_true(b->o.inner.wait == 5 * 1e-3);
	assert_false(b->o.inner.fast);
	assert_string_equal(((char **)b->o.tags.data)[0], "one");
	assert_true(((double *)b->o.rates.data)[1] == 2.5);
	assert_string_equal(((struct card *)b->o.cards.data)[1].name, "b");
	assert_non_null(strstr(b->o.given, "null"));
	assert_true(((double(*)[2])b->o.shape.quantiles.data)[1][1] == 9);
	assert_true(b->o.limits.p999 == 200 * 1e-3);
}

static void test_objects_merge_and_values_replace(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"layer_us\": {\"value\": 20, \"sigma\": 2, \"origin\": \"fitted\","
			     " \"source\": \"s\"}, \"rates\": [1, 2, 3], \"name\": \"n\"}"));
	assert_true(layer(b, "{\"layer_us\": {\"sigma\": 5}, \"rates\": [4]}"));
	assert_true(b->o.layer.value == 20 * 1e-6);
	assert_true(b->o.layer.sigma == 5 * 1e-6);
	assert_int_equal(b->o.layer.origin, ORIGIN_FITTED);
	assert_int_equal(b->o.rates.count, 1);
	assert_string_equal(b->o.name, "n");
	assert_true(layer(b, "{\"layer_us\": 7}"));
	assert_true(b->o.layer.value == 7 * 1e-6);
	assert_int_equal(b->o.layer.origin, ORIGIN_GIVEN);
	assert_true(isnan(b->o.layer.sigma));
	assert_null(b->o.layer.source);
	assert_true(layer(b, "{\"layer_us\": \"auto\"}"));
	assert_true(isnan(b->o.layer.value));
}

static void test_new_tag_drops_earlier_keys(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": {\"dist\": \"gamma\", \"cv\": 2, \"low\": 3}}"));
	assert_true(layer(b, "{\"shape\": {\"dist\": \"uniform\"}}"));
	assert_true(isnan(b->o.shape.cv));
	assert_true(b->o.shape.low == 3);
	assert_true(finish(b));
	assert_true(layer(b, "{\"shape\": 5}"));
	assert_int_equal(b->o.shape.dist, SHAPE_CONSTANT);
	assert_true(isnan(b->o.shape.low));
	assert_true(finish(b));
	assert_true(set(b, "shape.dist", "\"gamma\""));
	assert_true(isnan(b->o.shape.value));
	assert_true(finish(b));
}

static void test_key_that_does_not_apply(void **state)
{
	struct bench *b = *state;

	assert_false(layer(b, "{\"shape\": {\"cv\": 2, \"dist\": \"uniform\"}}"));
	assert_error(b, "L1", 1, 18, "shape.cv", "cv does not apply to dist \"uniform\"");
	assert_string_equal(b->d.allowed, "dist, low, high, quantiles");
}

static void test_later_key_that_does_not_apply(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": {\"dist\": \"uniform\"}}"));
	assert_true(layer(b, "{\"seed\": 3,\n \"shape\": {\"cv\": 2}}"));
	assert_false(finish(b));
	assert_error(b, "L2", 2, 18, "shape.cv", "does not apply");
}

static void test_later_tag_rescues_key(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": {\"dist\": \"uniform\"}}"));
	assert_true(set(b, "shape.cv", "2"));
	assert_true(set(b, "shape.dist", "\"gamma\""));
	assert_true(finish(b));
	assert_true(b->o.shape.cv == 2);
}

struct bad {
	const char *text;
	int column;
	const char *path, *message, *found, *allowed, *nearest;
};

static const struct bad bad[] = {
	{"{\"seq\": 1}", 9, "seq", "unknown key \"seq\"", "seq", "name, trace", "seqs"},
	{"{\"Seqs\": 1}", 10, "Seqs", "unknown key", "Seqs", "name, trace", "seqs"},
	{"{\"shape\": {\"dits\": 1}}", 20, "shape.dits", "unknown key", "dits", "dist, value",
	 "dist"},
	{"{\"seqs\": \"many\"}", 10, "seqs", "whole number or \"auto\"", "\"many\"", "", ""},
	{"{\"seqs\": 1.5}", 10, "seqs", "whole number", "1.5", "", ""},
	{"{\"seqs\": 0}", 10, "seqs", "between 1 and 4096", "0", "between 1 and 4096", ""},
	{"{\"seed\": 9007199254740993}", 10, "seed", "2^53", "9007199254740992", "", ""},
	{"{\"name\": 7}", 10, "name", "must be a text", "7", "", ""},
	{"{\"fast\": 1}", 10, "fast", "true or false", "1", "", ""},
	{"{\"rates\": [1, -1]}", 15, "rates[1]", "between 0 and 9", "-1", "", ""},
	{"{\"rates\": [1, \"x\"]}", 15, "rates[1]", "must be a number", "\"x\"", "", ""},
	{"{\"cards\": [{\"nam\": 1}]}", 20, "cards[0].nam", "unknown key", "nam", "name", "name"},
	{"{\"layer_us\": 1e5}", 14, "layer_us", "between 0 and 10000", "100000", "", ""},
	{"{\"layer_us\": {\"value\": 1e5}}", 24, "layer_us.value", "between 0 and 10000", "100000",
	 "", ""},
	{"{\"layer_us\": {\"sigma\": -1}}", 24, "layer_us.sigma", "at least 0", "-1", "", ""},
	{"{\"layer_us\": {\"origin\": \"guess\"}}", 25, "layer_us.origin",
	 "unknown origin \"guess\"", "guess", "given, datasheet", ""},
	{"{\"layer_us\": [1]}", 14, "layer_us", "must be a number", "a list", "", ""},
	{"{\"link_gbs\": 5}", 14, "link_gbs", "must be an object", "5", "", ""},
	{"{\"name\": null}", 10, "name", "null is not a value", "null", "", ""},
	{"{\"shape\": null}", 11, "shape", "null is not a value", "null", "", ""},
	{"{\"shape\": {\"dist\": \"unifrom\"}}", 20, "shape.dist", "unknown dist", "unifrom",
	 "constant, uniform, gamma", "uniform"},
	{"{\"shape\": {\"dist\": \"cauchy\"}}", 20, "shape.dist",
	 "\"cauchy\" is not in this version", "", "", ""},
	{"{\"shape\": {\"dist\": \"gamma\", \"cv\": 0}}", 35, "shape.cv", "above 0 and at most 10",
	 "0", "", ""},
	{"{\"pools\": []}", 11, "pools", "pools is not in this version", "", "", ""},
	{"[]", 1, "", "must be an object", "a list", "", ""},
	{"{\"trace\": \"\"}", 11, "trace", "name of a file", "\"\"", "", ""},
	{"{\"shape\": {\"dist\": \"gamma\", \"quantiles\": [[1, 2, 3]]}}", 43, "shape.quantiles[0]",
	 "pair of numbers", "a list", "", ""},
};

static void test_bad_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const struct bad *x = &bad[i];
		void *inner_state;
		struct bench *b;

		setup(&inner_state);
		b = inner_state;
		assert_false(layer(b, x->text));
		assert_error(b, "L1", 1, x->column, x->path, x->message);
		if (x->found[0])
			assert_string_equal(b->d.found, x->found);
		assert_int_equal(strncmp(b->d.allowed, x->allowed, strlen(x->allowed)), 0);
		assert_string_equal(b->d.nearest, x->nearest);
		teardown(&inner_state);
	}
}

static void test_missing_key_points_at_its_object(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"seed\": 3,\n  \"shape\": {\"dist\": \"constant\"}}"));
	assert_false(finish(b));
	assert_error(b, "L1", 2, 12, "shape.value", "value is required");
}

static void test_missing_in_list(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": 1, \"cards\": [\"a\", {}]}"));
	assert_false(finish(b));
	assert_error(b, "L1", 1, 29, "cards[1].name", "name is required");
}

static void test_check_is_located(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": {\"dist\": \"uniform\",\n\"low\": 1, \"high\": 2}}"));
	assert_true(set(b, "shape.low", "7"));
	assert_false(finish(b));
	assert_error(b, "--set", 1, 1, "shape.low", "low is above high");
}

static void test_set(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"shape\": 1, \"cards\": [\"a\", \"b\"], \"layer_us\": 3}"));
	assert_true(set(b, "ttft_ms.p99.9", "50"));
	assert_true(set(b, "ttft_ms.p99", "40"));
	assert_true(set(b, "cards[1].name", "\"c\""));
	assert_true(set(b, "cards[0]", "\"d\""));
	assert_true(set(b, "wait_ms", "9"));
	assert_true(set(b, "layer_us.sigma", "2"));
	assert_true(b->o.limits.p999 == 50 * 1e-3);
	assert_true(b->o.limits.p99 == 40 * 1e-3);
	assert_string_equal(((struct card *)b->o.cards.data)[1].name, "c");
	assert_string_equal(((struct card *)b->o.cards.data)[0].name, "d");
	assert_true(b->o.inner.wait == 9 * 1e-3);
	assert_true(b->o.layer.value == 3 * 1e-6);
	assert_true(b->o.layer.sigma == 2 * 1e-6);
	assert_true(set(b, "layer_us", "null"));
	assert_true(fabs(b->o.layer.value - 33e-6) < 1e-18);
	assert_true(set(b, "shape", "{\"value\": 3}"));
	assert_true(finish(b));
}

static void assert_bad_set(struct bench *b, const char *path, const char *text, const char *message)
{
	diag_init(&b->d);
	assert_false(set(b, path, text));
	assert_string_equal(b->d.path, path);
	assert_string_equal(b->d.file, "--set");
	if (!strstr(b->d.message, message))
		fail_msg("%s: %s", path, b->d.message);
}

static void test_bad_sets(void **state)
{
	struct bench *b = *state;

	assert_true(layer(b, "{\"cards\": [\"a\"]}"));
	assert_bad_set(b, "shap.cv", "1", "unknown key \"shap\"");
	assert_bad_set(b, "shape.cb", "1", "unknown key \"cb\"");
	assert_string_equal(b->d.nearest, "cv");
	assert_bad_set(b, "cards[1].name", "1", "1 elements");
	assert_bad_set(b, "cards[-1].name", "1", "no [-1]");
	assert_bad_set(b, "cards[x].name", "1", "index is written");
	assert_bad_set(b, "rates[0]", "1", "one by one");
	assert_bad_set(b, "seed.x", "1", "no keys inside");
	assert_bad_set(b, "cards.name", "1", "no keys inside");
	assert_bad_set(b, "pools", "1", "not in this version");
	assert_bad_set(b, "seqs", "\"most\"", "whole number");
}

static void test_find(void **state)
{
	struct bench *b = *state;
	void *object = &b->o;
	const struct field *f = record_find(&outer_record, &object, "ttft_ms.p99.9", &b->d);

	assert_string_equal(f->key, "p99.9");
	assert_ptr_equal(object, &b->o.limits);
	object = &b->o;
	assert_null(record_find(&outer_record, &object, "nothing", &b->d));
	assert_string_equal(b->d.path, "nothing");
}

static void test_number(void **state)
{
	struct bench *b = *state;

	b->o.inner.wait = 0.25;
	assert_true(record_number(&outer_record, &b->o, "wait_ms") == 250);
	assert_true(record_number(&outer_record, &b->o, "seed") == 1);
	assert_true(isnan(record_number(&outer_record, &b->o, "seqs")));
	assert_true(isnan(record_number(&outer_record, &b->o, "ttft_ms.p99.9")));
}

static void test_extra_keys_and_prefix(void **state)
{
	struct bench *b = *state;
	struct json_doc *doc =
		json_doc_parse("x", "{\"base\": \"y\", \"seed\": 4, \"bse\": 1}", &b->d);
	static const char *const extra[] = {"base", NULL};
	const struct record_reader in = {
		.doc = doc, .prefix = "gpus[0]", .extra_keys = extra, .d = &b->d};

	assert_false(record_read_layer(&in, &outer_record, &b->o, json_doc_root(doc)));
	assert_int_equal(b->o.seed, 4);
	assert_string_equal(b->d.path, "gpus[0].bse");
	assert_string_equal(b->d.nearest, "base");
	json_doc_del(doc);
}

static void assert_json(const struct record *r, const void *object, const char *wanted)
{
	cJSON *json = record_to_json(r, object);
	char *text = cJSON_PrintUnformatted(json);

	assert_string_equal(text, wanted);
	free(text);
	cJSON_Delete(json);
}

static void test_to_json(void **state)
{
	struct bench *b = *state;

	assert_true(layer(
		b, "{\"shape\": {\"dist\": \"gamma\", \"cv\": 2}, \"link_gbs\": {\"2\": 20, "
		   "\"8\": {\"value\": 3, \"origin\": \"fitted\"}}, \"layer_us\": 33,"
		   " \"ttft_ms\": {\"p99\": 2000}, \"given\": {\"a\": 1}, \"cards\": \"l4\"}"));
	assert_json(
		&outer_record, &b->o,
		"{\"name\":\"none\",\"trace\":null,\"given\":{\"a\":1},\"seqs\":\"auto\",\"seed\":"
		"1,"
		"\"layer_us\":33,\"link_gbs\":{\"2\":20,\"4\":null,\"8\":{\"value\":3,\"sigma\":0."
		"3,"
		"\"origin\":\"fitted\"}},\"shape\":{\"dist\":\"gamma\",\"low\":null,\"high\":null,"
		"\"cv\":2,\"quantiles\":[]},\"wait_ms\":2,\"fast\":true,\"ttft_ms\":{\"p99.9\":"
		"null,"
		"\"p99\":2000},\"tags\":[],\"rates\":[],\"cards\":[{\"name\":\"l4\"}]}");
}

static void test_read_without_places(void **state)
{
	struct bench *b = *state;
	struct json_doc *doc = json_doc_parse("x", "{\"shape\": {\"cv\": 1}}", &b->d);

	assert_true(record_read(&outer_record, &b->o, doc, json_doc_root(doc), "top", ORIGIN_GIVEN,
				&b->d));
	b->o.shape.dist = SHAPE_UNIFORM;
	assert_false(record_finish(&outer_record, &b->o, "top", &b->d));
	assert_string_equal(b->d.path, "top.shape.cv");
	json_doc_del(doc);
}

static void test_file_values(void **state)
{
	(void)state;
	for (int i = 1; i < 2000; i++) {
		assert_true(record_file_value(i * 1e-6, 1e-6) == i);
		assert_true(record_file_value(i / 10.0 * 1e-3, 1e-3) == i / 10.0);
	}
}

static void test_figures(void **state)
{
	struct figure f = {.value = 10, .sigma = (double)NAN, .origin = ORIGIN_ASSUMED};
	struct figure_tp t = {
		.at2.value = (double)NAN, .at4.value = (double)NAN, .at8.value = (double)NAN};

	(void)state;
	assert_true(figure_sigma(&f) == 0.3 * 10);
	f.origin = ORIGIN_MEASURED;
	assert_true(figure_sigma(&f) == 0.1 * 10);
	f.origin = ORIGIN_DATASHEET;
	assert_true(figure_sigma(&f) == 0);
	f.sigma = 4;
	assert_true(figure_sigma(&f) == 4);
	assert_true(isnan(figure_by_tp(&t, 2)));
	t.at2.value = 20;
	t.at8.value = 2;
	assert_true(figure_by_tp(&t, 2) == 20);
	assert_true(figure_by_tp(&t, 5) == 11);
	assert_true(figure_by_tp(&t, 16) == 2);
	t.at4.value = 6;
	assert_true(figure_by_tp(&t, 3) == 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)
		WITH(test_defaults),
		WITH(test_values_of_each_kind),
		WITH(test_objects_merge_and_values_replace),
		WITH(test_new_tag_drops_earlier_keys),
		WITH(test_key_that_does_not_apply),
		WITH(test_later_key_that_does_not_apply),
		WITH(test_later_tag_rescues_key),
		cmocka_unit_test(test_bad_values),
		WITH(test_missing_key_points_at_its_object),
		WITH(test_missing_in_list),
		WITH(test_check_is_located),
		WITH(test_set),
		WITH(test_bad_sets),
		WITH(test_find),
		WITH(test_number),
		WITH(test_extra_keys_and_prefix),
		WITH(test_to_json),
		WITH(test_read_without_places),
		cmocka_unit_test(test_file_values),
		cmocka_unit_test(test_figures)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
