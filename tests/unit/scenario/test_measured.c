/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "scenario/measured.h"
#include "unit/scenario/measured_file.h"

#define BASE                                                                                       \
	"{\"model\": \"llama-3.1-8b\", \"gpus\": \"h100\", \"traffic\": {\"arrivals\": "           \
	"{\"rate\": 2}, \"input\": 100, \"output\": 10, \"requests\": 50}}"
#define HEADING "source,gpu,traffic.arrivals.rate,=latency.ttft_ms.p50,fact.errors\n"

static bool read_text(struct measured_table *t, const char *folder, const char *text,
		      struct diag *d)
{
	diag_init(d);
	return measured_read(t, measured_file(folder, "t.csv", text), d);
}

static void a_table_is_read(void **state)
{
	char *folder = measured_folder();
	struct measured_table t;
	struct diag d;

	(void)state;
	assert_true(read_text(&t, folder,
			      HEADING "a@1:x.csv,l4,4,31.5,0\n\n\"b, \"\"c\"\"\",,,,2\n", &d));
	assert_string_equal(t.name, "t");
	assert_true(t.fit);
	assert_int_equal(t.columns, 5);
	assert_int_equal(t.column[3].kind, MEASURED_FIGURE);
	assert_int_equal(t.column[4].kind, MEASURED_FACT);
	assert_int_equal(t.rows, 2);
	assert_int_equal(t.row[0].line, 2);
	assert_string_equal(t.row[0].gpu, "l4");
	assert_int_equal(t.row[0].points.count, 1);
	assert_string_equal(((char **)t.row[0].points.data)[0], "traffic.arrivals.rate=4");
	assert_int_equal(t.row[0].figures, 1);
	assert_string_equal(t.row[0].figure[0].path, "latency.ttft_ms.p50");
	assert_near(t.row[0].figure[0].value, 31.5, 0);
	assert_int_equal(t.row[1].line, 4);
	assert_string_equal(t.row[1].source, "b, \"c\"");
	assert_int_equal(t.row[1].points.count, 0);
	assert_int_equal(t.row[1].figures, 0);
	assert_string_equal(measured_cell(&t, &t.row[1], "fact.errors"), "2");
	assert_null(measured_cell(&t, &t.row[1], "fact.version"));
	measured_free(&t);
	measured_folder_drop(folder);
}

/* What is wrong, in which line and column. */
static void mistakes_are_placed(void **state)
{
	static const struct {
		const char *text, *message;
		int line, column;
	} cases[] = {
		{"", "is empty", 0, 1},
		{"gpu,=latency.ttft_ms.p50\nl4,1\n", "a column \"source\"", 1, 1},
		{"source,gpu\nx,l4\n", "no column is a measured figure", 1, 1},
		{HEADING, "has no row", 1, 1},
		{"source,,=a\n", "a column needs a heading", 1, 8},
		{"source,=,=a\n", "a column needs a heading", 1, 8},
		{"source,=a,=a\n", "two columns have this heading", 1, 11},
		{HEADING "x,l4,2\n", "the row has 3 cells, the heading 5", 2, 1},
		{HEADING ",l4,2,3,4\n", "names its source", 2, 1},
		{HEADING "\xc3\xa4\"b,l4,2,3,4\nx,l4,2,fast,4\n", "a number above 0", 3, 8},
		{HEADING "\xc3\xa4,l4,2,0,4\n", "a number above 0", 2, 8},
		{HEADING "x,l4,2,-1,4\n", "a number above 0", 2, 8},
		{HEADING "x,l4,2,inf,4\n", "a number above 0", 2, 8},
	};
	char *folder = measured_folder();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct measured_table t;
		struct diag d;

		assert_false(read_text(&t, folder, cases[i].text, &d));
		if (!strstr(d.message, cases[i].message) || d.line != cases[i].line ||
		    d.column != cases[i].column)
			fail_msg("%s: %d:%d: %s", cases[i].text, d.line, d.column, d.message);
		assert_non_null(strstr(d.file, "/fit/t.csv"));
	}
	measured_folder_drop(folder);
}

