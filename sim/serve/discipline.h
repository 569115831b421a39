/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a replica fills its steps. A new discipline is a file and a line in disciplines[]. */
#ifndef SERVE_DISCIPLINE_H
#define SERVE_DISCIPLINE_H

#include <stdbool.h>

#include "des/tick.h"

struct replica;

struct discipline {
	const char *name, *help;
	bool whole_prompts; /* a prompt is never spread over steps */
	bool joins;	    /* requests join while others run */
	/* Sets the replica's next step, starting at `now`; requests visible by `threshold` may
	 * join. */
	void (*compose)(struct replica *r, tick threshold, tick now);
};

extern const struct discipline discipline_continuous, discipline_prefill_first, discipline_static;
/* All of them, NULL-terminated. */
extern const struct discipline *const disciplines[];
/* Their names for a field's choices, in the same order, then those that are not built yet. */
extern const char *const discipline_names[];

#endif
