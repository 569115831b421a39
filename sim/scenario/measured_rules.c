/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/measured_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"

/* ---- the file ---- */

#define KEY(STRUCT, KEY_, KIND, FLAGS, HELP)                                                       \
	{                                                                                          \
		.key = #KEY_, .kind = (KIND), .offset = offsetof(struct STRUCT, KEY_),             \
		.flags = (FLAGS), .help = (HELP)                                                   \
	}

static const struct field condition_fields[] = {
	KEY(measured_condition, column, FIELD_TEXT, FIELD_REQUIRED, "heading of the cell"),
	KEY(measured_condition, equals, FIELD_TEXT, FIELD_OPEN, "the cell is this text or number"),
	KEY(measured_condition, one_of, FIELD_TEXT, FIELD_OPEN, "the cell is one of a list"),
	KEY(measured_condition, above, FIELD_REAL, 0, "the cell is a number above this"),
	KEY(measured_condition, below, FIELD_REAL, 0, "the cell is a number below this"),
	KEY(measured_condition, absent, FIELD_BOOL, 0, "the cell is empty"),
};

static bool is_word(const cJSON *item)
{
	return cJSON_IsString(item) || cJSON_IsNumber(item);
}

static bool are_words(const cJSON *list)
{
	const cJSON *item;

	if (!cJSON_IsArray(list) || !list->child)
		return false;
	cJSON_ArrayForEach(item, list) if (!is_word(item)) return false;
	return true;
}

/* Whether a JSON text, which may be NULL, is as `fits` says. */
static bool json_fits(const char *json, bool (*fits)(const cJSON *))
{
	cJSON *item = json ? cJSON_Parse(json) : NULL;
	bool fine = !json || fits(item);

	cJSON_Delete(item);
	return fine;
}

static bool check_condition(const void *object, struct diag *d)
{
	const struct measured_condition *c = object;

	if (!json_fits(c->equals, is_word)) {
		diag_path(d, "equals");
		return diag_fail(d, "must be a text or a number");
	}
	if (!json_fits(c->one_of, are_words)) {
		diag_path(d, "one_of");
		return diag_fail(d, "must be a list of texts and numbers");
	}
	if (c->equals || c->one_of || !isnan(c->above) || !isnan(c->below) || c->absent)
		return true;
	diag_path(d, "column");
	return diag_fail(d, "what must hold of the column? equals, one_of, above, below or absent");
}

static const struct record condition_record = {
	.name = "condition",
	.size = sizeof(struct measured_condition),
	.fields = COUNT(condition_fields),
	.field = condition_fields,
	.check = check_condition,
};

static const struct field rule_fields[] = {
	KEY(measured_rule, name, FIELD_TEXT, FIELD_REQUIRED, "under which rows are counted"),
	KEY(measured_rule, why, FIELD_TEXT, FIELD_REQUIRED, "a sentence"),
	KEY(measured_rule, tables, FIELD_LIST, FIELD_REQUIRED | FIELD_TEXTS,
	    "names of tables, \"*\" is every one"),
	{.key = "where",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct measured_rule, where),
	 .of = &condition_record,
	 .help = "what must hold of a row, all of it; absent: of every row"},
	KEY(measured_rule, figures, FIELD_LIST, FIELD_TEXTS,
	    "headings of the figures that are left out, a final * is any ending; absent: the row"),
};

static const struct record rule_record = {
	.name = "rule",
	.size = sizeof(struct measured_rule),
	.fields = COUNT(rule_fields),
	.field = rule_fields,
};

static const struct field rules_fields[] = {
	{.key = "rules",
	 .kind = FIELD_LIST,
	 .offset = offsetof(struct measured_rules, list),
	 .of = &rule_record,
	 .help = "which measured rows are not compared, and why"},
};

const struct record measured_rules_record = {
	.name = "rules",
	.size = sizeof(struct measured_rules),
	.fields = COUNT(rules_fields),
	.field = rules_fields,
};

bool measured_rules_read(struct measured_rules *r, const char *file, struct diag *d)
{
	struct json_doc *doc = json_doc_read(file, d);
	bool fine;

	if (!doc)
		return false;
	*r = (struct measured_rules){0};
	record_places_init(&r->places);
	record_places_layer(&r->places, file, "");
	record_init(&measured_rules_record, r);
	const struct record_reader in = {.doc = doc, .prefix = "", .places = &r->places, .d = d};
	fine = record_read_layer(&in, &measured_rules_record, r, json_doc_root(doc)) &&
	       record_finish_layers(&measured_rules_record, r, &r->places, "", d);
	json_doc_del(doc);
	if (!fine)
		measured_rules_free(r);
	return fine;
}

