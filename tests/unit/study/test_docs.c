/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * docs/scenario.md and docs/results.md name every field that the program reads or writes. A section
 * between "<!-- NAME -->" and "<!-- end -->" is generated from the field tables and the lists of
 * kinds; in docs/results.md the definitions, the last column, are kept by key and must be there.
 * Run with --update to rewrite the sections.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "scenario/engine_flags.h"
#include "scenario/owned_machine.h"
#include "serve/router_kind.h"
#include "study/capacity_result.h"
#include "study/mix.h"
#include "study/replace.h"
#include "study/validation_goal.h"
#include "study/run_data.h"
#include "study/trace_report.h"
#include "traffic/arrival_kind.h"
#include "traffic/length_kind.h"
#include "traffic/trace_format.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool update;

/* One section: its name and what writes it. `old` is the section as it stands in the file. */
struct section {
	const char *name;
	void (*write)(FILE *to, const void *what, const char *old);
	const void *what;
};

/* ---- the cells of a scenario's table ---- */

static void put_number(FILE *to, double value)
{
	char text[32], *plus;

	snprintf(text, sizeof(text), "%g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	for (plus = strstr(text, "e+"); plus && (plus[1] == '+' || plus[1] == '0');)
		memmove(plus + 1, plus + 2, strlen(plus + 1));
	fputs(text, to);
}

/* Choices that are built, or with `later` those that are not. */
static size_t put_choices(FILE *to, const struct field *f, bool later)
{
	size_t n = 0;

	for (const char *const *name = f->of; *name; name++)
		if ((**name == '!') == later)
			fprintf(to, "%s`%s`", n++ ? ", " : "", *name + later);
	return n;
}

/* "[us]" at the end of a help text, or NULL. */
static const char *unit_of(const struct field *f)
{
	size_t length = f->help ? strlen(f->help) : 0;

	return length && f->help[length - 1] == ']' ? strrchr(f->help, '[') : NULL;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static const char *type_of(const struct field *f)
{
	switch (f->kind) {
	case FIELD_BOOL:
		return "true or false";
	case FIELD_INT:
		return "whole number";
	case FIELD_REAL:
		return "number";
	case FIELD_TEXT:
		return f->flags & FIELD_PATH ? "file" : f->flags & FIELD_OPEN ? "anything" : "text";
	case FIELD_LIST:
		return f->flags & FIELD_TEXTS	? "list of texts"
		       : f->flags & FIELD_PAIRS ? "list of pairs"
		       : f->of			? "list"
						: "list of numbers";
	default:
		return "list of numbers";
	}
}

static void put_type(FILE *to, const struct field *f)
{
	const char *name = f->kind == FIELD_RECORD ? ((const struct record *)f->of)->name : NULL;

	if (name) {
		fprintf(to, "[%s](#", name);
		for (; *name; name++)
			fputc(*name == ' ' ? '-' : *name | 0x20, to);
		fputc(')', to);
	} else if (f->kind == FIELD_CHOICE) {
		put_choices(to, f, false);
	} else {
		fputs(type_of(f), to);
	}
	if (unit_of(f))
		fprintf(to, " %s", unit_of(f));
	else if (ends_with(f->key, "_s"))
		fputs(" [s]", to);
}

static void put_default(FILE *to, const struct field *f)
{
	cJSON *json = f->def ? cJSON_Parse(f->def) : NULL;
	const cJSON *value = cJSON_GetObjectItem(json, "value");
	const cJSON *origin = cJSON_GetObjectItem(json, "origin");

	if (f->flags & FIELD_REQUIRED)
		fputs("required", to);
	else if (value && origin)
		fprintf(to, "%g, %s", value->valuedouble, origin->valuestring);
	else if (f->def)
		fprintf(to, "`%.*s`", (int)strlen(f->def) - 2 * (*f->def == '"'),
			f->def + (*f->def == '"'));
	else if (f->kind != FIELD_RECORD || f->of == &figure_record)
		fputs(f->flags & FIELD_AUTO ? "`auto`" : "none", to);
	cJSON_Delete(json);
}

static void put_range(FILE *to, const struct field *f)
{
	bool above = f->flags & FIELD_ABOVE_MIN;
	bool bounded = f->max > f->min && !isinf(f->max);

	if (f->min == 0 && f->max == 0 && !above)
		return;
	if (above)
		fputs("above ", to);
	else if (!bounded)
		fputs("from ", to);
	put_number(to, f->min);
	if (!bounded)
		return;
	fputs(above ? ", up to " : " to ", to);
	put_number(to, f->max);
}

/* The tag's choices for which the key applies. */
static void put_when(FILE *to, const struct record *r, const struct field *f)
{
	const struct field *tag = NULL;
	size_t n = 0;

	for (size_t i = 0; f->when && i < r->fields; i++)
		if (strcmp(r->field[i].key, r->tag) == 0)
			tag = &r->field[i];
	if (!tag)
		return;
	for (unsigned i = 0; ((const char *const *)tag->of)[i]; i++)
		if (f->when & (1u << i))
			fprintf(to, "%s%s", n++ ? ", " : " (", ((const char *const *)tag->of)[i]);
	fputs(")", to);
}

static void put_meaning(FILE *to, const struct record *r, const struct field *f)
{
	const char *unit = unit_of(f);
	int length = unit ? (int)(unit - f->help) : (int)strlen(f->help);

	while (length && f->help[length - 1] == ' ')
		length--;
	fprintf(to, "%.*s", length, f->help);
	put_when(to, r, f);
}

static void put_rows(FILE *to, const struct record *r)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->flags & FIELD_NOT_YET)
			continue;
		if (f->flags & FIELD_INLINE) {
			put_rows(to, f->of);
			continue;
		}
		if (!f->help)
			fail_msg("%s of %s has no help", f->key, r->name);
		fprintf(to, "| `%s` | ", f->key);
		put_type(to, f);
		fputs(" | ", to);
		put_default(to, f);
		fputs(" | ", to);
		put_range(to, f);
		fputs(" | ", to);
		put_meaning(to, r, f);
		fputs(" |\n", to);
	}
}

