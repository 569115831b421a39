/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "scenario/measured_tables.h"

#define TABLE "source,=latency.ttft_ms.p50\nx,1\n"

static char top[] = "/tmp/infercap_tables_XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[160];

	snprintf(path, sizeof path, "%s/%s", top, name);
	FILE *f = fopen(path, "w");
	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
}

static int make_folders(void **state)
{
	static const char *const folders[] = {"", "/workloads", "/workloads/measured",
					      "/workloads/measured/check",
					      "/workloads/measured/fit"};
	char path[160];

	(void)state;
	if (!mkdtemp(top))
		return -1;
	for (size_t i = 1; i < 5; i++) {
		snprintf(path, sizeof path, "%s%s", top, folders[i]);
		mkdir(path, 0777);
	}
	write_file("workloads/measured/check/b.csv", TABLE);
	write_file("workloads/measured/check/a.csv", TABLE);
	write_file("workloads/measured/fit/b.csv", TABLE);
	write_file("own.csv", TABLE);
	return 0;
}

static int drop_folders(void **state)
{
	char command[200];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", top);
	return system(command);
}

static bool read_tables(struct measured_tables *m, const char *const *names, struct diag *d)
{
	diag_init(d);
	return measured_tables_read(m, top, names, d);
}

static void all_of_them(void **state)
{
	const char *const none[] = {NULL};
	struct measured_tables m;
	struct diag d;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(read_tables(&m, i ? none : NULL, &d));
		assert_int_equal(m.n, 3);
		assert_string_equal(m.table[0].name, "a");
		assert_string_equal(m.table[1].name, "b");
		assert_false(m.table[1].fit);
		assert_true(m.table[2].fit);
		assert_true(m.picked[0] && m.picked[1] && m.picked[2]);
		measured_tables_free(&m);
	}
}

static void some_of_them(void **state)
{
	char own[64];
	const char *names[] = {"b", own, NULL};
	struct measured_tables m;
	struct diag d;

	(void)state;
	snprintf(own, sizeof own, "%s/own.csv", top);
	assert_true(read_tables(&m, names, &d));
	assert_int_equal(m.n, 4);
	assert_false(m.picked[0]);
	assert_true(m.picked[1] && m.picked[2] && m.picked[3]);
	assert_string_equal(m.table[3].name, "own");
	measured_tables_free(&m);
}

static void mistakes(void **state)
{
	const char *const unknown[] = {"bb", NULL}, *const missing[] = {"no.csv", NULL};
	struct measured_tables m;
	struct diag d;

	(void)state;
	assert_false(read_tables(&m, unknown, &d));
	assert_string_equal(d.message, "unknown table \"bb\"");
	assert_string_equal(d.nearest, "b");
	assert_string_equal(d.allowed, "a, b");
	assert_false(read_tables(&m, missing, &d));
	assert_string_equal(d.file, "no.csv");
	write_file("workloads/measured/rules.json",
		   "{\"rules\": [{\"name\": \"r\", \"why\": \"w\", \"tables\": [\"c\"]}]}");
	assert_false(read_tables(&m, NULL, &d));
	assert_string_equal(d.message, "unknown table \"c\"");
	write_file("workloads/measured/rules.json", "{\"rules\": []}");
	assert_true(read_tables(&m, NULL, &d));
	measured_tables_free(&m);
	write_file("workloads/measured/fit/c.csv", "gpu\n");
	assert_false(read_tables(&m, NULL, &d));
	assert_non_null(strstr(d.file, "/fit/c.csv"));
}

static void a_folder_without_any(void **state)
{
	struct measured_tables m;
	struct diag d;

	(void)state;
	diag_init(&d);
	assert_false(measured_tables_read(&m, "/nowhere", NULL, &d));
	assert_non_null(strstr(d.message, "no tables of measurements"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_them),
		cmocka_unit_test(some_of_them),
		cmocka_unit_test(a_folder_without_any),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests(tests, make_folders, drop_folders);
}
