/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_doc.h"
#include "base/json_write.h"
#include "base/xmalloc.h"

struct refused {
	const char *text;
	int line, column;
	const char *message;
};

static const struct refused refused[] = {
	{"", 1, 1, "expected a value"},
	{"  \n ", 2, 2, "expected a value"},
	{"{\"a\": 1, \"b\": 2, \"a\": 3}", 1, 23, "twice"},
	{"{\"a\": 1,\n \"\\u0061\": 3}", 2, 12, "twice"},
	{"{\"a\": 01}", 1, 7, "start with 0"},
	{"[-01]", 1, 3, "start with 0"},
	{"[1.]", 1, 4, "after the point"},
	{"[.5]", 1, 2, "expected a value"},
	{"[+1]", 1, 2, "expected a value"},
	{"[1e]", 1, 4, "exponent"},
	{"[1e400]", 1, 2, "too large"},
	{"[-1e999]", 1, 2, "too large"},
	{"[NaN]", 1, 2, "expected a value"},
	{"[Infinity]", 1, 2, "expected a value"},
	{"[nulls]", 1, 2, "expected a value"},
	{"\xef\xbb\xbf{}", 1, 1, "byte order mark"},
	{"[\"\\u0000\"]", 1, 3, "\\u0000"},
	{"[\"\\ud800\"]", 1, 3, "surrogate"},
	{"[\"\\ude00\"]", 1, 3, "surrogate"},
	{"[\"\\u12g4\"]", 1, 3, "hexadecimal"},
	{"[\"\\x41\"]", 1, 3, "escape"},
	{"[\"a\nb\"]", 1, 4, "closing quote"},
	{"[\"a\tb\"]", 1, 4, "control"},
	{"[\"abc", 1, 6, "closing quote"},
	{"[\"\xff\"]", 1, 3, "UTF-8"},
	{"[\"\xc0\xaf\"]", 1, 3, "UTF-8"},
	{"[\"\xed\xa0\x80\"]", 1, 3, "UTF-8"},
	{"{// no\n}", 1, 2, "comments"},
	{"{/* no */}", 1, 2, "comments"},
	{"{\"a\": 1,}", 1, 9, "comma before }"},
	{"[1,]", 1, 4, "comma before ]"},
	{"[1,,2]", 1, 4, "expected a value"},
	{"[1 2]", 1, 4, "expected , or ]"},
	{"{\"a\" 1}", 1, 6, "colon"},
	{"{a: 1}", 1, 2, "key in quotes"},
	{"{'a': 1}", 1, 2, "key in quotes"},
	{"{\"a\": 1", 1, 8, "expected , or }"},
	{"{} {}", 1, 4, "more text"},
	{"{}x", 1, 3, "more text"},
	/* columns count characters: the umlauts are two bytes each */
	{"{\"\xc3\xa4\xc3\xb6\": tru}", 1, 8, "expected a value"},
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const struct refused *r = &refused[i];
		struct diag d = {0};
		struct json_doc *doc = json_doc_parse("case", r->text, &d);

		if (doc || !strstr(d.message, r->message) || d.line != r->line ||
		    d.column != r->column)
			fail_msg("%s: %d:%d: %s", r->text, d.line, d.column, d.message);
		assert_string_equal(d.file, "case");
	}
}

static char *repeated(char c, int n)
{
	char *text = xcalloc((size_t)n + 1, 1);

	memset(text, c, (size_t)n);
	return text;
}

static void test_depth(void **state)
{
	char *open = repeated('[', 64), *close = repeated(']', 64);
	char *good = xasprintf("%s%s", open, close), *deep = xasprintf("[%s]", good);
	struct diag d = {0};
	struct json_doc *doc = json_doc_parse("deep", good, &d);

	(void)state;
	assert_non_null(doc);
	json_doc_del(doc);
	assert_null(json_doc_parse("deep", deep, &d));
	assert_int_equal(d.column, 65);
	free(open);
	free(close);
	free(good);
	free(deep);
}

