/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/catalogue.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "report/catalog_table.h"
#include "report/document.h"

/* Entries that were read: all, or the one asked for. */
struct entries {
	size_t count;
	char *data;
};

static void *entry_at(const struct catalogue *k, const struct entries *e, size_t i)
{
	return e->data + i * k->record->size;
}

static bool add_entry(const struct catalogue *k, struct entries *e, const struct catalog *c,
		      const char *id, struct diag *d)
{
	if (!catalog_read(c, k->kind, id, entry_at(k, e, e->count), d))
		return false;
	e->count++;
	return true;
}

static bool read_entries(const struct catalogue *k, struct entries *e, const struct catalog *c,
			 const char *name, struct diag *d)
{
	size_t n = catalog_count(c, k->kind);
	bool fine = true;

	e->data = xcalloc(n + 1, k->record->size);
	if (name) {
		const char *id = catalog_find(c, k->kind, name, d);

		return id && add_entry(k, e, c, id, d);
	}
	for (size_t i = 0; i < n && fine; i++)
		fine = add_entry(k, e, c, catalog_id(c, k->kind, i), d);
	return fine;
}

static void free_entries(const struct catalogue *k, struct entries *e)
{
	for (size_t i = 0; i < e->count; i++)
		record_free(k->record, entry_at(k, e, i));
	free(e->data);
}

static cJSON *entry_json(const struct catalogue *k, const void *entry)
{
	cJSON *json = record_to_json(k->record, entry);

	if (k->derive)
		k->derive(json, entry);
	return json;
}

static void write_json(const struct catalogue *k, const struct entries *e)
{
	struct json_write w;

	document_open(&w, stdout, k->command, NULL, RECORD_INT_UNSET);
	json_write_key(&w, "results");
	json_write_open(&w, '[');
	for (size_t i = 0; i < e->count; i++) {
		cJSON *json = entry_json(k, entry_at(k, e, i));

		json_write_tree(&w, json);
		cJSON_Delete(json);
	}
	json_write_close(&w, ']');
	document_close(&w);
}

static void print_entry(const struct catalogue *k, const void *entry)
{
	cJSON *json = entry_json(k, entry);

	catalog_table_print(k->record, json, stdout);
	cJSON_Delete(json);
}

static bool answer(const struct catalogue *k, const struct options *o, const struct catalog *c,
		   struct diag *d)
{
	struct entries e = {0};
	bool fine = read_entries(k, &e, c, o->operand, d);

	if (fine && o->json)
		write_json(k, &e);
	else if (fine && o->operand)
		print_entry(k, e.data);
	else if (fine)
		fine = k->table(c, e.data, e.count, d);
	free_entries(k, &e);
	return fine;
}

int catalogue_answer(const struct catalogue *k, const struct options *o)
{
	struct diag d;

	diag_init(&d);
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, &d);
	bool fine = c && answer(k, o, c, &d);
	catalog_del(c);
	return fine ? EXIT_ANSWERED : options_fail(o, &d);
}
