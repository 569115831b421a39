/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/provenance.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "study/constants.h"

/* The second mfu of a model that computes in two types is named with its type. */
static char *name_of(const struct constant_use *use, bool again)
{
	return again ? xasprintf("%s.%s", use->key, use->sub) : xstrdup(use->key);
}

static void add(struct record_list *list, char *name, const struct figure *f)
{
	if (f->origin != ORIGIN_GIVEN && f->origin != ORIGIN_DATASHEET)
		record_texts_add(list,
				 f->source ? xasprintf("%s: %s (%s)", name, origin_names[f->origin],
						       f->source)
					   : xasprintf("%s: %s", name, origin_names[f->origin]));
	free(name);
}

void provenance_list(struct record_list *list, const struct engine *engine, const struct gpu *g,
		     const struct unit *u)
{
	struct constant_use use[CONSTANT_USES_MAX];
	size_t n = constants_used(use, &engine->cost, g, &u->precision, u->tp);

	*list = (struct record_list){.count = 0};
	for (size_t i = 0; i < n; i++)
		add(list, name_of(&use[i], i > 0 && use[i].key == use[i - 1].key), use[i].figure);
}

void provenance_free(struct record_list *list)
{
	record_texts_free(list);
}
