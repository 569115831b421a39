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

/* In the child. UTF-8, as in titles; where there is no such locale it is "C" all the same. */
_Noreturn static void become(const char *folder, const char *const argv[], int output)
{
	if (folder && chdir(folder))
		_exit(127);
	dup2(output, STDOUT_FILENO);
	setenv("LC_ALL", "C.UTF-8", 1);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

int child_run(const char *folder, const char *const argv[], int output)
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
		become(folder, argv, output);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
