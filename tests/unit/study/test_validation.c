/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "base/xmalloc.h"
#include "study/validation.h"
#include "unit/scenario/measured_file.h"

#define BASE                                                                                       \
	"{\"model\": \"llama-3.1-8b\", \"gpus\": [\"h100\"], \"traffic\": {\"arrivals\": "         \
	"{\"rate\": 2}, \"input\": 100, \"output\": 10, \"requests\": 50}}"
#define HEADING                                                                                    \
	"source,gpu,model,traffic.arrivals.rate,=latency.ttft_ms.p50,=latency.tpot_ms.p50,"        \
	"fact.errors\n"
#define RULES                                                                                      \
	"{\"rules\": [{\"name\": \"errors\", \"why\": \"requests failed\", \"tables\": [\"t\"], "  \
	"\"where\": [{\"column\": \"fact.errors\", \"above\": 0}]}, "                              \
	"{\"name\": \"slow\", \"why\": \"w\", \"tables\": [\"t\"], \"where\": "                    \
	"[{\"column\": \"traffic.arrivals.rate\", \"equals\": 4}], "                               \
	"\"figures\": [\"=latency.ttft*\"]}]}"

/* The same rows in check/ and fit/ by turns: the folder is a fit/ one, t->fit says which counts. */
static struct measured_tables tables_of(const char *csv, bool fit)
{
	char *folder = measured_folder();
	struct measured_tables m = {.n = 1};
	struct diag d;

	diag_init(&d);
	m.table = xcalloc(1, sizeof *m.table);
	m.picked = xcalloc(1, sizeof *m.picked);
	m.picked[0] = true;
	if (!measured_read(&m.table[0], measured_file(folder, "t.csv", csv), &d) ||
	    !measured_rules_read(&m.rules, measured_file(folder, "rules.json", RULES), &d))
		fail_msg("%s:%d:%d: %s", d.file, d.line, d.column, d.message);
	m.table[0].fit = fit;
	measured_file(folder, "t.json", BASE);
	return m;
}

static void drop_folder(const struct validation *v)
{
	char folder[128];

	snprintf(folder, sizeof folder, "%s", v->tables.table[0].folder);
	measured_folder_drop(folder);
}

static bool run_text(struct validation *v, const char *csv, bool fit, int jobs, struct diag *d)
{
	const struct validation_setup setup = {.replications = 2,
					       .jobs = jobs,
					       .seed = RECORD_INT_UNSET,
					       .data_dir = ".",
					       .quiet = true};
	struct measured_tables m = tables_of(csv, fit);
	bool fine;

	diag_init(d);
	fine = validation_run(v, &m, &setup, d);
	drop_folder(v);
	return fine;
}

static void run_good(struct validation *v, const char *csv, bool fit, int jobs)
{
	struct diag d;

	if (!run_text(v, csv, fit, jobs, &d))
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
}

static const struct validation_left *left(const struct validation *v, const char *reason)
{
	for (size_t i = 0; i < v->lefts; i++)
		if (strstr(v->left[i].reason, reason))
			return &v->left[i];
	fail_msg("nothing is left out as %s", reason);
	return NULL;
}

static void every_figure_is_a_point(void **state)
{
	struct validation v;

	(void)state;
	run_good(&v,
		 HEADING "a,l4,,2,100,60,0\n"
			 "b,,,2,10,,\n"
			 "c,l4,,2,100,60,3\n" /* a rule */
			 "d,l4,,4,100,60,\n"  /* a rule of one figure */
			 "e,z9,,2,100,60,\n"
			 "f,l4,llama-3.1-70b,2,100,60,\n"
			 "g,l4,,2,100,5,\n", /* impossible */
		 false, 2);
	assert_int_equal(v.rows, 7);
	assert_int_equal(v.rows_compared, 4);
	assert_int_equal(v.points, 13);
	const struct validation_point *p = v.point;
	assert_string_equal(p[0].name, "t");
	assert_string_equal(p[0].source, "a");
	assert_int_equal(p[0].line, 2);
	assert_string_equal(p[0].gpu, "l4-24gb");
	assert_string_equal(p[0].engine, "vllm");
	assert_string_equal(p[0].conditions, "traffic.arrivals.rate=2");
	assert_string_equal(p[0].pair, p[0].conditions);
	assert_int_equal(p[0].set, VALIDATION_UNFITTED);
	assert_int_equal(p[0].load, VALIDATION_BELOW);
	assert_int_equal(p[0].requests, 50);
	assert_int_equal(p[0].replications, 2);
	assert_string_equal(p[0].metric, "latency.ttft_ms.p50");
	assert_near(p[0].measured, 100, 0);
	assert_near(p[0].error, p[0].simulated / 100 - 1, 0);
	assert_true(p[0].band[0] <= p[0].simulated && p[0].simulated <= p[0].band[1]);
	assert_null(p[0].left_out);
	assert_string_equal(p[1].metric, "latency.tpot_ms.p50");
	assert_string_equal(p[2].gpu, "h100-sxm-80gb");

	assert_int_equal(v.lefts, 5);
	assert_string_equal(v.left[0].reason, "does not fit");
	assert_string_equal(v.left[1].reason, "errors");
	assert_string_equal(v.left[4].reason, "slow");
	assert_int_equal(left(&v, "errors")->rows, 1);
	assert_int_equal(left(&v, "errors")->figures, 2);
	assert_string_equal(left(&v, "errors")->why, "requests failed");
	assert_int_equal(left(&v, "slow")->rows, 0);
	assert_int_equal(left(&v, "slow")->figures, 1);
	assert_int_equal(left(&v, "unknown GPU \"z9\"")->rows, 1);
	assert_null(left(&v, "unknown GPU \"z9\"")->why);
	assert_int_equal(left(&v, "does not fit")->figures, 2);
	assert_int_equal(left(&v, "bandwidth floor")->figures, 1);
	assert_string_equal(p[3].left_out, "errors");
	assert_true(isnan(p[3].simulated));
	assert_string_equal(p[5].left_out, "slow");
	assert_null(p[6].left_out);
	validation_free(&v);
}

