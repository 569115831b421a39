/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/document.h"

void document_open(struct json_write *w, FILE *to, const char *command, const cJSON *scenario,
		   int64_t seed)
{
	json_write_init(w, to);
	json_write_open(w, '{');
	json_write_key(w, "infercap");
	json_write_text(w, INFERCAP_VERSION);
	json_write_key(w, "command");
	json_write_text(w, command);
	json_write_key(w, "scenario");
	json_write_tree(w, scenario);
	json_write_key(w, "seed");
	if (seed == RECORD_INT_UNSET)
		json_write_text(w, NULL);
	else
		json_write_int(w, seed);
}

void document_record(struct json_write *w, const struct record *r, const void *object)
{
	cJSON *tree = record_to_json(r, object);

	json_write_tree(w, tree);
	cJSON_Delete(tree);
}

void document_list(struct json_write *w, const char *key, const struct record *r,
		   const void *objects, size_t n)
{
	json_write_key(w, key);
	json_write_open(w, '[');
	for (size_t i = 0; i < n; i++)
		document_record(w, r, (const char *)objects + i * r->size);
	json_write_close(w, ']');
}

void document_close(struct json_write *w)
{
	json_write_close(w, '}');
	fputc('\n', w->to);
}
