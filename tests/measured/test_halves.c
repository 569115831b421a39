/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables in both folders of workloads/measured are halves of one: a row is in fit/ if the FNV-1a
 * hash of its fact.key ("model|gpu|rate") is even, else in check/, and nothing that was measured
 * under the same conditions is on both sides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/xmalloc.h"
#include "scenario/measured_tables.h"

struct halves {
	const struct measured_table *check, *fit;
};

static uint32_t fnv1a(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The GPU and the conditions of a row, whatever the order of its columns; to be freed. */
static char *conditions(const struct measured_row *row)
{
	size_t n = row->points.count, length;
	char **point = xcalloc(n + 1, sizeof *point), *all;
	FILE *to = open_memstream(&all, &length);

	if (!to)
		abort();
	if (n > 0)
		memcpy(point, row->points.data, n * sizeof *point);
	qsort(point, n, sizeof *point, by_text);
	fputs(row->gpu, to);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "\n%s", point[i]);
	fclose(to);
	free(point);
	return all;
}

static size_t wrong_side(const struct measured_table *t)
{
	size_t wrong = 0;

	for (size_t i = 0; i < t->rows; i++) {
		const char *key = measured_cell(t, &t->row[i], "fact.key");

		if (key && *key && (fnv1a(key) % 2 == 0) == t->fit)
			continue;
		print_error("%s:%ld: belongs to the other half, or has no fact.key\n", t->file,
			    t->row[i].line);
		wrong++;
	}
	return wrong;
}

static char **all_conditions(const struct measured_table *t)
{
	char **all = xcalloc(t->rows + 1, sizeof *all);

	for (size_t i = 0; i < t->rows; i++)
		all[i] = conditions(&t->row[i]);
	return all;
}

static void drop(char **all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(all[i]);
	free(all);
}

static size_t on_both_sides(const struct halves *h)
{
	char **fit = all_conditions(h->fit), **check = all_conditions(h->check);
	size_t both = 0;

	for (size_t i = 0; i < h->check->rows; i++)
		for (size_t k = 0; k < h->fit->rows; k++) {
			if (strcmp(check[i], fit[k]) != 0)
				continue;
			print_error("%s:%ld: measured under the conditions of %s:%ld\n",
				    h->check->file, h->check->row[i].line, h->fit->file,
				    h->fit->row[k].line);
			both++;
		}
	drop(fit, h->fit->rows);
	drop(check, h->check->rows);
	return both;
}

/* The next table from *at on that is in both folders; false: none. */
static bool next_halves(const struct measured_tables *m, size_t *at, struct halves *h)
{
	for (; *at < m->n; (*at)++) {
		h->check = &m->table[*at];
		for (size_t k = *at + 1; k < m->n; k++) {
			h->fit = &m->table[k];
			if (h->fit->fit == h->check->fit ||
			    strcmp(h->fit->name, h->check->name) != 0)
				continue;
			(*at)++;
			return true;
		}
	}
	return false;
}

static int read_tables(void **state)
{
	static struct measured_tables m;
	struct diag d = {0};

	if (!measured_tables_read(&m, ".", NULL, &d))
		return -1;
	*state = &m;
	return 0;
}

static int free_tables(void **state)
{
	measured_tables_free(*state);
	return 0;
}

static void a_row_is_on_the_side_of_its_hash(void **state)
{
	const struct measured_tables *m = *state;
	struct halves h;
	size_t at = 0, n = 0;

	for (; next_halves(m, &at, &h); n++)
		assert_int_equal(wrong_side(h.fit) + wrong_side(h.check), 0);
	assert_true(n > 0);
}

static void no_conditions_are_on_both_sides(void **state)
{
	const struct measured_tables *m = *state;
	struct halves h;
	size_t at = 0;

	while (next_halves(m, &at, &h))
		assert_int_equal(on_both_sides(&h), 0);
}

static void hash_of_known_texts(void **state)
{
	(void)state;
	assert_int_equal(fnv1a(""), 0x811c9dc5);
	assert_int_equal(fnv1a("foobar"), 0xbf9cf968);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_of_known_texts),
		cmocka_unit_test(a_row_is_on_the_side_of_its_hash),
		cmocka_unit_test(no_conditions_are_on_both_sides),
	};

	return cmocka_run_group_tests(tests, read_tables, free_tables);
}
