/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/xmalloc.h"
#include "command/command.h"

static void gsl_failed(const char *reason, const char *file, int line, int code)
{
	BUG("GSL: %s (%s:%d, error %d)", reason, file, line, code);
}

static bool holds_data(const char *folder)
{
	char *probe = xasprintf("%s/gpus/prices/book.csv", folder);
	bool found = access(probe, R_OK) == 0;

	free(probe);
	return found;
}

/* The data's folder: INFERCAP_DATA, else the source tree that the program was built in, else where
 * it was installed. */
static char *find_data(void)
{
	const char *named = getenv("INFERCAP_DATA");
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (named)
		return xstrdup(named);
	for (int up = 0; length > 0 && up < 4; up++) {
		self[length] = 0;
		char *slash = strrchr(self, '/');
		if (!slash || slash == self)
			break;
		*slash = 0;
		length = slash - self;
		if (holds_data(self))
			return xstrdup(self);
	}
	return xstrdup(INFERCAP_DATA_DIR);
}

static int finish(int status)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fputs("infercap: standard output cannot be written\n", stderr);
		return EXIT_MACHINE;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct options o = {.seed = RECORD_INT_UNSET,
			    .replications = RECORD_INT_UNSET,
			    .jobs = RECORD_INT_UNSET};
	struct diag d;
	int status;

	gsl_set_error_handler(gsl_failed);
	diag_init(&d);
	o.data_dir = find_data();
	const char *no_color = getenv("NO_COLOR"); /* set and not empty: no-color.org */
	o.no_color = no_color && *no_color;
	if (!options_parse(&o, argc, argv, &d)) {
		status = options_fail(&o, &d);
	} else if (o.help) {
		options_print_help(o.command, stdout);
		status = EXIT_ANSWERED;
	} else if (o.version) {
		puts("infercap " INFERCAP_VERSION);
		status = EXIT_ANSWERED;
	} else {
		status = o.command->run(&o);
	}
	options_free(&o);
	return finish(status);
}
