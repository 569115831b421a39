/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "serve/router_kind.h"
#include "serve/scheduling.h"

/* Reads text over the defaults and finishes; the diag's message, or "" if all is well. */
static const char *read(const struct record *record, void *object, const char *text, struct diag *d)
{
	diag_init(d);
	struct json_doc *doc = json_doc_parse("test", text, d);
	assert_non_null(doc);
	record_init(record, object);
	bool good = record_read(record, object, doc, json_doc_root(doc), "", ORIGIN_GIVEN, d) &&
		    record_finish(record, object, "", d);
	json_doc_del(doc);
	assert_int_equal(good, !d->set);
	return good ? "" : d->message;
}

static void defaults_are_a_recent_vllm(void **state)
{
	(void)state;
	struct scheduling s;
	struct deployment deployment;
	struct diag d;
	assert_string_equal(read(&scheduling_record, &s, "{}", &d), "");
	assert_int_equal(s.schedule_ahead, 1);
	assert_int_equal(s.max_num_seqs, RECORD_INT_UNSET);
	assert_int_equal(s.admission, ADMIT_FULL_SEQUENCE);
	assert_true(s.chunked_prefill);
	assert_string_equal(read(&deployment_record, &deployment, "{}", &d), "");
	assert_int_equal(deployment.replicas, 1);
	assert_int_equal(deployment.tensor_parallel, 1);
	assert_ptr_equal(router_kinds[deployment.router], &router_least_loaded);
}

static void values_are_read(void **state)
{
	(void)state;
	struct scheduling s;
	struct deployment deployment;
	struct diag d;
	const char *text = "{\"max_num_seqs\": 7, \"admission\": \"first-chunk\", "
			   "\"max_num_batched_tokens\": 7, \"chunked_prefill\": false}";
	assert_string_equal(read(&scheduling_record, &s, text, &d), "");
	assert_int_equal(s.max_num_seqs, 7);
	assert_int_equal(s.admission, ADMIT_FIRST_CHUNK);
	assert_false(s.chunked_prefill);
	text = "{\"router\": \"power-of-two\", \"replicas\": 3}";
	assert_string_equal(read(&deployment_record, &deployment, text, &d), "");
	assert_ptr_equal(router_kinds[deployment.router], &router_power_of_two);
}

static void expect_refusal(const struct record *record, const char *text, const char *part)
{
	struct scheduling s;
	struct deployment deployment;
	struct diag d;
	bool is_engine = record == &scheduling_record;
	const char *message = read(record, is_engine ? (void *)&s : (void *)&deployment, text, &d);
	if (!strstr(message, part))
		fail_msg("%s: \"%s\" does not say \"%s\"", text, message, part);
}

static void what_is_not_built_is_refused_by_name(void **state)
{
	(void)state;
	const char *not_yet = "not in this version";
	expect_refusal(&scheduling_record, "{\"scheduler\": \"dynamic\"}", not_yet);
	expect_refusal(&scheduling_record, "{\"max_batch\": 8}", "only \"static\" does");
	expect_refusal(&scheduling_record, "{\"max_delay_ms\": 8}", "\"continuous\" makes no");
	expect_refusal(&scheduling_record, "{\"policy\": \"priority\"}", not_yet);
	expect_refusal(&scheduling_record, "{\"preemption\": \"swap\"}", not_yet);
	expect_refusal(&scheduling_record, "{\"prefix_caching\": true}", not_yet);
	expect_refusal(&deployment_record, "{\"router\": \"prefix-affinity\"}", not_yet);
	expect_refusal(&deployment_record, "{\"pipeline_parallel\": 2}", not_yet);
	expect_refusal(&deployment_record, "{\"offload\": \"cpu\"}", not_yet);
	expect_refusal(&scheduling_record, "{\"max_num_seqs\": 8, \"max_num_batched_tokens\": 7}",
		       "max_num_seqs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_a_recent_vllm),
		cmocka_unit_test(values_are_read),
		cmocka_unit_test(what_is_not_built_is_refused_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
