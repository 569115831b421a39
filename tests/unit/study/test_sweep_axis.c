/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "scenario/set_path.h"
#include "study/sweep_axis.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"l4-24gb", NULL};
static struct fixture f;

/* The values in one text, "a|b|c"; release with free(). */
static char *values(const char *text, bool *numbers)
{
	struct sweep_axis a;
	struct diag d;
	char *joined = xstrdup("");

	diag_init(&d);
	if (!sweep_axis_read(&a, text, &f.s, &d))
		fail_msg("%s: %s", text, d.message);
	for (size_t i = 0; i < a.count; i++) {
		char *more = xasprintf("%s%s%s", joined, i ? "|" : "", a.value[i]);

		free(joined);
		joined = more;
	}
	*numbers = a.numbers;
	sweep_axis_free(&a);
	return joined;
}

static void expect(const char *text, const char *wanted, bool numbers)
{
	bool are;
	char *found = values(text, &are);

	assert_string_equal(found, wanted);
	assert_int_equal(are, numbers);
	free(found);
}

static void ranges(void **state)
{
	(void)state;
	expect("traffic.arrivals.rate=1:4:4", "1|2|3|4", true);
	expect("traffic.arrivals.rate=1:2:2", "1|2", true);
	expect("traffic.arrivals.rate=0.1:1:10", "0.1|0.2|0.3|0.4|0.5|0.6|0.7|0.8|0.9|1", true);
	expect("traffic.arrivals.rate=0.25:16:4:log", "0.25|1|4|16", true);
	expect("traffic.arrivals.rate=1e-3:1e3:3:log", "0.001|1|1000", true);
	expect("traffic.arrivals.rate=-1:1:3", "-1|0|1", true);
	expect("traffic.arrivals.rate=1:32:12",
	       "1|3.81818181818|6.63636363636|9.45454545455|12.2727272727|15.0909090909|"
	       "17.9090909091|20.7272727273|23.5454545455|26.3636363636|29.1818181818|32",
	       true);
}

/* Whole numbers of the scenario, by any name. */
static void ranges_of_whole_numbers(void **state)
{
	(void)state;
	expect("deployment.replicas=1:4:7", "1|2|3|4", true); /* 1.5 and 2.5 round away from 0 */
	expect("deployment.replicas=1:100:5:log", "1|3|10|32|100", true);
	expect("engine.max_num_seqs=1:2:5", "1|2", true);
	expect("engine.data_parallel_size=1:2:5", "1|2", true);
	expect("model.num_hidden_layers=8:10:5", "8|9|10", true);
	expect("traffic.seed=1:3:3", "1|2|3", true);
	expect("gpus[0].mbu=1:2:3", "1|1.5|2", true);
	expect("gpus[9].year=1:2:3", "1|1.5|2", true); /* no such GPU: the point says so */
	assert_int_equal(set_path_field(&f.s, "gpus[0].year")->kind, FIELD_INT);
	assert_null(set_path_field(&f.s, "gpus[1].year"));
	assert_null(set_path_field(&f.s, "engine"));
	assert_null(set_path_field(&f.s, "traffic.nothing"));
}

static void lists(void **state)
{
	(void)state;
	expect("engine=vllm,vllm-0.8", "vllm|vllm-0.8", false);
	expect("traffic.arrivals.rate=1,2,10", "1|2|10", true);
	expect("traffic.arrivals.rate=3,2", "3|2", false);
	expect("traffic.arrivals.rate=7", "7", true);
	expect("slo=null,{\"ttft_ms\":{\"p50\":1,\"p99\":2}}",
	       "null|{\"ttft_ms\":{\"p50\":1,\"p99\":2}}", false);
	expect("gpus=[\"l4\",\"t4\"],a100", "[\"l4\",\"t4\"]|a100", false);
	expect("name=\"a,b\",\"c\\\",d\"", "\"a,b\"|\"c\\\",d\"", false);
	expect("model.window_layers=all,5:1", "all|5:1", false);
	expect("slo={\"ttft_ms\":{\"p50\":1}}", "{\"ttft_ms\":{\"p50\":1}}", false);
}

static void expect_failure(const char *text, const char *message)
{
	struct sweep_axis a;
	struct diag d;
	char *place = xasprintf("--over %s", text);

	diag_init(&d);
	if (sweep_axis_read(&a, text, &f.s, &d))
		fail_msg("%s is read", text);
	if (!strstr(d.message, message))
		fail_msg("%s: %s", text, d.message);
	assert_string_equal(d.file, place);
	assert_int_equal(a.count, 0);
	free(place);
}

static void mistakes(void **state)
{
	(void)state;
	expect_failure("traffic.arrivals.rate", "PATH=lo:hi:n");
	expect_failure("=1:2:3", "PATH=lo:hi:n");
	expect_failure("a=", "value 1 is empty");
	expect_failure("a=1,,2", "value 2 is empty");
	expect_failure("a=1,2,", "value 3 is empty");
	expect_failure("a=1,2,1", "the value 1 stands twice");
	expect_failure("a=1:2", "not \"1:2\"");
	expect_failure("a=1:", "not \"1:\"");
	expect_failure("a=1::3", "not \"1::3\"");
	expect_failure("a=1:2:3:4", "not \"1:2:3:4\"");
	expect_failure("a=1:2:3:logs", "not \"1:2:3:logs\"");
	expect_failure("a=1:2:2.5", "not \"1:2:2.5\"");
	expect_failure("a=1:inf:3", "not \"1:inf:3\"");
	expect_failure("a=nan:2:3", "not \"nan:2:3\"");
	expect_failure("a=x:2:3", "not \"x:2:3\"");
	expect_failure("a=2:2:3", "2 is not below 2");
	expect_failure("a=3:2:3", "3 is not below 2");
	expect_failure("a=0:2:3:log", "begins above 0");
	expect_failure("a=1:2:1", "from 2 to 10000");
	expect_failure("a=1:2:-5", "from 2 to 10000");
	expect_failure("a=1:2:10001", "from 2 to 10000");
	expect_failure("a=1:2:99999999999999999999", "not \"1:2:9");
}

static int open_fixture(void **state)
{
	(void)state;
	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"poisson\", \"rate\": 1}, \"input\": 10, "
		     "\"output\": 10}",
		     "{}");
	return 0;
}

static int close_fixture(void **state)
{
	(void)state;
	fixture_free(&f);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges),
		cmocka_unit_test(ranges_of_whole_numbers),
		cmocka_unit_test(lists),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
