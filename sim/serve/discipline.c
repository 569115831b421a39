/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serve/discipline.h"

#include <stddef.h>

const struct discipline *const disciplines[] = {
	&discipline_continuous,
	&discipline_prefill_first,
	&discipline_static,
	NULL,
};

const char *const discipline_names[] = {"continuous", "prefill-first", "static", "!dynamic", NULL};
