/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/bench_result.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "traffic/length_kind.h"

/* Beyond such a difference between measured and stated mean lengths a user is told. */
#define LENGTHS_DIFFER 0.02

const struct bench_result_kind *const bench_result_kinds[] = {
	&bench_result_vllm,
	&bench_result_guidellm,
	&bench_result_inference_perf,
	NULL,
};

/* ---- for kinds ---- */

struct bench_run *bench_result_add(struct bench_result *r, const cJSON *item)
{
	struct bench_run *run;
	int line, column;

	json_doc_place(r->doc, item, &line, &column);
	r->run = xrealloc(r->run, (r->runs + 1) * sizeof *r->run);
	run = &r->run[r->runs++];
	*run = (struct bench_run){.line = line,
				  .rate_rps = NAN,
				  .burstiness = NAN,
				  .input_mean = NAN,
				  .output_mean = NAN,
				  .output_tokens_per_s = NAN};
	for (int m = 0; m < BENCH_METRICS; m++)
		for (int s = 0; s < BENCH_STATS; s++)
			run->ms[m][s] = NAN;
	return run;
}

bool bench_result_fail(struct bench_result *r, const cJSON *item, const char *path,
		       const char *message)
{
	if (item)
		json_doc_blame(r->doc, item, path, r->d);
	else
		json_doc_locate(r->doc, json_doc_root(r->doc), r->d);
	diag_path(r->d, path);
	return diag_fail(r->d, "%s", message);
}

bool bench_result_number(struct bench_result *r, const cJSON *object, const char *key, double scale,
			 double *value)
{
	const cJSON *item = json_doc_member(object, key);

	if (!item)
		return true;
	if (!cJSON_IsNumber(item))
		return bench_result_fail(r, item, key, "is to be a number");
	if (item->valuedouble < 0)
		return bench_result_fail(r, item, key, "a measured figure is not negative");
	if (item->valuedouble > 0)
		*value = item->valuedouble * scale;
	return true;
}

void bench_result_warn(struct bench_result *r, const struct bench_run *run, const char *format, ...)
{
	char message[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	record_texts_add(r->warnings,
			 xasprintf("%s:%ld: %s", json_doc_name(r->doc), run->line, message));
}

/* ---- reading documents ---- */

static const char *without_owner(const char *id)
{
	const char *slash = strrchr(id, '/');

	return slash ? slash + 1 : id;
}

/* Whether a server's name is the model's, or begins so: "Llama-3.1-8B-Instruct". */
static bool is_named(const char *served, const char *id)
{
	return id && strncasecmp(without_owner(served), without_owner(id),
				 strlen(without_owner(id))) == 0;
}

/* A server may call a model as it likes: a user is only told. */
static void compare_model(struct bench_result *r, const struct bench_run *run,
			  const struct scenario *s)
{
	const struct model *m = &s->model;

	if (run->model && !is_named(run->model, m->id) && !is_named(run->model, m->hf_id))
		bench_result_warn(r, run, "the run is of \"%s\", the scenario of \"%s\"",
				  run->model, m->id ? m->id : "a model of its own");
}

static void look_at(struct bench_result *r, const struct bench_run *run, const struct scenario *s)
{
	compare_model(r, run, s);
	if (run->failed > 0)
		bench_result_warn(r, run,
				  "%lld of %lld requests failed or were not finished: their times "
				  "are missing, so that what is left looks faster than it was",
				  (long long)run->failed, (long long)run->requests);
}

static bool unknown_result(struct bench_result *r)
{
	const char *names[COUNT(bench_result_kinds) + 1] = {NULL};

	for (size_t i = 0; bench_result_kinds[i]; i++)
		names[i] = bench_result_kinds[i]->name;
	diag_allowed(r->d, names);
	return bench_result_fail(r, json_doc_root(r->doc), "",
				 "is no result of a load generator that is known");
}

static bool read_root(struct bench_result *r, const struct scenario *s)
{
	const cJSON *root = json_doc_root(r->doc);
	size_t before = r->runs;

	for (const struct bench_result_kind *const *k = bench_result_kinds; *k; k++) {
		if (!(*k)->recognise(root))
			continue;
		if (!(*k)->read(r, root))
			return false;
		for (size_t i = before; i < r->runs; i++) {
			look_at(r, &r->run[i], s);
			r->run[i].model = NULL; /* the document's */
		}
		return true;
	}
	return unknown_result(r);
}

/* Python writes Infinity and NaN, which JSON does not have: "inf", null and spaces, places kept. */
static void mend_numbers(char *text)
{
	static const struct {
		const char *from, *to;
	} words[] = {{"Infinity", "\"inf\"   "}, {"NaN", "  0"}};
	bool inside = false;

	for (char *at = text; *at; at++) {
		if (*at == '\\' && inside && at[1])
			at++;
		else if (*at == '"')
			inside = !inside;
		for (size_t i = 0; !inside && i < COUNT(words); i++)
			if (strncmp(at, words[i].from, strlen(words[i].from)) == 0)
				memcpy(at, words[i].to, strlen(words[i].to));
	}
}

static bool read_document(struct bench_result *r, const char *file, char *text,
			  const struct scenario *s)
{
	struct json_doc *doc;
	bool good;

	mend_numbers(text);
	doc = json_doc_parse(file, text, r->d);
	r->doc = doc;
	good = doc && read_root(r, s);
	json_doc_del(doc);
	r->doc = NULL;
	return good;
}

/* ---- reading files ---- */

/* A file's lines. */
struct lines {
	char **line;
	size_t n;
};

static bool read_lines(struct lines *l, const char *file, struct diag *d)
{
	struct csv c;
	const char *line;

	*l = (struct lines){NULL};
	if (!csv_open(&c, file, d))
		return false;
	while ((line = csv_line(&c))) {
		l->line = xrealloc(l->line, (l->n + 1) * sizeof *l->line);
		l->line[l->n++] = xstrdup(line);
	}
	bool failed = c.failed;
	csv_close(&c);
	diag_at(d, failed ? file : "", 0, 0);
	return !failed || diag_fail(d, "cannot be read");
}

static void free_lines(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->line[i]);
	free(l->line);
}

