/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/question.h"

#include <unistd.h>

static bool read_book(struct question *q, const struct catalog *c, struct diag *d)
{
	if (!price_book_read(&q->book, catalog_price_book(c), c, d))
		return false;
	if (price_book_check_wish(&q->book, &q->scenario->prices, d))
		return true;
	scenario_locate(q->scenario, d);
	return false;
}

void question_tell_ignored(const struct options *o, const struct scenario *s)
{
	char *const *key = s->ignored.data;

	if (!o->verbose || !s->ignored.count)
		return;
	fputs("infercap: keys of config.json that have no say here:", stderr);
	for (size_t i = 0; i < s->ignored.count; i++)
		fprintf(stderr, "%s %s", i ? "," : "", key[i]);
	fputc('\n', stderr);
}

bool question_ask_from(struct question *q, const struct options *o,
		       const struct scenario_source *from, const struct scenario_options *options,
		       int replications, struct diag *d)
{
	*q = (struct question){.scenario = scenario_read_from(from, options, d)};
	if (!q->scenario || !read_book(q, from->catalog, d))
		return false;
	question_tell_ignored(o, q->scenario);
	q->setup = (struct evaluate_setup){
		.scenario = q->scenario,
		.book = &q->book,
		.replications =
			o->replications == RECORD_INT_UNSET ? replications : (int)o->replications,
		.jobs = o->jobs == RECORD_INT_UNSET ? 0 : (int)o->jobs,
		.rate_factor = 1,
		.quiet = o->quiet,
	};
	return true;
}

bool question_ask(struct question *q, const struct options *o, const char *const *gpus,
		  int replications, struct diag *d)
{
	struct scenario_options options;
	struct scenario_source from;

	*q = (struct question){0};
	options_scenario(o, &options);
	if (gpus) {
		options.gpus = gpus;
		options.gpus_option = "--from";
	}
	if (!scenario_source_open(&from, &options, d))
		return false;
	bool fine = question_ask_from(q, o, &from, &options, replications, d);
	scenario_source_close(&from);
	return fine;
}

void question_free(struct question *q)
{
	price_book_free(&q->book);
	scenario_del(q->scenario);
}

struct run_report_style question_style(const struct options *o)
{
	return (struct run_report_style){
		.color = !o->no_color && isatty(STDOUT_FILENO),
		.verbose = o->verbose,
	};
}
