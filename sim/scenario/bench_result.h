/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What load generators write of a server: one struct bench_result_kind in a file of its own and a
 * line in bench_result_kinds[]. Each run in it becomes the row of a table of measurements: what was
 * sent is the row's conditions, what was timed its figures.
 */
#ifndef SCENARIO_BENCH_RESULT_H
#define SCENARIO_BENCH_RESULT_H

#include "scenario/measured.h"

/* How requests were sent. */
enum bench_arrivals {
	BENCH_AS_IN_SCENARIO, /* the file has a rate, but not by which process */
	BENCH_OFFLINE,	      /* all at once */
	BENCH_CLOSED,	      /* by so many clients */
	BENCH_CONSTANT,
	BENCH_POISSON,
	BENCH_GAMMA
};

/* What is taken of a run. No time between tokens: clients see tokens in the packets that they come
 * in. No more percentiles: they are of the same requests, and would count as often. */
enum bench_metric { BENCH_TTFT, BENCH_TPOT, BENCH_E2E, BENCH_METRICS };
enum bench_stat { BENCH_MEAN, BENCH_P50, BENCH_P90, BENCH_P99, BENCH_STATS };

/* One run of a load generator. */
struct bench_run {
	long line; /* where it starts in its file, from 1 */
	enum bench_arrivals arrivals;
	double rate_rps, burstiness;	       /* burstiness: of GAMMA, 1/cv^2 of the gaps */
	int64_t concurrency;		       /* of CLOSED */
	int64_t requests, failed;	       /* sent; of these without an answer */
	double input_mean, output_mean;	       /* tokens of those completed; NAN: not told */
	double ms[BENCH_METRICS][BENCH_STATS]; /* NAN: not told */
	double output_tokens_per_s;	       /* NAN: not told */
	const char *model;		       /* what the server calls it, or NULL */
};

/* A file while it is read. */
struct bench_result {
	size_t runs;
	struct bench_run *run;
	const struct json_doc *doc; /* of the run being read */
	struct record_list *warnings;
	struct diag *d;
};

struct bench_result_kind {
	const char *name, *help;
	bool (*recognise)(const cJSON *root);
	/* Adds the runs of a document; false with d filled. */
	bool (*read)(struct bench_result *r, const cJSON *root);
};

extern const struct bench_result_kind bench_result_vllm, bench_result_guidellm,
	bench_result_inference_perf;
extern const struct bench_result_kind *const bench_result_kinds[]; /* ends with NULL */

/* ---- for kinds ---- */

/* A run that starts at `item`, nothing told yet; good until the next. */
struct bench_run *bench_result_add(struct bench_result *r, const cJSON *item);
/* The number of a key times `scale`, NAN if there is none, null or 0, which generators write of
 * what they did not measure; false with d filled: it is no number, or negative. */
bool bench_result_number(struct bench_result *r, const cJSON *object, const char *key, double scale,
			 double *value);
/* d filled: `item` is wrong. Returns false. */
bool bench_result_fail(struct bench_result *r, const cJSON *item, const char *path,
		       const char *message);
void bench_result_warn(struct bench_result *r, const struct bench_run *run, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- for readers ---- */

/*
 * Reads a user's own file as a table: what a load generator wrote, one JSON document or one a line,
 * or a CSV (measured_read_own). The rows of a load generator's file are runs of the scenario that
 * `from` and `options` give, whose lengths take the means that were measured. What is to be
 * looked at is added to `warnings`, a list of texts. False with d filled, and nothing to free.
 */
bool bench_result_read(struct measured_table *t, const char *file,
		       const struct scenario_source *from, const struct scenario_options *options,
		       struct record_list *warnings, struct diag *d);

#endif