static void test_accepted(void **state)
{
	struct diag d = {0};
	struct json_doc *doc = json_doc_parse(
		"good",
		" {\"a\" : [1, -0.5, 1e3, 0, true, null], \"\\ud83d\\ude00\": \"\\u00e4\"}\n", &d);
	const cJSON *a;

	(void)state;
	assert_non_null(doc);
	a = cJSON_GetObjectItemCaseSensitive(json_doc_root(doc), "a");
	assert_true(cJSON_GetArrayItem(a, 2)->valuedouble == 1000);
	assert_false(d.set);
	json_doc_del(doc);
}

static void assert_place(const struct json_doc *doc, const cJSON *item, int line, int column)
{
	struct diag d = {0};

	json_doc_locate(doc, item, &d);
	assert_int_equal(d.line, line);
	assert_int_equal(d.column, column);
}

static void test_places(void **state)
{
	struct diag d = {0};
	struct json_doc *doc =
		json_doc_parse("p", "{\n  \"\xc3\xa4\": [1,\n\t {\"b\": \"x\"}],\n \"c\": 7}", &d);
	const cJSON *root = json_doc_root(doc), *list = root->child, *inner = list->child->next;
	cJSON *copy = cJSON_Duplicate(inner, 1);

	(void)state;
	assert_place(doc, root, 1, 1);
	assert_place(doc, list, 2, 8);
	assert_place(doc, list->child, 2, 9);
	assert_place(doc, inner, 3, 3);
	assert_place(doc, inner->child, 3, 9);
	assert_place(doc, copy->child, 3, 9);
	assert_place(doc, list->next, 4, 7);
	cJSON_Delete(copy);
	json_doc_del(doc);
}

static void test_files(void **state)
{
	char name[] = "/tmp/infercap_json_XXXXXX";
	int file = mkstemp(name);
	struct diag d = {0};
	struct json_doc *doc;

	(void)state;
	assert_int_equal(write(file, "{\"a\": 1}", 8), 8);
	close(file);
	doc = json_doc_read(name, &d);
	assert_non_null(doc);
	assert_string_equal(json_doc_folder(doc), "/tmp");
	json_doc_del(doc);
	unlink(name);
	assert_null(json_doc_read(name, &d));
	assert_string_equal(d.file, name);
	diag_init(&d);
	assert_null(json_doc_read("/tmp", &d));
	assert_non_null(strstr(d.message, "cannot be read"));
}

static void test_blame(void **state)
{
	struct diag d = {0};
	struct json_doc *doc = json_doc_parse("d", "[1.5, \"x\", {}, [], null, false]", &d);
	static const char *const words[] = {"1.5", "\"x\"", "an object", "a list", "null", "false"};

	(void)state;
	for (int i = 0; i < 6; i++) {
		diag_init(&d);
		assert_false(
			json_doc_blame(doc, cJSON_GetArrayItem(json_doc_root(doc), i), "list", &d));
		assert_string_equal(d.found, words[i]);
	}
	assert_string_equal(d.path, "list");
	assert_int_equal(d.column, 26);
	json_doc_del(doc);
}

static void test_members(void **state)
{
	struct diag d = {0};
	struct json_doc *doc = json_doc_parse("d", "{\"a\": 0, \"b\": null}", &d);

	(void)state;
	assert_non_null(json_doc_member(json_doc_root(doc), "a"));
	assert_null(json_doc_member(json_doc_root(doc), "b"));
	assert_null(json_doc_member(json_doc_root(doc), "c"));
	assert_null(json_doc_member(NULL, "a"));
	json_doc_del(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),	 cmocka_unit_test(test_depth),
		cmocka_unit_test(test_accepted), cmocka_unit_test(test_places),
		cmocka_unit_test(test_files),	 cmocka_unit_test(test_blame),
		cmocka_unit_test(test_members)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
