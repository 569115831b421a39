/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies of rates need arrivals that have one. */
#ifndef STUDY_NEEDS_RATE_H
#define STUDY_NEEDS_RATE_H

#include "scenario/scenario.h"

/* False with d filled if the traffic is closed, offline or a trace of one moment; `what` begins the
 * message: "replace compares rates". */
bool needs_rate(const struct scenario *s, const char *what, struct diag *d);

#endif
