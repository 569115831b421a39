/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own mistakes. BUG() prints where the simulation stood and aborts; a user's mistake is a diag.
 */
#ifndef BASE_BUG_H
#define BASE_BUG_H

/* What was running when a BUG() struck; one a thread, filled by des. */
struct bug_context {
	const char *actor; /* name of the actor that was woken last, or NULL */
	double time_s;	   /* simulation time [s] */
	unsigned long long seed;
	int replication;
};

/* The calling thread's context, to be written to; never NULL. */
struct bug_context *bug_context(void);

/* Prints message, place and context to stderr, then aborts. */
_Noreturn void bug_abort(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define BUG(...) bug_abort(__FILE__, __LINE__, __VA_ARGS__)
/* Checked in every build: cheap conditions only. */
#define BUG_IF(condition)                                                                          \
	do {                                                                                       \
		if (__builtin_expect(!!(condition), 0))                                            \
			BUG("%s", #condition);                                                     \
	} while (0)

#endif