static size_t put_later(FILE *to, const struct record *r, size_t n)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->flags & FIELD_INLINE)
			n = put_later(to, f->of, n);
		else if (f->flags & FIELD_NOT_YET)
			fprintf(to, "%s`%s`", n++ ? ", " : "\nNot in this version: ", f->key);
	}
	return n;
}

/* "policy" may be later "priority", "shortest-first". */
static size_t put_later_choices(FILE *to, const struct record *r, size_t n)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];
		const char *const *name = f->kind == FIELD_CHOICE ? f->of : NULL;

		if (f->flags & FIELD_INLINE)
			n = put_later_choices(to, f->of, n);
		while (name && *name && **name != '!')
			name++;
		if (!name || !*name)
			continue;
		fprintf(to, "%s`%s`: ", n++ ? "; " : "\nNot in this version: ", f->key);
		put_choices(to, f, true);
	}
	return n;
}

static void write_fields(FILE *to, const void *what, const char *old)
{
	const struct record *r = what;

	(void)old;
	fputs("| key | value | default | range | meaning |\n|---|---|---|---|---|\n", to);
	put_rows(to, r);
	if (put_later(to, r, 0))
		fputs(".\n", to);
	if (put_later_choices(to, r, 0))
		fputs(".\n", to);
}

/* ---- lists of kinds ---- */

static void put_kind(FILE *to, const char *name, const char *help)
{
	fprintf(to, "| `%s` | %s |\n", name, help);
}

static void write_processes(FILE *to, const void *what, const char *old)
{
	(void)what;
	(void)old;
	fputs("| process | meaning |\n|---|---|\n", to);
	for (const struct arrival_kind *const *k = arrival_kinds; *k; k++)
		put_kind(to, (*k)->name, (*k)->help);
}

static void write_laws(FILE *to, const void *what, const char *old)
{
	(void)what;
	(void)old;
	fputs("| dist | meaning |\n|---|---|\n", to);
	for (const struct length_kind *const *k = length_kinds; *k; k++)
		put_kind(to, (*k)->name, (*k)->help);
}

static void write_routers(FILE *to, const void *what, const char *old)
{
	(void)what;
	(void)old;
	fputs("| router | meaning |\n|---|---|\n", to);
	for (const struct router_kind *const *k = router_kinds; *k; k++)
		put_kind(to, (*k)->name, (*k)->help);
}

static void write_traces(FILE *to, const void *what, const char *old)
{
	(void)what;
	(void)old;
	fputs("| format | read from |\n|---|---|\n", to);
	for (const struct trace_format *const *k = trace_formats; *k; k++)
		if (!(*k)->refused)
			put_kind(to, (*k)->name, (*k)->help);
	fputs("\nRecognised and refused:", to);
	for (const struct trace_format *const *k = trace_formats, *const *first = k; *k; k++)
		if ((*k)->refused)
			fprintf(to, "%s %s (it %s)", k == first ? "" : ",", (*k)->name,
				(*k)->refused);
	fputs(".\n", to);
}

static void write_flags(FILE *to, const void *what, const char *old)
{
	(void)what;
	(void)old;
	fputs("| vLLM's name | means |\n|---|---|\n", to);
	for (const struct engine_flag *f = engine_flags; f->flag; f++)
		fprintf(to, "| `%s` | `%s` |\n", f->flag, f->path);
}

/* ---- the tables of results ---- */