/* A fit row of an H100 makes it a fitted GPU, one that a rule takes out does not. */
static void gpus_that_nothing_was_fitted_on(void **state)
{
	struct validation v;

	(void)state;
	run_good(&v, HEADING "a,l4,,2,100,60,0\n", true, 1);
	assert_int_equal(v.point[0].set, VALIDATION_FIT);
	validation_free(&v);

	for (int errors = 0; errors < 2; errors++) {
		char *csv = xasprintf(HEADING "a,,,2,100,60,%d\n", errors);
		struct measured_tables m = tables_of(csv, true), check;
		struct validation_setup setup = {.replications = 1,
						 .seed = RECORD_INT_UNSET,
						 .data_dir = ".",
						 .quiet = true};
		struct diag d;

		diag_init(&d);
		check = tables_of(HEADING "a,h100,,2,100,60,0\n", false);
		m.table = xrealloc(m.table, 2 * sizeof *m.table);
		m.picked = xrealloc(m.picked, 2 * sizeof *m.picked);
		m.table[1] = check.table[0];
		m.picked[0] = false;
		m.picked[1] = true;
		m.n = 2;
		free(check.table);
		free(check.picked);
		measured_rules_free(&check.rules);
		assert_true(validation_run(&v, &m, &setup, &d));
		assert_int_equal(v.rows, 1);
		assert_int_equal(v.point[0].set, errors ? VALIDATION_UNFITTED : VALIDATION_CHECK);
		drop_folder(&v);
		char folder[128];
		snprintf(folder, sizeof folder, "%s", v.tables.table[1].folder);
		measured_folder_drop(folder);
		validation_free(&v);
		free(csv);
	}
}

static void a_table_may_say_what_is_alike(void **state)
{
	struct validation v;

	(void)state;
	run_good(&v,
		 "source,engine.max_num_seqs,fact.pair,=latency.ttft_ms.p50\na,8,suite A,60\n"
		 "b,9,suite A,60\nc,9,,60\n",
		 false, 1);
	assert_string_equal(v.point[0].pair, "suite A");
	assert_string_equal(v.point[1].pair, "suite A");
	assert_string_equal(v.point[2].pair, "engine.max_num_seqs=9");
	validation_free(&v);
}

static void jobs_change_nothing(void **state)
{
	struct validation v[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		run_good(&v[i],
			 HEADING "a,l4,,2,100,60,0\nb,a100,,9,100,60,0\nc,l40s,,5,10,20,0\n"
				 "d,l4,,40,90,60,0\n",
			 false, 1 + 3 * i);
	assert_int_equal(v[0].points, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_memory_equal(&v[0].point[i].simulated, &v[1].point[i].simulated,
				    sizeof(double));
		assert_memory_equal(v[0].point[i].band, v[1].point[i].band, 2 * sizeof(double));
		assert_string_equal(v[0].point[i].source, v[1].point[i].source);
	}
	validation_free(&v[0]);
	validation_free(&v[1]);
}

static void a_mistake_stops_it(void **state)
{
	static const struct {
		const char *csv, *message;
		int line, column;
	} cases[] = {
		{"source,=latency.ttft.p50\na,1\n", "unknown key \"ttft\"", 1, 8},
		{"source,traffic.arrivals.rat,=latency.ttft_ms.p50\na,1,1\n", "unknown key \"rat\"",
		 2, 3},
		{"source,traffic.arrivals.rate,=latency.ttft_ms.p50\na,1,1\nb,x,1\n",
		 "must be a number", 3, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct validation v;
		struct diag d;

		assert_false(run_text(&v, cases[i].csv, false, 1, &d));
		if (!strstr(d.message, cases[i].message) || d.line != cases[i].line ||
		    d.column != cases[i].column || !strstr(d.file, "t.csv"))
			fail_msg("%s: %s:%d:%d: %s", cases[i].csv, d.file, d.line, d.column,
				 d.message);
		validation_free(&v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_figure_is_a_point),
		cmocka_unit_test(gpus_that_nothing_was_fitted_on),
		cmocka_unit_test(a_table_may_say_what_is_alike),
		cmocka_unit_test(jobs_change_nothing),
		cmocka_unit_test(a_mistake_stops_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