static bool is_blank(const char *line)
{
	return !line[strspn(line, " \t\r")];
}

/* The first line that holds something, or the end. */
static size_t first_line(const struct lines *l)
{
	size_t i = 0;

	while (i < l->n && is_blank(l->line[i]))
		i++;
	return i;
}

/* Whether a line is a document: results appended to one file are one a line. */
static bool is_whole(const char *line)
{
	size_t length = strlen(line);

	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	return line[0] == '{' && length && line[length - 1] == '}';
}

/* Lines from..to - 1, behind as many empty ones as there are before, so that places are right. */
static char *join(const struct lines *l, size_t from, size_t to)
{
	size_t bytes = from + 1, at = from;
	char *text;

	for (size_t i = from; i < to; i++)
		bytes += strlen(l->line[i]) + 1;
	text = xmalloc(bytes);
	memset(text, '\n', from);
	for (size_t i = from; i < to; i++) {
		size_t length = strlen(l->line[i]);

		memcpy(text + at, l->line[i], length);
		text[at + length] = '\n';
		at += length + 1;
	}
	text[at - 1] = '\0';
	return text;
}

static bool read_documents(struct bench_result *r, const char *file, const struct lines *l,
			   const struct scenario *s)
{
	size_t first = first_line(l);
	bool apart = first < l->n && is_whole(l->line[first]), good = true;

	for (size_t i = first; i < l->n && good; i++) {
		if (is_blank(l->line[i]))
			continue;
		char *text = join(l, i, apart ? i + 1 : l->n);
		good = read_document(r, file, text, s);
		free(text);
		if (!apart)
			break;
	}
	return good;
}

/* ---- runs as rows ---- */

/* Columns before those of figures. */
enum { SOURCE, ARRIVALS, REQUESTS, WARMUP, INPUT, OUTPUT, FAILED, FIRST_FIGURE };
static const char *const headings[FIRST_FIGURE] = {
	"source",	 "traffic.arrivals", "traffic.requests", "traffic.warmup",
	"traffic.input", "traffic.output",   "fact.n_errors"};
static const char *const metric_names[BENCH_METRICS] = {"ttft_ms", "tpot_ms", "e2e_ms"};
static const char *const stat_names[BENCH_STATS] = {"mean", "p50", "p90", "p99"};

static void add_columns(struct measured_table *t)
{
	char heading[64];

	for (size_t i = 0; i < FIRST_FIGURE; i++)
		measured_add_column(t, headings[i]);
	for (size_t m = 0; m < BENCH_METRICS; m++)
		for (size_t s = 0; s < BENCH_STATS; s++) {
			snprintf(heading, sizeof heading, "=latency.%s.%s", metric_names[m],
				 stat_names[s]);
			measured_add_column(t, heading);
		}
	measured_add_column(t, "=throughput.output_tokens_per_s");
}

static char *arrivals_text(const struct bench_run *run)
{
	switch (run->arrivals) {
	case BENCH_OFFLINE:
		return xstrdup("{\"process\": \"offline\"}");
	case BENCH_CLOSED:
		return xasprintf("{\"process\": \"closed\", \"concurrency\": %lld}",
				 (long long)run->concurrency);
	case BENCH_CONSTANT:
		return xasprintf("{\"process\": \"constant\", \"rate\": %.9g}", run->rate_rps);
	case BENCH_POISSON:
		return xasprintf("{\"process\": \"poisson\", \"rate\": %.9g}", run->rate_rps);
	case BENCH_GAMMA:
		return xasprintf("{\"process\": \"gamma\", \"rate\": %.9g, \"burstiness\": %.9g}",
				 run->rate_rps, run->burstiness);
	case BENCH_AS_IN_SCENARIO:
		break;
	}
	return xasprintf("{\"rate\": %.9g}", run->rate_rps);
}

