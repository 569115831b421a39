/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text says of verdicts that are made up: it formats, and simulates nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sweep_replace_report.h"
#include "report/sweep_report.h"

#define POINTS 4

static struct scenario *scenario;

static int read_scenario(void **state)
{
	static const char text[] = "{\"model\": \"llama-3.1-8b\", \"gpus\": \"l4\", \"traffic\": "
				   "{\"arrivals\": {\"rate\": 1}, \"input\": 9, \"output\": 9}, "
				   "\"slo\": {\"ttft_ms\": {\"p99\": 100}}}";
	const struct scenario_options options = {
		.file = "S", .text = text, .data_dir = ".", .seed = RECORD_INT_UNSET};
	struct diag d;

	(void)state;
	diag_init(&d);
	scenario = scenario_read(&options, &d);
	return scenario ? 0 : -1;
}

static int free_scenario(void **state)
{
	(void)state;
	scenario_del(scenario);
	return 0;
}

/* A sweep of traffic.x over 1, 2, 3, 4 or, with `grid`, of a over 1, 2 and b over x, y. */
struct made {
	struct sweep w;
	struct sweep_point point[POINTS];
	struct sweep_run run[2 * POINTS];
	struct sweep_runs runs;
};

static void make(struct made *m, bool grid)
{
	static char *numbers[] = {"1", "2", "3", "4"}, *letters[] = {"x", "y"};

	memset(m, 0, sizeof *m);
	m->w = (struct sweep){.axes = grid ? 2 : 1, .points = POINTS, .point = m->point};
	m->w.axis[0] = (struct sweep_axis){.path = grid ? "a" : "traffic.x",
					   .count = grid ? 2 : 4,
					   .value = numbers,
					   .numbers = true};
	m->w.axis[1] = (struct sweep_axis){.path = "b", .count = 2, .value = letters};
	for (size_t i = 0; i < POINTS; i++)
		m->point[i] =
			(struct sweep_point){{numbers[grid ? i / 2 : i], letters[i % 2]}, scenario};
	m->runs.run = m->run;
}

/* A run of a GPU at each point: 'o' holds, 'm' misses, 'g' grows, 'n' does not fit. */
static void add_gpu(struct made *m, const char *gpu, const char *states, double usd)
{
	static const char *const reasons[] = {"", "too slow", "too many", "too big"};

	for (size_t i = 0; i < POINTS; i++) {
		struct outcome o = {.gpu = gpu, .certain = true};

		o.verdict = (enum verdict)(strchr("omgn", states[i]) - "omgn");
		snprintf(o.reason, sizeof o.reason, "%s", reasons[o.verdict]);
		o.excess = states[i] == 'm' ? log(1.5) : log(0.5);
		o.usd_per_1k_requests = usd * (double)(i + 1);
		m->run[m->runs.n++] = (struct sweep_run){.point = i, .outcome = o};
	}
}

static char *print(const struct made *m)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	sweep_report_print(scenario, &m->w, &m->runs, (struct run_report_style){0}, to);
	fclose(to);
	return text;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in\n%s", part, text);
}

static void how_far_a_gpu_holds(void **state)
{
	(void)state;
	static const struct {
		const char *states, *said;
	} cases[] = {
		{"oooo", "A holds at all 4 points\n"},
		{"oomg", "A holds up to traffic.x 2; at traffic.x 3 slo-missed: too slow\n"},
		{"oogg", "A holds up to traffic.x 2; at traffic.x 3 overloaded: too many\n"},
		{"nnmo", "A holds from traffic.x 4 on; at traffic.x 1 does-not-fit: too big\n"},
		{"omoo",
		 "A holds at 3 of 4 points; first not at traffic.x 2 slo-missed: too slow\n"},
		{"gggg", "A holds at no point; at traffic.x 1 overloaded: too many\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made m;

		make(&m, false);
		add_gpu(&m, "A", cases[i].states, 1);
		char *text = print(&m);
		expect(text, cases[i].said);
		free(text);
	}
}

static void a_grid_has_no_end(void **state)
{
	(void)state;
	struct made m;

	make(&m, true);
	add_gpu(&m, "A", "oomm", 1);
	char *text = print(&m);
	expect(text, "A holds at 2 of 4 points; first not at a 2, b x slo-missed: too slow\n");
	free(text);
}

/* Two GPUs side by side: the cheapest of those that hold is named. */
static void a_line_a_point(void **state)
{
	(void)state;
	struct made m;

	make(&m, false);
	add_gpu(&m, "A", "oomg", 1);
	add_gpu(&m, "B", "mooo", 5);
	m.run[7].outcome.certain = false;
	char *text = print(&m);
	expect(text, "\n       1     0.500      1.00     1.50!      5.00  A\n");
	expect(text, "\n       2     0.500      2.00     0.500      10.0  A\n");
	expect(text, "\n       3     1.50!      3.00     0.500      15.0  B\n");
	expect(text, "\n       4     grows         -    0.500?      20.0  B\n");
	free(text);
}

/* ---- replacements ---- */

static void ratios_over_two_parameters(void **state)
{
	(void)state;
	struct made m;
	struct replacement r[POINTS];
	struct replace_side to[POINTS];
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	make(&m, true);
	memset(r, 0, sizeof r);
	memset(to, 0, sizeof to);
	for (size_t i = 0; i < POINTS; i++) {
		to[i] = (struct replace_side){.gpu = "B",
					      .candidate = 1,
					      .tensor_parallel = i == 3 ? 2 : 1,
					      .units = (int64_t)i + 2,
					      .count = i == 3 ? 10 : (int64_t)i + 2,
					      .ratio = (double)i + 1.5,
					      .cost_ratio = 0.75};
		r[i] = (struct replacement){
			.from = {.gpu = "A", .count = 2}, .sides = 1, .to = &to[i]};
	}
	to[2].verdict = VERDICT_CANNOT;
	to[2].ratio = (double)NAN;
	snprintf(to[2].reason, sizeof to[2].reason, "too slow");
	sweep_replace_report_print(scenario, &m.w, r, (struct run_report_style){0}, file);
	fclose(file);
	expect(text, "B for 2 A: 2 (a 1, b x) to 10 (a 2, b y) GPUs; cheaper at 3 of 3");
	expect(text, "ratio, unrounded; down: a, across: b\n");
	expect(text, "\n1       2        3\n2  cannot  5 x TP2\n");
	expect(text, "\n1    1.50        2.50\n2  cannot  4.50 x TP2\n");
	expect(text, "\n1   0.750  0.750\n2  cannot  0.750\n");
	expect(text, "B cannot at 1 of 4 points, first at a 2, b x: too slow\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_far_a_gpu_holds),
		cmocka_unit_test(a_grid_has_no_end),
		cmocka_unit_test(a_line_a_point),
		cmocka_unit_test(ratios_over_two_parameters),
	};

	return cmocka_run_group_tests(tests, read_scenario, free_scenario);
}
