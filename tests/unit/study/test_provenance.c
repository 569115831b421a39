/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "study/provenance.h"
#include "unit/study/fixture.h"

static const char *const cards[] = {"l4-24gb", NULL};

static bool names(const struct record_list *list, const char *start)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strncmp(((char **)list->data)[i], start, strlen(start)))
			return true;
	return false;
}

static void list_of(struct record_list *list, struct fixture *f, int tp)
{
	struct unit u;

	unit_init(&u, &f->s, &f->candidate[0], tp);
	assert_int_equal(u.verdict, VERDICT_OK);
	provenance_list(list, &f->s.engine, &f->candidate[0].gpu, &u);
	unit_free(&u);
}

/* What was measured, fitted or assumed is named with its source; the datasheet's and the user's
 * own figures are not. */
static void names_what_is_not_given(void **state)
{
	(void)state;
	struct fixture f;
	struct record_list list;

	fixture_init(&f, "llama-3.1-8b", cards,
		     "{\"arrivals\": {\"process\": \"offline\"}, "
		     "\"input\": 10, \"output\": 10}",
		     "{}");
	struct gpu *g = &f.candidate[0].gpu;
	g->mbu.value = 0.9;
	g->mbu.origin = ORIGIN_GIVEN;
	g->ambu.origin = ORIGIN_FITTED;
	g->mfu.all.origin = ORIGIN_ASSUMED;
	list_of(&list, &f, 1);
	assert_true(names(&list, "mfu: assumed ("));
	assert_true(names(&list, "ambu: fitted ("));
	assert_true(names(&list, "layer_us: "));
	assert_false(names(&list, "mbu: "));
	assert_false(names(&list, "bandwidth_gbs"));
	assert_false(names(&list, "link_busbw_gbs"));
	provenance_free(&list);
	list_of(&list, &f, 2);
	assert_true(names(&list, "link_busbw_gbs: assumed ("));
	provenance_free(&list);
	record_free(&figure_tp_record, &g->link_busbw);
	record_init(&figure_tp_record, &g->link_busbw);
	list_of(&list, &f, 2);
	assert_true(names(&list, "link_busbw_gbs: assumed (a share of PCIe"));
	provenance_free(&list);
	fixture_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_is_not_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