/* What stands behind the last column's bar in the old row of that key, or NULL. */
static const char *old_definition(const char *old, const char *key, int *length)
{
	char *start = xasprintf("| `%s` |", key);
	const char *row = strstr(old, start);

	row = row ? strchr(row + strlen(start), '|') : NULL;
	free(start);
	if (!row)
		return NULL;
	*length = (int)strcspn(row + 1, "\n");
	return row + 1;
}

static void put_result(FILE *to, const char *path, const char *unit, const char *old)
{
	int length = 0;
	const char *definition = old_definition(old, path, &length);

	if (!definition && !update)
		fail_msg("docs/results.md does not define %s", path);
	fprintf(to, "| `%s` | %s |", path, unit);
	fprintf(to, "%.*s\n", definition ? length : 5, definition ? definition : " ? |");
}

/* Statistics: a record of numbers in one unit, whole or not, which has one row. */
static bool is_statistics(const struct record *r)
{
	for (size_t i = 0; i < r->fields; i++)
		if (r->field[i].kind > FIELD_REAL || !r->field[i].help ||
		    strcmp(r->field[i].help, r->field[0].help) != 0)
			return false;
	return r->fields > 2 && *r->field[0].help;
}

static const char *unit_of_result(const struct field *f)
{
	static const char *const by_end[][2] = {{"_rps", "req/s"},
						{"requests_per_s", "req/s"},
						{"usd_per_hour", "$/h"},
						{"usd_per_hour_share", "$/h"},
						{"usd_per_1k_requests", "$"},
						{"_ms_p99", "ms"},
						{"span_s", "s"}};

	if (f->kind == FIELD_CHOICE)
		return "text";
	if (f->kind == FIELD_BOOL || f->kind == FIELD_TEXT || f->kind == FIELD_LIST)
		return type_of(f);
	if (f->help && strlen(f->help) < 10)
		return f->help;
	for (size_t i = 0; i < COUNT(by_end); i++)
		if (ends_with(f->key, by_end[i][0]) || strcmp(f->key, by_end[i][0]) == 0)
			return by_end[i][1];
	return "";
}

static void put_results(FILE *to, const struct record *r, const char *path, const char *old)
{
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->flags & FIELD_INLINE) {
			put_results(to, f->of, path, old);
			continue;
		}
		char *name = xasprintf("%s%s%s", path, *path ? "." : "", f->key);

		if (f->kind == FIELD_RECORD &&
		    (f->of == &price_choice_record || f->flags & FIELD_POINTER))
			put_result(to, name, "object", old);
		else if (f->kind == FIELD_RECORD && is_statistics(f->of))
			put_result(to, name, ((const struct record *)f->of)->field->help, old);
		else if (f->kind == FIELD_RECORD)
			put_results(to, f->of, name, old);
		else
			put_result(to, name, unit_of_result(f), old);
		free(name);
	}
}

static void write_results(FILE *to, const void *what, const char *old)
{
	fputs("| field | unit | definition |\n|---|---|---|\n", to);
	put_results(to, what, "", old);
}

/* ---- files ---- */

static const struct section scenario_sections[] = {
	{"fields of scenario", write_fields, &scenario_record},
	{"fields of precision", write_fields, &precision_record},
	{"fields of deployment", write_fields, &deployment_record},
	{"routers", write_routers, NULL},
	{"fields of length share", write_fields, &length_share_record},
	{"fields of pool", write_fields, &pool_record},
	{"fields of traffic", write_fields, &traffic_record},
	{"fields of arrivals", write_fields, &arrivals_record},
	{"processes", write_processes, NULL},
	{"fields of length", write_fields, &length_law_record},
	{"laws", write_laws, NULL},
	{"traces", write_traces, NULL},
	{"fields of SLO", write_fields, &slo_record},
	{"fields of limits", write_fields, NULL},
	{"fields of prices", write_fields, &price_wish_record},
	{"fields of owned machine", write_fields, &owned_machine_record},
	{"fields of engine", write_fields, &engine_record},
	{"vLLM's names", write_flags, NULL},
	{"fields of GPU", write_fields, &gpu_record},
	{"fields of figure by compute type", write_fields, NULL},
	{"fields of table by GPUs", write_fields, &figure_tp_record},
	{"fields of figure", write_fields, &figure_record},
	{"fields of model", write_fields, &model_record},
};

static const struct section result_sections[] = {
	{"run", write_results, &outcome_record},
	{"run data", write_results, &run_data_record},
	{"roofline", write_results, &roofline_use_record},
	{"phase", write_results, &roofline_phase_record},
	{"term", write_results, &roofline_term_record},
	{"pool", write_results, &outcome_pool_record},
	{"price", write_results, &price_choice_record},
	{"capacity", write_results, &capacity_result_record},
	{"replace from", write_results, &replace_from_record},
	{"replace to", write_results, &replace_to_record},
	{"replace curve", write_results, &cost_point_record},
	{"fleet", write_results, &mix_fleet_record},
	{"fleet pool", write_results, &mix_pool_record},
	{"fleet class", write_results, &mix_class_record},
	{"trace", write_results, &trace_report_record},
	{"validated figure", write_results, &validation_point_record},
	{"validated group", write_results, &validation_group_record},
	{"goal", write_results, &validation_goal_record},
	{"ratio", write_results, &validation_ratio_record},
	{"left out", write_results, &validation_left_record},
};

