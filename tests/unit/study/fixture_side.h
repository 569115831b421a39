/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A settled side of a replacement: L4s under short Poisson requests. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_SIDE_H
#define TESTS_UNIT_STUDY_FIXTURE_SIDE_H

#include "study/side.h"
#include "unit/study/fixture.h"

struct fixture_side {
	struct fixture f;
	struct evaluate_setup base;
	struct replace_side result;
	struct side s;
};

/* Settles the first candidate of w->f. `gpus`: as side_settle() takes them. */
static inline void fixture_side_settle(struct fixture_side *w, int64_t gpus, int jobs)
{
	w->base = (struct evaluate_setup){
		.scenario = &w->f.s, .book = &w->f.book, .replications = 1, .jobs = jobs};
	w->s = (struct side){.base = &w->base,
			     .candidate = &w->f.candidate[0],
			     .result = &w->result,
			     .jobs = jobs};
	diag_init(&w->s.diag);
	side_settle(&w->s, gpus);
}

static inline void fixture_side_init(struct fixture_side *w, const char *slo, int64_t gpus,
				     int jobs)
{
	static const char *const cards[] = {"l4-24gb", NULL};

	memset(w, 0, sizeof *w);
	fixture_init(&w->f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, "
		     "\"output\": 20}",
		     slo);
	fixture_side_settle(w, gpus, jobs);
}

static inline void fixture_side_free(struct fixture_side *w)
{
	side_free(&w->s);
	fixture_free(&w->f);
}

#endif
