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

/* The same of an entry, whose fields of any JSON keep it as it is. */
static void drop_unset_fields(const struct record *r, cJSON *entry)
{
	for (size_t i = 0; i < r->fields; i++) {
		if (r->field[i].flags & FIELD_INLINE) {
			drop_unset_fields(r->field[i].of, entry);
			continue;
		}
		cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, r->field[i].key);

		if (item && !(r->field[i].flags & FIELD_OPEN))
			drop_unset(item);
		if (item && is_empty(item))
			cJSON_Delete(cJSON_DetachItemViaPointer(entry, item));
	}
}

void overlay_write(const struct record *r, const void *object, FILE *to)
{
	cJSON *tree = record_to_json(r, object);
	struct json_write w;

	drop_unset_fields(r, tree);
	json_write_init(&w, to);
	json_write_tree(&w, tree);
	fputc('\n', to);
	cJSON_Delete(tree);
}
