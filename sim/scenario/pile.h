/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layers that a scenario, --gpu and --set say of one model, GPU or engine. They are piled up
 * first, because the last of them that names a base decides which catalogue entry they all stand
 * on.
 */
#ifndef SCENARIO_PILE_H
#define SCENARIO_PILE_H

#include "scenario/catalog.h"

struct pile_layer {
	const struct json_doc *doc;
	const cJSON *item;    /* an id or an object; with `path` the value of that key */
	char *path;	      /* NULL: the whole */
	char *prefix;	      /* of paths in messages: "gpus[0]" */
	bool null_is_default; /* of a --set */
};

struct pile {
	enum catalog_kind kind;
	struct pile_layer *layer;
	size_t layers;
};

void pile_init(struct pile *p, enum catalog_kind kind);
void pile_free(struct pile *p);

/* Adds a layer; an id replaces all before it. False with d filled if it is neither an id nor an
 * object. */
bool pile_add(struct pile *p, const struct json_doc *doc, const cJSON *item, const char *prefix,
	      bool null_is_default, struct diag *d);
/* Adds the value of one key inside: a --set, or another name of the key. */
void pile_add_key(struct pile *p, const struct json_doc *doc, const cJSON *item, const char *prefix,
		  const char *path, bool null_is_default);

/* Adds another pile's layers above. */
void pile_add_all(struct pile *p, const struct pile *above);

/*
 * Reads entry and layers into a zeroed object and finishes it; its id is then the entry's, "BASE+"
 * if layers changed it, or the one that they give. *base: the entry's id, or NULL for one that
 * stands alone; belongs to the catalogue. Keys of `extra` are the caller's. False with d filled,
 * the object then empty.
 */
bool pile_read(const struct pile *p, struct catalog *c, void *object, const char *const *extra,
	       const char **base, struct diag *d);

#endif
