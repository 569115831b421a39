/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools of a scenario, over the small catalogue in fixture/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"

#include "scenario/set_path.h"
#include "serve/router_kind.h"

#define FIXTURE "tests/unit/scenario/fixture"
#define SETS(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}
#define TRAFFIC "\"traffic\": {\"arrivals\": {\"rate\": 2}, \"input\": 100, \"output\": 10}"
#define TWO                                                                                        \
	"{\"model\": \"tiny-1b\", \"engine\": {\"max_num_seqs\": 32, \"block_size\": 8}, "         \
	"\"pools\": [{\"gpu\": "                                                                   \
	"\"red-24gb\", \"replicas\": 3}, {\"name\": \"big\", \"gpu\": {\"base\": \"red-48gb\", "   \
	"\"mbu\": 0.7}, \"tensor_parallel\": 2, \"max_num_seqs\": 8}], " TRAFFIC "}"

static struct scenario *read_with(const char *text, const char *const *sets,
				  const char *const *prices, struct diag *d)
{
	const struct scenario_options o = {.file = "S",
					   .text = text,
					   .sets = sets,
					   .prices = prices,
					   .data_dir = FIXTURE,
					   .seed = RECORD_INT_UNSET};

	diag_init(d);
	return scenario_read(&o, d);
}

static struct scenario *read_good(const char *text, const char *const *sets)
{
	struct diag d;
	struct scenario *s = read_with(text, sets, NULL, &d);

	if (!s)
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
	return s;
}

static void pools_are_read(void **state)
{
	struct scenario *s = read_good(TWO, NULL);

	(void)state;
	assert_int_equal(s->pools, 2);
	assert_int_equal(s->candidates, 1);
	assert_string_equal(s->candidate[0].shown, "3 red-24gb + 2 red-48gb+ as 1 x TP2");
	assert_int_equal(s->pool[0].replicas, 3);
	assert_null(s->pool[0].name);
	assert_null(s->pool[0].candidate.engine);
	assert_string_equal(s->pool[1].name, "big");
	assert_int_equal(s->pool[1].tensor_parallel, 2);
	assert_string_equal(s->pool[1].candidate.gpu.id, "red-48gb");
	assert_near(s->pool[1].candidate.gpu.mbu.value, 0.7, 0);
	/* the pool's own key above the scenario's engine, all other keys of which hold */
	assert_int_equal(scenario_engine(s, &s->pool[0].candidate)->scheduling.max_num_seqs, 32);
	assert_int_equal(scenario_engine(s, &s->pool[1].candidate)->scheduling.max_num_seqs, 8);
	assert_int_equal(s->pool[1].engine.cost.block_size, 8);
	assert_ptr_equal(scenario_gpu(s, 1), &s->pool[1].candidate);
	assert_null(scenario_gpu(s, 2));
	scenario_del(s);
}

static void sets_reach_inside(void **state)
{
	struct scenario *s = read_good(TWO, SETS("pools[0].replicas=5", "pools[0].gpu.mbu=0.5",
						 "pools[1].gpu=red-24gb", "engine.max_num_seqs=64",
						 "pools[1].max_num_seqs=4"));

	(void)state;
	assert_string_equal(s->candidate[0].shown, "5 red-24gb+ + 2 red-24gb as 1 x TP2");
	assert_near(s->pool[0].candidate.gpu.mbu.value, 0.5, 0);
	assert_int_equal(scenario_engine(s, &s->pool[0].candidate)->scheduling.max_num_seqs, 64);
	assert_int_equal(scenario_engine(s, &s->pool[1].candidate)->scheduling.max_num_seqs, 4);
	assert_string_equal(set_path_field(s, "pools[0].replicas")->key, "replicas");
	assert_string_equal(set_path_field(s, "pools[1].max_num_seqs")->key, "max_num_seqs");
	assert_string_equal(set_path_field(s, "pools[0].gpu.mbu")->key, "mbu");
	assert_null(set_path_field(s, "pools[2].replicas"));
	scenario_del(s);
	s = read_good(TWO, SETS("pools={\"gpu\": \"red-24gb\"}"));
	assert_int_equal(s->pools, 1);
	assert_string_equal(s->candidate[0].shown, "1 red-24gb");
	scenario_del(s);
}

/* What a result shows of a scenario can be read again, tables and own engines too. */
static void resolved_reads_again(void **state)
{
	struct scenario *s = read_good(
		TWO,
		SETS("deployment.router=length-aware",
		     "deployment.length_shares=[{\"input_max\": 50, \"shares\": [0.25, 0.75]}, "
		     "{\"shares\": [0, 1]}]"));
	char *text = cJSON_Print(s->resolved);
	struct scenario *again = read_good(text, NULL);
	char *more = cJSON_Print(again->resolved);

	(void)state;
	assert_ptr_equal(router_kinds[again->deployment.router], &router_length_aware);
	assert_int_equal(again->deployment.length_shares.count, 2);
	assert_string_equal(text, more);
	assert_null(strstr(text, "\"gpus\""));
	free(text);
	free(more);
	scenario_del(s);
	scenario_del(again);
}

static void prices_of_pools(void **state)
{
	struct diag d;
	struct scenario *s = read_with(TWO, NULL, SETS("red-24gb=0.7"), &d);

	(void)state;
	assert_non_null(s);
	assert_near(s->pool[0].candidate.price_override, 0.7, 0);
	assert_true(isnan(s->pool[1].candidate.price_override));
	scenario_del(s);
	assert_null(read_with(TWO, NULL, SETS("red-pcie-48gb=1"), &d));
	assert_non_null(strstr(d.allowed, "red-24gb, red-48gb+"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_are_read),
		cmocka_unit_test(sets_reach_inside),
		cmocka_unit_test(resolved_reads_again),
		cmocka_unit_test(prices_of_pools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