static char *read_file(const char *name)
{
	FILE *from = fopen(name, "r");
	char *text = xcalloc(1, 1 << 20);

	if (!from)
		fail_msg("%s cannot be read", name);
	text[fread(text, 1, (1 << 20) - 1, from)] = '\0';
	fclose(from);
	return text;
}

/* The record of that name at or below r. */
static const struct record *find_record(const struct record *r, const char *name)
{
	const struct record *found = strcmp(r->name, name) == 0 ? r : NULL;

	for (size_t i = 0; i < r->fields && !found; i++)
		if (r->field[i].kind == FIELD_RECORD && !(r->field[i].flags & FIELD_INLINE))
			found = find_record(r->field[i].of, name);
	return found;
}

/* Those that are static in their files are found below these. */
static const void *what_of(const struct section *s)
{
	const char *name = s->name + strlen("fields of ");
	const struct record *r = s->what;

	if (!r && s->write == write_fields)
		r = find_record(&slo_record, name);
	if (!r && s->write == write_fields)
		r = find_record(&gpu_record, name);
	if (!r && s->write == write_fields)
		fail_msg("there is no record %s", name);
	return r;
}

/* Copies `text` with each section anew; all must be there, in order. */
static void write_file(FILE *to, const char *name, const char *text, const struct section *s,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *mark = xasprintf("<!-- %s -->\n", s[i].name);
		const char *begin = strstr(text, mark);
		const char *end = begin ? strstr(begin, "<!-- end -->") : NULL;

		if (!end) {
			fail_msg("%s has no section %s, or not in its place", name, mark);
			return;
		}
		begin += strlen(mark);
		char *old = xasprintf("%.*s", (int)(end - begin), begin);
		fwrite(text, 1, (size_t)(begin - text), to);
		s[i].write(to, what_of(&s[i]), old);
		free(old);
		free(mark);
		text = end;
	}
	fputs(text, to);
}

static void fail_at_difference(const char *name, const char *is, const char *should)
{
	int line = 1;
	size_t start = 0, i;

	for (i = 0; is[i] && is[i] == should[i]; i++)
		if (is[i] == '\n') {
			line++;
			start = i + 1;
		}
	fail_msg("%s:%d is\n%.*s\nthe program has\n%.*s\n(test_study_docs --update)", name, line,
		 (int)strcspn(is + start, "\n"), is + start, (int)strcspn(should + start, "\n"),
		 should + start);
}

static void check_file(const char *name, const struct section *s, size_t n)
{
	char *old = read_file(name), *fresh = NULL;
	size_t size;
	FILE *to = open_memstream(&fresh, &size);

	write_file(to, name, old, s, n);
	fclose(to);
	if (update && strcmp(old, fresh) != 0) {
		to = fopen(name, "w");
		assert_non_null(to);
		assert_int_equal(fwrite(fresh, 1, size, to), size);
		assert_int_equal(fclose(to), 0);
	} else if (strcmp(old, fresh) != 0) {
		fail_at_difference(name, old, fresh);
	}
	if (!update && strstr(fresh, "| ? |"))
		fail_msg("%s has a field without a definition", name);
	free(fresh);
	free(old);
}

static void test_scenario(void **state)
{
	(void)state;
	check_file("docs/scenario.md", scenario_sections, COUNT(scenario_sections));
}

static void test_results(void **state)
{
	(void)state;
	check_file("docs/results.md", result_sections, COUNT(result_sections));
}

/* Every record at or below r has a section of its own. */
static void check_covered(const struct record *r)
{
	bool found = false;

	for (size_t i = 0; i < COUNT(scenario_sections); i++)
		found |= scenario_sections[i].write == write_fields &&
			 strcmp(scenario_sections[i].name + strlen("fields of "), r->name) == 0;
	if (!found)
		fail_msg("docs/scenario.md has no section for %s", r->name);
	for (size_t i = 0; i < r->fields; i++) {
		const struct field *f = &r->field[i];

		if (f->kind == FIELD_RECORD || (f->kind == FIELD_LIST && f->of))
			check_covered(f->of);
	}
}

static void test_no_record_is_left_out(void **state)
{
	(void)state;
	check_covered(&scenario_record);
	check_covered(&engine_record);
	check_covered(&gpu_record);
	check_covered(&model_record);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenario),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_no_record_is_left_out),
	};

	update = argc > 1 && strcmp(argv[1], "--update") == 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
