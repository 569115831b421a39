/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What disciplines fill a replica's step with: those who run, heads of the queue. */
#ifndef SERVE_COMPOSE_H
#define SERVE_COMPOSE_H

#include "serve/replica.h"

/* The step holds the running list, of which the last are preempted while blocks are short. */
void compose_running(struct replica *r, tick now);

/* The step holds nobody yet: those who run keep their blocks and have no token in it. */
void compose_resting(struct replica *r);

/* Heads of the queue join the step while slots, budget and blocks last; the first that does not fit
 * ends it. Where somebody runs, `kept` blocks are left free; alone, a request may have the whole
 * pool.
 */
void compose_heads(struct replica *r, int64_t kept, tick threshold, tick now);

/* Whether a request is visible by the threshold at the queue's head; then r->head is it, with its
 * lengths. */
bool compose_sees_head(struct replica *r, tick threshold);

/* That head joins the running list; returns its slot. */
int32_t compose_admit(struct replica *r, tick now);

#endif
