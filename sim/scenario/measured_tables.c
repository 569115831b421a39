/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/measured_tables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/xmalloc.h"

static bool add_table(struct measured_tables *m, const char *file, struct diag *d)
{
	struct measured_table t;

	if (!measured_read(&t, file, d))
		return false;
	m->table = xrealloc(m->table, (m->n + 1) * sizeof *m->table);
	m->picked = xrealloc(m->picked, (m->n + 1) * sizeof *m->picked);
	m->picked[m->n] = false;
	m->table[m->n++] = t;
	return true;
}

/* A folder that is not there holds nothing. */
static bool add_folder(struct measured_tables *m, const char *top, const char *below,
		       struct diag *d)
{
	char *folder = xasprintf("%s/%s", top, below);
	char **names = folder_list(folder, ".csv");
	bool good = true;

	for (char **name = names; name && *name; name++) {
		char *file = xasprintf("%s/%s", folder, *name);

		good = good && add_table(m, file, d);
		free(file);
		free(*name);
	}
	free(names);
	free(folder);
	return good;
}

static bool read_rules(struct measured_tables *m, const char *top, struct diag *d)
{
	char *file = xasprintf("%s/rules.json", top);
	bool good = access(file, F_OK) != 0 || (measured_rules_read(&m->rules, file, d) &&
						measured_rules_check(&m->rules, m->table, m->n, d));

	free(file);
	return good;
}

/* Whether a table before this one has its name: the half that may fit constants has the other's. */
static bool is_before(const struct measured_tables *m, size_t table)
{
	for (size_t i = 0; i < table; i++)
		if (strcmp(m->table[i].name, m->table[table].name) == 0)
			return true;
	return false;
}

static bool fail_name(const struct measured_tables *m, const char *name, struct diag *d)
{
	const char **names = xcalloc(m->n + 1, sizeof *names);

	for (size_t i = 0, n = 0; i < m->n; i++)
		if (!is_before(m, i))
			names[n++] = m->table[i].name;
	diag_unknown(d, "table", name, names);
	free(names);
	return false;
}

static bool pick_one(struct measured_tables *m, const char *name, struct diag *d)
{
	bool found = false;

	if (text_ends(name, ".csv")) {
		found = add_table(m, name, d);
		if (found)
			m->picked[m->n - 1] = true;
		return found;
	}
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->table[i].name, name) == 0)
			found = m->picked[i] = true;
	return found || fail_name(m, name, d);
}

static bool pick(struct measured_tables *m, const char *const *names, struct diag *d)
{
	bool all = !names || !*names;

	for (size_t i = 0; all && i < m->n; i++)
		m->picked[i] = true;
	if (all && m->n == 0)
		return diag_fail(d, "the data folder has no tables of measurements, "
				    "workloads/measured/check/*.csv");
	for (; names && *names; names++)
		if (!pick_one(m, *names, d))
			return false;
	return true;
}

bool measured_tables_read(struct measured_tables *m, const char *data_dir, const char *const *names,
			  struct diag *d)
{
	char *top = xasprintf("%s/workloads/measured", data_dir);
	bool good;

	*m = (struct measured_tables){0};
	good = add_folder(m, top, "check", d) && add_folder(m, top, "fit", d) &&
	       read_rules(m, top, d) && pick(m, names, d);
	free(top);
	if (!good)
		measured_tables_free(m);
	return good;
}

void measured_tables_free(struct measured_tables *m)
{
	for (size_t i = 0; i < m->n; i++)
		measured_free(&m->table[i]);
	free(m->table);
	free(m->picked);
	measured_rules_free(&m->rules);
	*m = (struct measured_tables){0};
}