/* The law with the mean that was measured, NULL if it is that already or has no mean to set. */
static char *length_text(const struct length_law *law, double stated, double measured)
{
	if (!(fabs(measured / stated - 1) > LENGTHS_DIFFER))
		return NULL;
	if (law->dist == LENGTH_constant)
		return xasprintf("{\"value\": %.0f}", measured);
	if (isfinite(law->mean))
		return xasprintf("{\"mean\": %.6g}", law->mean * measured / stated);
	return NULL;
}

static void fill_length(struct measured_table *t, struct measured_row *row, size_t column,
			const struct length_law *law, const double mean[2],
			struct record_list *warnings)
{
	const char *what = column == INPUT ? "prompts" : "outputs";
	char *text = length_text(law, mean[0], mean[1]);

	if (!(fabs(mean[1] / mean[0] - 1) > LENGTHS_DIFFER))
		return;
	record_texts_add(warnings,
			 xasprintf("%s:%ld: %s had %.6g tokens in the mean, in the scenario %.6g: "
				   "%s",
				   t->file, row->line, what, mean[1], mean[0],
				   text ? "the measured mean is simulated"
					: "their law has no mean that could be set"));
	if (text)
		measured_fill(t, row, column, text);
}

/* A whole request is its first token and the others: it says more only where they were not timed.
 */
static bool is_needed(const struct bench_run *run, size_t metric)
{
	return metric != BENCH_E2E || isnan(run->ms[BENCH_TPOT][BENCH_MEAN]);
}

static void fill_figures(struct measured_table *t, struct measured_row *row,
			 const struct bench_run *run)
{
	size_t column = FIRST_FIGURE;

	for (size_t m = 0; m < BENCH_METRICS; m++)
		for (size_t s = 0; s < BENCH_STATS; s++, column++)
			if (is_needed(run, m) && isfinite(run->ms[m][s]))
				measured_fill(t, row, column, xasprintf("%.12g", run->ms[m][s]));
	if (isfinite(run->output_tokens_per_s))
		measured_fill(t, row, column, xasprintf("%.12g", run->output_tokens_per_s));
}

static void add_row(struct measured_table *t, const struct bench_run *run, const struct scenario *s,
		    struct record_list *warnings)
{
	struct measured_row *row = measured_add_row(t, run->line);
	const double input[] = {s->facts.input_mean, run->input_mean};
	const double output[] = {s->facts.output_mean, run->output_mean};

	measured_fill(t, row, SOURCE, xstrdup(t->file));
	measured_fill(t, row, ARRIVALS, arrivals_text(run));
	measured_fill(t, row, REQUESTS, xasprintf("%lld", (long long)run->requests));
	measured_fill(t, row, WARMUP, xstrdup("0"));
	fill_length(t, row, INPUT, &s->traffic.input, input, warnings);
	fill_length(t, row, OUTPUT, &s->traffic.output, output, warnings);
	measured_fill(t, row, FAILED, xasprintf("%lld", (long long)run->failed));
	fill_figures(t, row, run);
}

/* ---- the whole ---- */

/* Its arrivals are the runs', its lengths are simulated. */
static bool check_scenario(const struct scenario *s, const char *file, struct diag *d)
{
	if (!s->traffic.trace)
		return true;
	diag_path(d, "traffic.trace");
	scenario_locate(s, d);
	return diag_fail(d,
			 "a trace has times of its own, %s was sent at others: give arrivals and "
			 "lengths",
			 file);
}

static bool read_result(struct measured_table *t, const char *file, const struct lines *l,
			const struct scenario *s, struct record_list *warnings, struct diag *d)
{
	struct bench_result r = {.warnings = warnings, .d = d};
	bool good = check_scenario(s, file, d) && read_documents(&r, file, l, s);

	if (good) {
		measured_begin(t, file);
		add_columns(t);
		for (size_t i = 0; i < r.runs; i++)
			add_row(t, &r.run[i], s, warnings);
	}
	free(r.run);
	return good;
}

bool bench_result_read(struct measured_table *t, const char *file,
		       const struct scenario_source *from, const struct scenario_options *options,
		       struct record_list *warnings, struct diag *d)
{
	struct lines l;
	struct scenario *s;
	bool good = read_lines(&l, file, d);
	size_t first = first_line(&l);

	if (!good || first == l.n || !strchr("{[", l.line[first][strspn(l.line[first], " \t")])) {
		free_lines(&l);
		return good && measured_read_own(t, file, d);
	}
	s = scenario_read_from(from, options, d);
	good = s && read_result(t, file, &l, s, warnings, d);
	scenario_del(s);
	free_lines(&l);
	return good;
}