void measured_rules_free(struct measured_rules *r)
{
	record_free(&measured_rules_record, r);
	record_places_free(&r->places);
	*r = (struct measured_rules){{0}};
}

/* ---- rows ---- */

static bool as_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end;
}

static bool is_same(const char *cell, const cJSON *word)
{
	double number;

	if (cJSON_IsNumber(word))
		return as_number(cell, &number) && number == word->valuedouble;
	return strcmp(cell, word->valuestring) == 0;
}

static bool is_equal(const char *cell, const char *json)
{
	cJSON *word = cJSON_Parse(json);
	bool same = is_same(cell, word);

	cJSON_Delete(word);
	return same;
}

static bool is_one_of(const char *cell, const char *json)
{
	cJSON *list = cJSON_Parse(json);
	const cJSON *word;
	bool same = false;

	cJSON_ArrayForEach(word, list) same |= is_same(cell, word);
	cJSON_Delete(list);
	return same;
}

/* Whether an empty cell is asked for, or one with something in it, and all that is asked of it. */
static bool holds(const struct measured_condition *c, const char *cell)
{
	double number;

	if (c->absent || !cell || !*cell)
		return c->absent && (!cell || !*cell);
	if (c->equals && !is_equal(cell, c->equals))
		return false;
	if (c->one_of && !is_one_of(cell, c->one_of))
		return false;
	if (isnan(c->above) && isnan(c->below))
		return true;
	return as_number(cell, &number) && !(number <= c->above) && !(number >= c->below);
}

static bool all_hold(const struct measured_rule *rule, const struct measured_table *t,
		     const struct measured_row *row)
{
	const struct measured_condition *c = rule->where.data;

	for (size_t i = 0; i < rule->where.count; i++)
		if (!holds(&c[i], measured_cell(t, row, c[i].column)))
			return false;
	return true;
}

static bool names_table(const struct measured_rule *rule, const char *table)
{
	char *const *name = rule->tables.data;

	for (size_t i = 0; i < rule->tables.count; i++)
		if (strcmp(name[i], "*") == 0 || strcmp(name[i], table) == 0)
			return true;
	return false;
}

/* Whether a pattern, whose final * is any ending, is the heading. */
static bool matches(const char *pattern, const char *heading)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return strncmp(pattern, heading, length - 1) == 0;
	return strcmp(pattern, heading) == 0;
}

/* Whether the rule takes out the figure under this heading; NULL: the row. */
static bool is_about(const struct measured_rule *rule, const char *heading)
{
	char *const *pattern = rule->figures.data;

	if (!heading)
		return rule->figures.count == 0;
	for (size_t i = 0; i < rule->figures.count; i++)
		if (matches(pattern[i], heading))
			return true;
	return false;
}

static const struct measured_rule *find(const struct measured_rules *r,
					const struct measured_table *t,
					const struct measured_row *row, const char *heading)
{
	const struct measured_rule *rule = r->list.data;

	for (size_t i = 0; i < r->list.count; i++)
		if (is_about(&rule[i], heading) && names_table(&rule[i], t->name) &&
		    all_hold(&rule[i], t, row))
			return &rule[i];
	return NULL;
}

const struct measured_rule *measured_rules_row(const struct measured_rules *r,
					       const struct measured_table *t,
					       const struct measured_row *row)
{
	return find(r, t, row, NULL);
}

const struct measured_rule *measured_rules_figure(const struct measured_rules *r,
						  const struct measured_table *t,
						  const struct measured_row *row,
						  const struct measured_figure *f)
{
	return find(r, t, row, t->column[f->column].name);
}

static bool is_known(const char *name, const struct measured_table *tables, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(tables[i].name, name) == 0)
			return true;
	return strcmp(name, "*") == 0;
}

static bool fail_table(const struct measured_rules *r, const char *name, size_t rule, size_t at,
		       const struct measured_table *tables, size_t n, struct diag *d)
{
	const char **names = xcalloc(n + 1, sizeof *names);
	char path[64];
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_known(tables[i].name, tables, i))
			names[known++] = tables[i].name;
	snprintf(path, sizeof path, "rules[%zu].tables[%zu]", rule, at);
	diag_unknown(d, "table", name, names);
	record_places_locate(&r->places, path, d);
	free(names);
	return false;
}

bool measured_rules_check(const struct measured_rules *r, const struct measured_table *tables,
			  size_t n, struct diag *d)
{
	const struct measured_rule *rule = r->list.data;

	for (size_t i = 0; i < r->list.count; i++)
		for (size_t k = 0; k < rule[i].tables.count; k++) {
			const char *name = ((char *const *)rule[i].tables.data)[k];

			if (!is_known(name, tables, n))
				return fail_table(r, name, i, k, tables, n, d);
		}
	return true;
}
