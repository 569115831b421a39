/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --from and --to name. */
#ifndef COMMAND_SIDES_H
#define COMMAND_SIDES_H

#include "command/options.h"
#include "study/replace.h"

struct sides {
	struct catalog *catalog;    /* owns the ids */
	const char **gpus;	    /* the candidates, NULL-terminated, the from side's first */
	const char *from;	    /* as typed, without the count */
	size_t *to;		    /* candidates */
	struct replace_setup setup; /* of these; the caller adds base and curve */
};

/* Reads --from and --to; false with d filled. sides_free() either way. */
bool sides_read(struct sides *s, const struct options *o, struct diag *d);
void sides_free(struct sides *s);

/* Whether --from counts whole groups of the scenario's tensor_parallel. */
bool sides_check(const struct sides *sides, const struct scenario *s, struct diag *d);

#endif
