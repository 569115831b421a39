/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenario/measured_rules.h"
#include "unit/scenario/measured_file.h"

#define TABLE                                                                                      \
	"source,gpu,traffic.arrivals.rate,=latency.ttft_ms.p50,=latency.ttft_ms.p99,"              \
	"=latency.tpot_ms.p50,fact.errors\n"                                                       \
	"x,l4,4,1,2,3,0\n"                                                                         \
	"x,l4,32,1,2,3,\n"                                                                         \
	"x,h100,64,1,2,3,5\n"
#define RULE(where)                                                                                \
	"{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"t\"], \"where\": [" where   \
	"]}]}"

struct read {
	char *folder;
	struct measured_table table;
	struct measured_rules rules;
};

static void read_both(struct read *r, const char *rules)
{
	struct diag d;

	diag_init(&d);
	r->folder = measured_folder();
	if (!measured_read(&r->table, measured_file(r->folder, "t.csv", TABLE), &d) ||
	    !measured_rules_read(&r->rules, measured_file(r->folder, "rules.json", rules), &d))
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
}

static void free_both(struct read *r)
{
	measured_rules_free(&r->rules);
	measured_free(&r->table);
	measured_folder_drop(r->folder);
}

/* Which rows a rule takes out, bit by bit. */
static int rows_out(const char *rules)
{
	struct read r;
	int out = 0;

	read_both(&r, rules);
	for (size_t i = 0; i < r.table.rows; i++)
		if (measured_rules_row(&r.rules, &r.table, &r.table.row[i]))
			out |= 1 << i;
	free_both(&r);
	return out;
}

static void conditions(void **state)
{
	static const struct {
		const char *rules;
		int out;
	} cases[] = {
		{RULE(""), 7},
		{RULE("{\"column\": \"gpu\", \"equals\": \"l4\"}"), 3},
		{RULE("{\"column\": \"traffic.arrivals.rate\", \"equals\": 32.0}"), 2},
		{RULE("{\"column\": \"gpu\", \"one_of\": [\"h100\", \"a100\"]}"), 4},
		{RULE("{\"column\": \"traffic.arrivals.rate\", \"above\": 32}"), 4},
		{RULE("{\"column\": \"traffic.arrivals.rate\", \"below\": 32}"), 1},
		{RULE("{\"column\": \"traffic.arrivals.rate\", \"above\": 4, \"below\": 64}"), 2},
		{RULE("{\"column\": \"fact.errors\", \"absent\": true}"), 2},
		{RULE("{\"column\": \"fact.other\", \"absent\": true}"), 7},
		{RULE("{\"column\": \"fact.other\", \"above\": 0}"), 0},
		{RULE("{\"column\": \"fact.errors\", \"above\": -1}"), 5},
		{RULE("{\"column\": \"gpu\", \"above\": 0}"), 0},
		{RULE("{\"column\": \"gpu\", \"equals\": \"l4\"}, "
		      "{\"column\": \"fact.errors\", \"absent\": true}"),
		 2},
		{"{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"u\"]}]}", 0},
		{"{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"*\"]}]}", 7},
		{"{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"*\"], "
		 "\"figures\": [\"=latency.ttft_ms.p50\"]}]}",
		 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (rows_out(cases[i].rules) != cases[i].out)
			fail_msg("%s: %d", cases[i].rules, rows_out(cases[i].rules));
}

static void figures(void **state)
{
	struct read r;

	(void)state;
	read_both(&r, "{\"rules\": [{\"name\": \"first\", \"why\": \"w\", \"tables\": [\"t\"], "
		      "\"where\": [{\"column\": \"gpu\", \"equals\": \"l4\"}], "
		      "\"figures\": [\"=latency.ttft_ms.*\"]}]}");
	const struct measured_row *l4 = &r.table.row[0], *h100 = &r.table.row[2];
	const struct measured_rule *rule =
		measured_rules_figure(&r.rules, &r.table, l4, &l4->figure[1]);

	assert_non_null(rule);
	assert_string_equal(rule->name, "first");
	assert_null(measured_rules_figure(&r.rules, &r.table, l4, &l4->figure[2]));
	assert_null(measured_rules_figure(&r.rules, &r.table, h100, &h100->figure[1]));
	assert_null(measured_rules_row(&r.rules, &r.table, l4));
	free_both(&r);
}

static void mistakes(void **state)
{
	static const struct {
		const char *rules, *path, *message;
	} cases[] = {
		{"{\"rule\": []}", "rule", "unknown key"},
		{RULE("{\"column\": \"gpu\", \"equal\": 1}"), "rules[0].where[0].equal",
		 "unknown key"},
		{RULE("{\"equals\": 1}"), "rules[0].where[0].column", "is required"},
		{RULE("{\"column\": \"gpu\"}"), "rules[0].where[0].column", "what must hold"},
		{RULE("{\"column\": \"gpu\", \"equals\": [1]}"), "rules[0].where[0].equals",
		 "a text or a number"},
		{RULE("{\"column\": \"gpu\", \"one_of\": []}"), "rules[0].where[0].one_of",
		 "a list of"},
		{RULE("{\"column\": \"gpu\", \"one_of\": [null]}"), "rules[0].where[0].one_of",
		 "a list of"},
		{"{\"rules\": [{\"name\": \"r\", \"tables\": [\"t\"]}]}", "rules[0].why",
		 "is required"},
	};
	char *folder = measured_folder();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct measured_rules r;
		struct diag d;

		diag_init(&d);
		assert_false(measured_rules_read(
			&r, measured_file(folder, "rules.json", cases[i].rules), &d));
		if (strcmp(d.path, cases[i].path) != 0 || !strstr(d.message, cases[i].message) ||
		    d.line != 1 || d.column < 1)
			fail_msg("%s: %d:%d: %s: %s", cases[i].rules, d.line, d.column, d.path,
				 d.message);
	}
	measured_folder_drop(folder);
}

static void a_table_must_be_there(void **state)
{
	struct read r;
	struct diag d;

	(void)state;
	diag_init(&d);
	read_both(&r, "{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"*\", "
		      "\"t\"]}]}");
	assert_true(measured_rules_check(&r.rules, &r.table, 1, &d));
	assert_false(measured_rules_check(&r.rules, NULL, 0, &d));
	assert_string_equal(d.path, "rules[0].tables[1]");
	assert_int_equal(d.line, 1);
	assert_string_equal(d.message, "unknown table \"t\"");
	free_both(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions),
		cmocka_unit_test(figures),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(a_table_must_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
