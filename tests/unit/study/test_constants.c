/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "roofline/llm_cost.h"
#include "study/constants.h"
#include "unit/study/fixture.h"

#define LOAD                                                                                       \
	"{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 100, \"output\": 10}"

static const char *const cards[] = {"l4-24gb", "h100-sxm-80gb", NULL};

static const struct constant *find(const struct constants *c, const char *path)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(c->constant[i].path, path))
			return &c->constant[i];
	return NULL;
}

/* What decides times, at its place in the scenario; memory and power do not. */
static void lists_places(void **state)
{
	(void)state;
	struct fixture f;
	struct constants c;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD, "{}");
	f.s.engine.cost.request.value = 0;
	constants_list(&c, &f.s, 1);
	assert_ptr_equal(find(&c, "gpus[1].mbu")->figure, &f.candidate[1].gpu.mbu);
	assert_ptr_equal(find(&c, "engine.layer_us")->figure, &f.s.engine.cost.layer);
	assert_string_equal(find(&c, "engine.layer_us")->owner, "vllm");
	assert_string_equal(find(&c, "gpus[1].p")->owner, "h100-sxm-80gb");
	assert_non_null(find(&c, "engine.host_factor"));
	assert_null(find(&c, "engine.request_us"));
	assert_null(find(&c, "gpus[1].memory_gb"));
	assert_null(find(&c, "gpus[1].tdp_w"));
	assert_null(find(&c, "gpus[1].link_lat_us.2"));
	constants_free(&c);
	f.s.deployment.tensor_parallel = 2;
	constants_list(&c, &f.s, 0);
	assert_ptr_equal(find(&c, "gpus[0].link_lat_us.2")->figure,
			 &f.candidate[0].gpu.link_lat.at2);
	assert_ptr_equal(find(&c, "gpus[0].link_busbw_gbs.2")->figure,
			 &f.candidate[0].gpu.link_busbw.at2);
	constants_free(&c);
	fixture_free(&f);
}

/* mfu of each compute type that the precision uses, each once. */
static void lists_types_used(void **state)
{
	(void)state;
	struct fixture f;
	struct constants c;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD, "{}");
	struct figure_by_type *mfu = &f.candidate[1].gpu.mfu;
	mfu->of[COMPUTE_FP8].value = mfu->all.value = 0.6;
	f.s.precision.weights = FORMAT_FP8;
	constants_list(&c, &f.s, 1);
	assert_ptr_equal(find(&c, "gpus[1].mfu.fp8")->figure, &mfu->of[COMPUTE_FP8]);
	assert_ptr_equal(find(&c, "gpus[1].mfu.all")->figure, &mfu->all);
	constants_free(&c);
	f.s.precision.weights = FORMAT_BF16;
	constants_list(&c, &f.s, 1);
	assert_null(find(&c, "gpus[1].mfu.fp8"));
	constants_free(&c);
	fixture_free(&f);
}

/* Grouped kernels count where there are experts. */
static void lists_experts(void **state)
{
	(void)state;
	struct fixture f;
	struct constants c;

	fixture_init(&f, "mixtral-8x7b", cards, LOAD, "{}");
	constants_list(&c, &f.s, 0);
	assert_ptr_equal(find(&c, "gpus[0].expert_share")->figure,
			 &f.candidate[0].gpu.expert_share);
	constants_free(&c);
	fixture_free(&f);
	fixture_init(&f, "llama-3.1-8b", cards, LOAD, "{}");
	constants_list(&c, &f.s, 0);
	assert_null(find(&c, "gpus[0].expert_share"));
	constants_free(&c);
	fixture_free(&f);
}

/* What the program itself assumes is written into the GPU, and is worth what it was. */
static void writes_defaults(void **state)
{
	(void)state;
	struct fixture f;
	struct constants c;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD, "{}");
	struct gpu *g = &f.candidate[1].gpu;
	f.s.deployment.tensor_parallel = 4;
	record_free(&figure_tp_record, &g->link_busbw);
	record_init(&figure_tp_record, &g->link_busbw);
	double busbw = llm_link_byte_per_s(&f.s.engine.cost, g, 4);
	constants_list(&c, &f.s, 1);
	assert_ptr_equal(find(&c, "gpus[1].link_busbw_gbs.4")->figure, &g->link_busbw.at4);
	assert_true(llm_link_byte_per_s(&f.s.engine.cost, g, 4) == busbw);
	assert_int_equal(g->link_busbw.at4.origin, ORIGIN_ASSUMED);
	constants_free(&c);
	fixture_free(&f);
}

/* A copy's constants are its own. */
static void copies(void **state)
{
	(void)state;
	struct fixture f;
	struct constants c;

	fixture_init(&f, "llama-3.1-8b", cards, LOAD, "{}");
	double mbu = f.candidate[0].gpu.mbu.value, layer = f.s.engine.cost.layer.value;
	struct scenario *copy = constants_scenario(&f.s);
	constants_list(&c, copy, 0);
	for (size_t i = 0; i < c.n; i++)
		c.constant[i].figure->value = 7;
	assert_true(copy->candidate[0].gpu.mbu.value == 7 && copy->engine.cost.layer.value == 7);
	assert_true(f.candidate[0].gpu.mbu.value == mbu);
	assert_true(f.s.engine.cost.layer.value == layer);
	constants_free(&c);
	constants_scenario_del(copy);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_places),	 cmocka_unit_test(lists_types_used),
		cmocka_unit_test(lists_experts), cmocka_unit_test(writes_defaults),
		cmocka_unit_test(copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
