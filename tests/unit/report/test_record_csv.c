/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/count.h"
#include "report/record_csv.h"

struct inner {
	double pair[2];
	int64_t n;
};
static const struct field inner_fields[] = {
	{.key = "pair",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct inner, pair),
	 .count = 2,
	 .scale = 1e-3},
	{.key = "n", .kind = FIELD_INT, .offset = offsetof(struct inner, n)},
};
static const struct record inner_record = {.name = "inner",
					   .size = sizeof(struct inner),
					   .fields = COUNT(inner_fields),
					   .field = inner_fields};

struct outer {
	char *name;
	struct inner *at;
	bool last;
};
static const struct field outer_fields[] = {
	{.key = "name", .kind = FIELD_TEXT, .offset = offsetof(struct outer, name)},
	{.key = "at",
	 .kind = FIELD_RECORD,
	 .flags = FIELD_POINTER,
	 .offset = offsetof(struct outer, at),
	 .of = &inner_record},
	{.key = "last", .kind = FIELD_BOOL, .offset = offsetof(struct outer, last)},
};
static const struct record outer_record = {.name = "outer",
					   .size = sizeof(struct outer),
					   .fields = COUNT(outer_fields),
					   .field = outer_fields};

/* Heading and a row for each. */
static char *csv(const struct outer *o, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	record_csv_heading(&outer_record, to);
	for (size_t i = 0; i < n; i++)
		record_csv_row(&outer_record, &o[i], to);
	fclose(to);
	return text;
}

/* A record that is not there has as many cells as one that is. */
static void a_record_behind_a_pointer(void **state)
{
	(void)state;
	struct inner in = {.pair = {0.5, (double)NAN}, .n = 3};
	char name[] = "a,b";
	struct outer o[] = {{name, &in, true}, {NULL, NULL, false}};
	char *text = csv(o, 2);

	assert_string_equal(text, "name,at.pair[0],at.pair[1],at.n,last\n"
				  "\"a,b\",500,,3,true\n"
				  ",,,,false\n");
	free(text);
}

static void the_same_as_json(void **state)
{
	(void)state;
	struct inner in = {.pair = {0.5, 0.25}, .n = RECORD_INT_UNSET};
	struct outer o;

	record_init(&outer_record, &o);
	assert_null(o.at);
	for (int there = 0; there < 2; there++) {
		o.at = there ? &in : NULL;
		cJSON *json = record_to_json(&outer_record, &o);
		char *text = cJSON_PrintUnformatted(json);
		assert_string_equal(text,
				    there ? "{\"name\":null,\"at\":{\"pair\":[500,250],\"n\":null},"
					    "\"last\":false}"
					  : "{\"name\":null,\"at\":null,\"last\":false}");
		cJSON_free(text);
		cJSON_Delete(json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_behind_a_pointer),
		cmocka_unit_test(the_same_as_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
