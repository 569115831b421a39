/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/child.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_exists(const char *program)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];

	if (strchr(program, '/'))
		return access(program, X_OK) == 0;
	while (path && *path) {
		size_t length = strcspn(path, ":");
		int wrote = snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, program);

		if (wrote > 0 && (size_t)wrote < sizeof(file) && access(file, X_OK) == 0)
			return true;
		path += length + (path[length] == ':');
	}
	return false;
}

/* In the child: standard output belongs to our own results, the program's goes to stderr. */
_Noreturn static void become(const char *const argv[])
{
	dup2(STDERR_FILENO, STDOUT_FILENO);
	setenv("LC_ALL", "C", 1);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

int child_run(const char *const argv[])
{
	pid_t child;
	int status;

	if (!child_exists(argv[0]))
		return -1;
	fflush(NULL);
	child = fork();
	if (child < 0)
		return -1;
	if (child == 0)
		become(argv);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
