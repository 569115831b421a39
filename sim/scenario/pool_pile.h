/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario and --set say of one pool: its own keys are read at once, its GPU and the keys of
 * an engine are piled up until all layers are known. */
#ifndef SCENARIO_POOL_PILE_H
#define SCENARIO_POOL_PILE_H

#include "scenario/pile.h"
#include "scenario/scenario.h"

struct pool_pile {
	struct pool pool; /* its own keys */
	struct pile gpu, engine;
	struct record_places places;
	/* Where the whole pool was said last. */
	const struct json_doc *doc;
	const cJSON *item;
	char prefix[32]; /* "pools[0]" */
};

void pool_pile_init(struct pool_pile *p, size_t index);
void pool_pile_free(struct pool_pile *p);

/* The whole pool, an object. */
bool pool_pile_add(struct pool_pile *p, const struct json_doc *doc, const cJSON *item,
		   bool null_is_default, struct diag *d);
/* The value of one key inside: a --set. */
bool pool_pile_set(struct pool_pile *p, const struct json_doc *doc, const cJSON *item,
		   const char *path, struct diag *d);

/* All of it into a zeroed pool; `engine`: what the scenario says of its own, the pool's keys above
 * it. False with d filled, the pool then empty. */
bool pool_pile_read(struct pool_pile *p, const struct pile *engine, struct catalog *c,
		    struct pool *pool, struct diag *d);

#endif
