/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/child.h"

static void test_exists(void **state)
{
	(void)state;
	assert_true(child_exists("sh"));
	assert_true(child_exists("/bin/sh"));
	assert_false(child_exists("no-such-program-at-all"));
}

static void test_status(void **state)
{
	(void)state;
	assert_int_equal(child_run(NULL, (const char *const[]){"true", NULL}, STDERR_FILENO), 0);
	assert_int_equal(
		child_run(NULL, (const char *const[]){"sh", "-c", "exit 7", NULL}, STDERR_FILENO),
		7);
	assert_int_equal(child_run(NULL, (const char *const[]){"no-such-program-at-all", NULL},
				   STDERR_FILENO),
			 -1);
}

static void test_surroundings(void **state)
{
	(void)state;
	assert_int_equal(
		child_run(NULL,
			  (const char *const[]){"sh", "-c", "test \"$LC_ALL\" = C.UTF-8", NULL},
			  STDERR_FILENO),
		0);
	/* an argument is no shell text */
	assert_int_equal(child_run(NULL,
				   (const char *const[]){"test", "$HOME;x", "=", "$HOME;x", NULL},
				   STDERR_FILENO),
			 0);
}

/* What a program prints must not mix with our own results. */
static void test_output_goes_to_stderr(void **state)
{
	int ends[2], kept = dup(STDOUT_FILENO);
	char text[16];

	(void)state;
	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDOUT_FILENO);
	assert_int_equal(child_run(NULL,
				   (const char *const[]){"sh", "-c", "echo x 2>/dev/null", NULL},
				   STDERR_FILENO),
			 0);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	close(ends[1]);
	assert_int_equal(read(ends[0], text, sizeof(text)), 0);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exists), cmocka_unit_test(test_status),
		cmocka_unit_test(test_surroundings), cmocka_unit_test(test_output_goes_to_stderr)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
