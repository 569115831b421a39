/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A load of 100 requests on a unit of H100s whose tally is filled by hand. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_LOAD_H
#define TESTS_UNIT_STUDY_FIXTURE_LOAD_H

#include <stdlib.h>

#include "study/load.h"
#include "unit/study/fixture.h"

struct fixture_load {
	struct fixture f;
	struct unit u;
	struct load l;
};

/* `counters`: of the steps by tokens and rows. */
static inline void fixture_load_init(struct fixture_load *w, const char *model, int tp,
				     int64_t counters)
{
	static const char *const h100[] = {"h100-sxm-80gb", NULL};
	struct tally_setup setup = {.requests = 100, .pools = 1, .counters = {counters}};

	memset(w, 0, sizeof *w);
	fixture_init(&w->f, model, h100,
		     "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, "
		     "\"output\": 100}",
		     "{}");
	unit_init(&w->u, &w->f.s, &w->f.candidate[0], tp);
	assert_int_equal(w->u.verdict, VERDICT_OK);
	w->l = (struct load){.replications = 1, .requests = 100, .replicas = 1, .first_slice = 1};
	w->l.tally = calloc(1, sizeof *w->l.tally);
	tally_init(w->l.tally, &setup);
}

static inline void fixture_load_free(struct fixture_load *w)
{
	load_free(&w->l);
	unit_free(&w->u);
	fixture_free(&w->f);
}

#endif
