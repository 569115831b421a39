/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct bug_context *bug_context(void)
{
	static _Thread_local struct bug_context context = {.replication = -1};

	return &context;
}

static void print_context(const struct bug_context *c)
{
	if (!c->actor)
		return;
	fprintf(stderr,
		"infercap: at %.12g s of simulated time, in %s; seed %llu, replication %d\n",
		c->time_s, c->actor, c->seed, c->replication);
	fprintf(stderr,
		"infercap: to see it again run the same command with --seed %llu --jobs 1\n",
		c->seed);
}

void bug_abort(const char *file, int line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "infercap: BUG at %s:%d: ", file, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	print_context(bug_context());
	abort();
}
