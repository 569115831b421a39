/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/xmalloc.h"

/* What body prints to stderr before it aborts. */
static void assert_aborts(void (*body)(void), const char *wanted)
{
	int ends[2], status;
	char text[1024] = "";
	size_t got = 0;
	ssize_t bytes;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		body();
		_exit(0);
	}
	close(ends[1]);
	while ((bytes = read(ends[0], text + got, sizeof(text) - 1 - got)) > 0)
		got += (size_t)bytes;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_non_null(strstr(text, wanted));
}

static void plain(void)
{
	BUG("queue of %d", 3);
}

static void in_a_run(void)
{
	*bug_context() = (struct bug_context){.actor = "replica 2", .time_s = 1.5, .seed = 42};
	BUG_IF(1 + 1 == 2);
}

static void too_large(void)
{
	xcalloc(SIZE_MAX / 2, 4);
}

static void test_bug(void **state)
{
	(void)state;
	assert_aborts(plain, "queue of 3");
	assert_aborts(in_a_run, "at 1.5 s of simulated time, in replica 2; seed 42");
	assert_aborts(in_a_run, "1 + 1 == 2");
}

static void test_out_of_memory(void **state)
{
	(void)state;
	assert_aborts(too_large, "out of memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bug),
					   cmocka_unit_test(test_out_of_memory)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
