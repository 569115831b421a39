/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "near.h"

#include <string.h>

#include "study/side.h"
#include "unit/study/fixture.h"

#define TRAFFIC                                                                                    \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, \"output\": 20}"

static const char *const cards[] = {"l4-24gb", NULL};

struct world {
	struct fixture f;
	struct evaluate_setup base;
	struct replace_side result;
	struct side s;
};

static void begin(struct world *w, const char *slo, int64_t gpus)
{
	memset(w, 0, sizeof *w);
	fixture_init(&w->f, "llama-3.1-8b", cards, TRAFFIC, slo);
	w->base = (struct evaluate_setup){
		.scenario = &w->f.s, .book = &w->f.book, .replications = 1, .jobs = 1};
	w->s = (struct side){
		.base = &w->base, .candidate = &w->f.candidate[0], .result = &w->result};
	diag_init(&w->s.diag);
	side_settle(&w->s, gpus);
}

static void end(struct world *w)
{
	side_free(&w->s);
	fixture_free(&w->f);
}

/* Groups of two make no three; no degree decodes a token in 0.1 ms. */
static void reasons(void **state)
{
	(void)state;
	struct world w;

	begin(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 3);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "tpot_ms p50"));
	assert_non_null(strstr(w.result.reason, "tensor_parallel 1"));
	end(&w);
	begin(&w, "{\"tpot_ms\": {\"p50\": 0.1}}", 0);
	assert_int_equal(w.result.verdict, VERDICT_CANNOT);
	assert_non_null(strstr(w.result.reason, "the best degree that fits"));
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
