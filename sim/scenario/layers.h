/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layers of one scenario: its file, --gpu and --set, each read over the structs or, for what
 * stands on the catalogue, piled up until the last one is known. Documents of options live as long
 * as this does.
 */
#ifndef SCENARIO_LAYERS_H
#define SCENARIO_LAYERS_H

#include "scenario/pile.h"
#include "scenario/pool_pile.h"
#include "scenario/scenario.h"

struct layers {
	struct scenario *s;
	struct pile model, engine, *gpu;
	size_t gpus;
	struct pool_pile *pool;
	size_t pools;
	const struct json_doc *file;
	struct json_doc **doc; /* of options */
	size_t docs;
	const char *values_folder; /* of relative paths in values; NULL: the working folder */
	struct diag *d;
};

void layers_init(struct layers *l, struct scenario *s, struct diag *d);
void layers_free(struct layers *l);

/* The scenario file itself, which stays the caller's and must outlive the layers. */
bool layers_add_file(struct layers *l, const struct json_doc *doc);
/* All of --gpu: they replace `gpus`. NULL-terminated, or NULL. `option`: what messages call them;
 * NULL: --gpu. */
bool layers_add_gpus(struct layers *l, const char *const *gpus, const char *option);
/* One PATH=VALUE of an option, "--set", which messages name. */
bool layers_add_set(struct layers *l, const char *option, const char *text);

#endif
