/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/question.h"

#include <unistd.h>

static bool read_book(struct question *q, const struct options *o, struct diag *d)
{
	struct catalog *c = catalog_new(o->catalog.value, o->data_dir, d);
	bool fine = c && price_book_read(&q->book, catalog_price_book(c), c, d);

	catalog_del(c);
	if (!fine || price_book_check_wish(&q->book, &q->scenario->prices, d))
		return fine;
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

bool question_ask(struct question *q, const struct options *o, const char *const *gpus,
		  int replications, struct diag *d)
{
	struct scenario_options options;

	*q = (struct question){0};
	options_scenario(o, &options);
	if (gpus)
		options.gpus = gpus;
	q->scenario = scenario_read(&options, d);
	if (!q->scenario || !read_book(q, o, d))
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
