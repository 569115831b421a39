/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/sides.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "command/command.h"
#include "command/counted_gpu.h"

/* Place of `name` among the first *n names, added if it is not there: 4:a100 may be held against
 * a100 itself. */
static size_t candidate_index(const char **names, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(names[i], name))
			return i;
	names[*n] = name;
	return (*n)++;
}

/* Fills the candidates: the from side, then each --to. */
static bool list_candidates(struct sides *s, const struct options *o, struct diag *d)
{
	const char *id = counted_gpu_find(s->catalog, "--from", o->from.value[0], s->from, d);
	size_t n = 0;

	if (!id)
		return false;
	s->setup.from = candidate_index(s->gpus, &n, id);
	for (size_t i = 0; i < o->to.count; i++) {
		id = counted_gpu_find(s->catalog, "--to", o->to.value[i], o->to.value[i], d);
		if (!id)
			return false;
		s->to[i] = candidate_index(s->gpus, &n, id);
		for (size_t j = 0; j < i; j++)
			if (s->to[j] == s->to[i])
				return diag_fail(d, "--to %s and --to %s are the same GPU, %s",
						 o->to.value[j], o->to.value[i], id);
	}
	return true;
}

static bool check_options(const struct options *o, struct diag *d)
{
	if (o->from.count != 1)
		return diag_fail(d, "%s needs one --from N:GPU, what is replaced",
				 o->command->name);
	if (!o->to.count)
		return diag_fail(d, "%s needs at least one --to GPU, what replaces it",
				 o->command->name);
	return true;
}

bool sides_read(struct sides *s, const struct options *o, struct diag *d)
{
	*s = (struct sides){.gpus = xcalloc(o->to.count + 2, sizeof *s->gpus),
			    .to = xcalloc(o->to.count + 1, sizeof *s->to)};
	s->setup = (struct replace_setup){.to = s->to, .to_count = o->to.count};
	if (!check_options(o, d) ||
	    !counted_gpu_read("--from", 1, o->from.value[0], &s->setup.from_count, &s->from, d))
		return false;
	s->catalog = catalog_new(o->catalog.value, o->data_dir, d);
	return s->catalog && list_candidates(s, o, d);
}

void sides_free(struct sides *s)
{
	free(s->gpus);
	free(s->to);
	catalog_del(s->catalog);
}

bool sides_check(const struct sides *sides, const struct scenario *s, struct diag *d)
{
	long long tp = s->deployment.tensor_parallel, n = sides->setup.from_count;

	if (n % tp == 0)
		return true;
	return diag_fail(d,
			 "--from %lld:%s is no whole number of groups of tensor_parallel %lld: use "
			 "--from %lld:%s",
			 n, sides->from, tp, (n / tp + 1) * tp, sides->from);
}
