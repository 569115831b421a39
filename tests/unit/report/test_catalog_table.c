/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/catalog_table.h"

static const struct field fields[] = {
	{.key = "id", .kind = FIELD_TEXT},
	{.key = "speed_kmh", .kind = FIELD_REAL, .help = "how fast [km/h]"},
};
static const struct record record = {.name = "bird", .fields = 2, .field = fields};

/* What is printed of an entry; release with free(). */
static char *printed(const char *json)
{
	cJSON *entry = cJSON_Parse(json);
	char *text;
	size_t size;

	assert_non_null(entry);
	FILE *memory = open_memstream(&text, &size);
	catalog_table_print(&record, entry, memory);
	fclose(memory);
	cJSON_Delete(entry);
	return text;
}

static void an_entry_is_printed_whole(void **state)
{
	char *text = printed(
		"{\"id\": \"swift\", \"swims\": false, \"weight\": null, \"speed_kmh\": "
		"{\"value\": 111.6, "
		"\"sigma\": 5, \"origin\": \"measured\", \"source\": \"radar\"}, \"beats\": "
		"{\"slow\": "
		"{\"value\": 4, \"sigma\": 0, \"origin\": \"datasheet\"}}, \"given\": {\"range\": "
		"[10, 17], "
		"\"wing\": {\"cm\": 17}}, \"notes\": [\"sleeps in the air\"], \"aliases\": []}");

	(void)state;
	assert_string_equal(text,
			    "  id                         swift\n"
			    "  swims                      no\n"
			    "\n"
			    "figure      value  sigma  unit  origin     source\n"
			    "speed_kmh   111.6      5  km/h  measured   radar\n"
			    "beats.slow      4      0        datasheet  see the sources below\n"
			    "\n"
			    "given by the source\n"
			    "  range              [10, 17]\n"
			    "  wing               cm 17\n"
			    "\n"
			    "notes\n"
			    "  - sleeps in the air\n");
	free(text);
}

static void long_sources_go_on_below(void **state)
{
	char *text = printed(
		"{\"speed_kmh\": {\"value\": 1, \"sigma\": 1, \"origin\": \"fitted\", \"source\": "
		"\"a radar that stood in a field for nine weeks of summer, once turned\"}}");

	(void)state;
	assert_string_equal(text, "\n"
				  "figure     value  sigma  unit  origin  source\n"
				  "speed_kmh      1      1  km/h  fitted  a radar that stood in a "
				  "field for nine weeks of summer,\n"
				  "                                       once turned\n");
	free(text);
}

static void words_are_not_broken(void **state)
{
	static const char words[] =
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
	char *text;
	size_t size;

	(void)state;
	FILE *memory = open_memstream(&text, &size);
	catalog_table_wrap(words, 60, memory);
	catalog_table_wrap("a-word-that-is-longer-than-the-line-has-room-for", 60, memory);
	catalog_table_wrap("", 60, memory);
	fclose(memory);
	assert_string_equal(text,
			    "one two three four five six seven eight\n"
			    "                                                            nine ten "
			    "eleven twelve thirteen fourteen\n"
			    "a-word-that-is-longer-than-the-line-has-room-for\n"
			    "\n");
	free(text);
}

static void numbers_have_the_digits_of_the_file(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{72, "72"},
		     {23.6545, "23.6545"},
		     {0.805, "0.805"},
		     {8030261248, "8,030,261,248"},
		     {NAN, "-"},
		     {0, "0"},
		     {1e-5, "1e-05"},
		     {-3.5, "-3.5"},
		     {0.123456789, "0.123457"}};
	struct table t;

	(void)state;
	table_init(&t, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		catalog_table_number(&t, cases[i].value);
		assert_string_equal(t.cell[i].text, cases[i].text);
	}
	table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_printed_whole),
		cmocka_unit_test(long_sources_go_on_below),
		cmocka_unit_test(words_are_not_broken),
		cmocka_unit_test(numbers_have_the_digits_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
