/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario out of the catalogue's files and a few JSON texts, without the reader of layers. */
#ifndef TESTS_UNIT_STUDY_FIXTURE_H
#define TESTS_UNIT_STUDY_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"
#include "study/evaluate.h"

struct fixture {
	struct scenario s;
	struct candidate candidate[4];
	struct price_book book; /* empty: prices are the candidates' own */
};

static inline void fixture_fill(const struct record *r, void *object, struct json_doc *doc,
				struct diag *d)
{
	record_init(r, object);
	if (!doc || !record_read(r, object, doc, json_doc_root(doc), "", ORIGIN_DATASHEET, d) ||
	    !record_finish(r, object, "", d)) {
		diag_print(d, stderr);
		abort();
	}
	json_doc_del(doc);
}

static inline void fixture_file(const struct record *r, void *object, const char *folder,
				const char *id)
{
	char file[256];
	struct diag d;

	diag_init(&d);
	snprintf(file, sizeof file, "%s/%s.json", folder, id);
	fixture_fill(r, object, json_doc_read(file, &d), &d);
}

static inline void fixture_text(const struct record *r, void *object, const char *text)
{
	struct diag d;

	diag_init(&d);
	fixture_fill(r, object, json_doc_parse("fixture", text, &d), &d);
}

/* `gpus`: NULL-terminated ids; a dollar an hour each. */
static inline void fixture_init(struct fixture *f, const char *model, const char *const *gpus,
				const char *traffic, const char *slo)
{
	struct diag d;

	diag_init(&d);
	memset(f, 0, sizeof *f);
	fixture_file(&model_record, &f->s.model, "workloads/models", model);
	model_settle(&f->s.model);
	fixture_file(&engine_record, &f->s.engine, "workloads/engines", "vllm");
	fixture_text(&deployment_record, &f->s.deployment, "{}");
	fixture_text(&precision_record, &f->s.precision, "{}");
	fixture_text(&traffic_record, &f->s.traffic, traffic);
	fixture_text(&slo_record, &f->s.slo, slo);
	fixture_text(&price_wish_record, &f->s.prices, "{}");
	f->s.candidate = f->candidate;
	for (; gpus[f->s.candidates]; f->s.candidates++) {
		struct candidate *c = &f->candidate[f->s.candidates];

		fixture_file(&gpu_record, &c->gpu, "gpus", gpus[f->s.candidates]);
		c->shown = c->gpu.id;
		c->price_override = 1;
	}
	if (!traffic_facts(&f->s.traffic, &f->s.facts, &d)) {
		diag_print(&d, stderr);
		abort();
	}
}

static inline void fixture_free(struct fixture *f)
{
	record_free(&model_record, &f->s.model);
	record_free(&engine_record, &f->s.engine);
	record_free(&deployment_record, &f->s.deployment);
	record_free(&precision_record, &f->s.precision);
	record_free(&traffic_record, &f->s.traffic);
	record_free(&slo_record, &f->s.slo);
	record_free(&price_wish_record, &f->s.prices);
	for (size_t i = 0; i < f->s.candidates; i++)
		record_free(&gpu_record, &f->candidate[i].gpu);
}

#endif
