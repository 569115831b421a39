/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/folder.h"

static void files_of_one_ending_in_order(void **state)
{
	static const char *const files[] = {"b.csv", "a.csv", "c.csv", ".c.csv", "d.json", ".csv"};
	char folder[] = "/tmp/infercap_folder_XXXXXX", path[64];
	char **names;

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < 6; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		fclose(fopen(path, "w"));
	}
	names = folder_list(folder, ".csv");
	assert_string_equal(names[0], "a.csv");
	assert_string_equal(names[1], "b.csv");
	assert_string_equal(names[2], "c.csv");
	assert_null(names[3]);
	for (size_t i = 0; i < 3; i++)
		free(names[i]);
	free(names);
	for (size_t i = 0; i < 6; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		unlink(path);
	}
	names = folder_list(folder, ".csv");
	assert_non_null(names);
	assert_null(names[0]);
	free(names);
	rmdir(folder);
	assert_null(folder_list(folder, ".csv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(files_of_one_ending_in_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
