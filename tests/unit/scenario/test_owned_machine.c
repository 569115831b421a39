/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "near.h"

#include "scenario/owned_machine.h"
#include "scenario/scenario.h"

#define TRAFFIC "\"traffic\": {\"arrivals\": {\"rate\": 2}, \"input\": 100, \"output\": 10}"
#define OWNED                                                                                      \
	"\"prices\": {\"owned\": {\"gpu\": \"h100\", \"gpus\": 8, \"usd\": 350640, \"years\": 4, " \
	"\"watts\": 10000, \"pue\": 1.5, \"usd_per_kwh\": 0.1}}"
#define SCENARIO(gpus) "{\"model\": \"llama-3.1-8b\", \"gpus\": " gpus ", " TRAFFIC ", " OWNED "}"

static struct scenario *read_with(const char *text, const char *const *gpus,
				  const char *const *sets, struct diag *d)
{
	const struct scenario_options o = {.file = "S",
					   .text = text,
					   .gpus = gpus,
					   .sets = sets,
					   .data_dir = ".",
					   .seed = RECORD_INT_UNSET};

	diag_init(d);
	return scenario_read(&o, d);
}

static struct scenario *read_good(const char *text, const char *const *gpus)
{
	struct diag d;
	struct scenario *s = read_with(text, gpus, NULL, &d);

	if (!s)
		fail_msg("%s:%d:%d: %s: %s", d.file, d.line, d.column, d.path, d.message);
	return s;
}

static const struct owned_machine *machine(const struct scenario *s)
{
	return s->prices.owned.data;
}

/* 350,640 $ over 4 x 8,766 h are 10 $/h; 10 kW x 1.5 x 0.1 $ are 1.5 $/h. */
static void an_hour_by_hand(void **state)
{
	struct owned_machine m = {.gpu = (char *)"h100-sxm-80gb",
				  .gpus = 8,
				  .usd = 350640,
				  .years = 4,
				  .watts = 10000,
				  .pue = 1.5,
				  .usd_per_kwh = 0.1};
	char *text = owned_machine_text(&m);

	(void)state;
	assert_near(owned_machine_usd_per_hour(&m), 11.5, 1e-12);
	assert_string_equal(text, "8 x h100-sxm-80gb, 350640 US$ over 4 years, 10000 W at PUE 1.5 "
				  "and 0.1 US$/kWh");
	free(text);
	m.usd = 0;
	assert_near(owned_machine_usd_per_hour(&m), 1.5, 1e-12);
	m.usd = 8766;
	m.years = 1;
	m.usd_per_kwh = 0;
	assert_near(owned_machine_usd_per_hour(&m), 1, 1e-12);
}

static void its_gpu_is_found_in_the_catalogue(void **state)
{
	struct scenario *s = read_good(SCENARIO("[\"l4\"]"), NULL);

	(void)state;
	assert_int_equal(s->prices.owned.count, 1);
	assert_string_equal(machine(s)->gpu, "h100-sxm-80gb");
	assert_int_equal(machine(s)->gpus, 8);
	scenario_del(s);
}

/* An override of the base is priced as its base is, unless a machine is said to be of it. */
static void an_override_may_be_bought_alone(void **state)
{
	static const char text[] =
		"{\"model\": \"llama-3.1-8b\", \"gpus\": [\"h100\", {\"base\": \"h100\", \"id\": "
		"\"ours\"}], " TRAFFIC
		", \"prices\": {\"owned\": [{\"gpu\": \"OURS\", \"usd\": 1, \"years\": 1, "
		"\"watts\": 1, \"pue\": 1, \"usd_per_kwh\": 0}]}}";
	static const char *const l4[] = {"l4", NULL};
	struct scenario *s = read_good(text, NULL);

	(void)state;
	assert_string_equal(machine(s)->gpu, "ours");
	assert_int_equal(machine(s)->gpus, 1);
	assert_string_equal(s->candidate[0].gpu.id, "h100-sxm-80gb");
	assert_string_equal(s->candidate[1].gpu.id, "ours");
	scenario_del(s);
	s = read_good(text, l4); /* it is not asked for, and no mistake */
	assert_string_equal(machine(s)->gpu, "OURS");
	scenario_del(s);
	s = read_good(SCENARIO("[\"h100\", {\"base\": \"h100\", \"id\": \"ours\"}]"), NULL);
	assert_string_equal(s->candidate[1].gpu.id, "h100-sxm-80gb");
	scenario_del(s);
}

static void mistakes_are_located(void **state)
{
	static const struct {
		const char *set, *path;
	} bad[] = {
		{"prices.owned[0].gpu=h10o", "prices.owned[0].gpu"},
		{"prices.owned[0].gpus=0", "prices.owned[0].gpus"},
		{"prices.owned[0].usd=-1", "prices.owned[0].usd"},
		{"prices.owned[0].years=0", "prices.owned[0].years"},
		{"prices.owned[0].watts=-1", "prices.owned[0].watts"},
		{"prices.owned[0].pue=0.9", "prices.owned[0].pue"},
		{"prices.owned[0].usd_per_kwh=-0.1", "prices.owned[0].usd_per_kwh"},
		{"prices.owned[0].price=1", "prices.owned[0].price"},
		{"prices.owned=[{\"gpu\": \"h100\", \"usd\": 1}]", "prices.owned[0].years"},
		{"prices.owned=[{\"gpu\": \"h100\", \"usd\": 0, \"years\": 1, \"watts\": 0, "
		 "\"pue\": 1, \"usd_per_kwh\": 1}]",
		 "prices.owned[0].usd"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const sets[] = {bad[i].set, NULL};
		struct diag d;

		if (read_with(SCENARIO("[\"l4\"]"), NULL, sets, &d))
			fail_msg("%s is taken", bad[i].set);
		assert_string_equal(d.path, bad[i].path);
		assert_int_equal(d.line, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_hour_by_hand),
		cmocka_unit_test(its_gpu_is_found_in_the_catalogue),
		cmocka_unit_test(an_override_may_be_bought_alone),
		cmocka_unit_test(mistakes_are_located),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
