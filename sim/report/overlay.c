/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/overlay.h"

#include "base/json_write.h"

static bool is_empty(const cJSON *item)
{
	return cJSON_IsNull(item) ||
	       ((cJSON_IsObject(item) || cJSON_IsArray(item)) && !item->child);
}

/* What is unset says nothing in a file. */
static void drop_unset(cJSON *tree)
{
	cJSON *next;

	for (cJSON *item = tree->child; item; item = next) {
		next = item->next;
		drop_unset(item);
		if (is_empty(item))
			cJSON_Delete(cJSON_DetachItemViaPointer(tree, item));
	}
}

void overlay_write(const struct record *r, const void *object, FILE *to)
{
	cJSON *tree = record_to_json(r, object);
	struct json_write w;

	drop_unset(tree);
	json_write_init(&w, to);
	json_write_tree(&w, tree);
	fputc('\n', to);
	cJSON_Delete(tree);
}
