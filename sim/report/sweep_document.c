/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_document.h"

#include "base/csv.h"
#include "report/document.h"
#include "report/record_csv.h"

/* {"traffic.arrivals.rate": 4}: a value is JSON if it parses, else text, as behind a --set. */
static void write_point(struct json_write *w, const struct sweep *sweep, size_t point)
{
	json_write_key(w, "point");
	json_write_open(w, '{');
	for (size_t i = 0; i < sweep->axes; i++) {
		const char *text = sweep->point[point].value[i];
		cJSON *value = cJSON_ParseWithOpts(text, NULL, true);

		json_write_key(w, sweep->axis[i].path);
		if (value)
			json_write_tree(w, value);
		else
			json_write_text(w, text);
		cJSON_Delete(value);
	}
	json_write_close(w, '}');
}

static void write_run(struct json_write *w, const struct sweep *sweep, const struct sweep_run *run)
{
	cJSON *tree = record_to_json(&outcome_record, &run->outcome);

	json_write_open(w, '{');
	write_point(w, sweep, run->point);
	for (const cJSON *item = tree->child; item; item = item->next) {
		json_write_key(w, item->string);
		json_write_tree(w, item);
	}
	json_write_close(w, '}');
	cJSON_Delete(tree);
}

static void write_replacement(struct json_write *w, const struct sweep *sweep, size_t point,
			      const struct replacement *r)
{
	json_write_open(w, '{');
	write_point(w, sweep, point);
	json_write_key(w, "from");
	document_record(w, &replace_from_record, &r->from);
	document_list(w, "to", &replace_to_record, r->to, r->sides);
	json_write_close(w, '}');
}

static void open_results(struct json_write *w, const struct scenario *s, FILE *to)
{
	document_open(w, to, "sweep", s->resolved, s->traffic.seed);
	json_write_key(w, "results");
	json_write_open(w, '[');
}

void sweep_document_runs(const struct scenario *s, const struct sweep *w,
			 const struct sweep_runs *r, FILE *to)
{
	struct json_write out;

	open_results(&out, s, to);
	for (size_t i = 0; i < r->n; i++)
		write_run(&out, w, &r->run[i]);
	json_write_close(&out, ']');
	document_close(&out);
}

void sweep_document_replacements(const struct scenario *s, const struct sweep *w,
				 const struct replacement *r, FILE *to)
{
	struct json_write out;

	open_results(&out, s, to);
	for (size_t i = 0; i < w->points; i++)
		write_replacement(&out, w, i, &r[i]);
	json_write_close(&out, ']');
	document_close(&out);
}

static void put_heading(const struct sweep *w, const struct record *r, FILE *to)
{
	for (size_t i = 0; i < w->axes; i++) {
		csv_write(to, w->axis[i].path);
		fputc(',', to);
	}
	record_csv_heading(r, to);
}

static void put_row(const struct sweep *w, size_t point, const struct record *r, const void *object,
		    FILE *to)
{
	for (size_t i = 0; i < w->axes; i++) {
		csv_write(to, w->point[point].value[i]);
		fputc(',', to);
	}
	record_csv_row(r, object, to);
}

void sweep_csv_runs(const struct sweep *w, const struct sweep_runs *r, FILE *to)
{
	put_heading(w, &outcome_record, to);
	for (size_t i = 0; i < r->n; i++)
		put_row(w, r->run[i].point, &outcome_record, &r->run[i].outcome, to);
}

void sweep_csv_replacements(const struct sweep *w, const struct replacement *r, FILE *to)
{
	put_heading(w, &replace_to_record, to);
	for (size_t i = 0; i < w->points; i++)
		for (size_t k = 0; k < r[i].sides; k++)
			put_row(w, i, &replace_to_record, &r[i].to[k], to);
}