/* ---- scenarios ---- */

static struct scenario *scenario_of(const char *csv, char *folder, struct diag *d)
{
	struct measured_table t;
	struct scenario_source from;
	struct scenario *s;
	struct scenario_options o = {.data_dir = ".", .seed = RECORD_INT_UNSET};

	if (!read_text(&t, folder, csv, d))
		return NULL;
	o.file = measured_file(folder, "t.json", BASE);
	assert_true(scenario_source_open(&from, &o, d));
	s = measured_scenario(&t, &t.row[0], &from, &o, d);
	scenario_source_close(&from);
	measured_free(&t);
	return s;
}

static void a_row_is_a_layer(void **state)
{
	char *folder = measured_folder();
	struct diag d;
	struct scenario *s;

	(void)state;
	s = scenario_of("source,gpu,traffic.arrivals.rate,engine,=a\n"
			"x,l4,7,\"{\"\"base\"\": \"\"vllm\"\", \"\"max_num_seqs\"\": 3}\",1\n",
			folder, &d);
	if (!s)
		fail_msg("%s:%d:%d: %s", d.file, d.line, d.column, d.message);
	assert_int_equal(s->candidates, 1);
	assert_string_equal(s->candidate[0].gpu.id, "l4-24gb");
	assert_near(s->traffic.arrivals.rate, 7, 0);
	assert_int_equal(s->engine.scheduling.max_num_seqs, 3);
	assert_int_equal(s->traffic.requests, 50);
	scenario_del(s);
	s = scenario_of("source,gpu,traffic.arrivals.rate,=a\nx,,,1\n", folder, &d);
	assert_non_null(s);
	assert_string_equal(s->candidate[0].gpu.id, "h100-sxm-80gb");
	scenario_del(s);
	measured_folder_drop(folder);
}

/* Relative to the table, not to the folder that one works in. */
static void files_stand_beside_the_table(void **state)
{
	char *folder = measured_folder();
	struct diag d;
	struct scenario *s;

	(void)state;
	measured_file(folder, "trace.csv",
		      "arrived_at,num_prefill_tokens,num_decode_tokens\n0,10,2\n1,20,3\n");
	s = scenario_of("source,traffic.trace,=a\nx,trace.csv,1\n", folder, &d);
	if (!s)
		fail_msg("%s:%d:%d: %s", d.file, d.line, d.column, d.message);
	assert_int_equal(s->facts.requests, 2);
	scenario_del(s);
	measured_folder_drop(folder);
}

static void a_wrong_cell_is_placed(void **state)
{
	static const struct {
		const char *csv, *message;
		int column;
	} cases[] = {
		{"source,gpu,traffic.arrivals.rate,=a\nx,l4,-1,1\n", "must be above 0", 6},
		{"source,gpu,traffic.arrivals.rat,=a\nx,l4,1,1\n", "unknown key \"rat\"", 6},
		{"source,gpu,=a\nx,l5,1\n", "unknown GPU", 3},
		{"source,model,=a\nx,\"{\"\"hidden\"\": 1}\",1\n", "unknown key", 3},
	};
	char *folder = measured_folder();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d;

		assert_null(scenario_of(cases[i].csv, folder, &d));
		if (!strstr(d.message, cases[i].message) || d.line != 2 ||
		    d.column != cases[i].column || !strstr(d.file, "/fit/t.csv"))
			fail_msg("%s: %s:%d:%d: %s", cases[i].csv, d.file, d.line, d.column,
				 d.message);
	}
	measured_folder_drop(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_read),
		cmocka_unit_test(mistakes_are_placed),
		cmocka_unit_test(a_row_is_a_layer),
		cmocka_unit_test(files_stand_beside_the_table),
		cmocka_unit_test(a_wrong_cell_is_placed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
