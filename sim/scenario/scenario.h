/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario as the rest of the program sees it: files, catalogue and command line read in layers
 * (field defaults, base chain, catalogue entry, scenario, --gpu, --sets in order, a sweep's point)
 * into the structs of the rooms.
 */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include "roofline/engine_cost.h"
#include "roofline/gpu.h"
#include "roofline/model.h"
#include "roofline/precision.h"
#include "scenario/catalog.h"
#include "scenario/slo.h"
#include "serve/scheduling.h"
#include "traffic/traffic.h"

/* An engine file: its fixed times and memory rule, and its scheduling. */
struct engine {
	char *id, *name;
	struct record_list aliases, sources, notes;
	struct engine_cost cost;
	struct scheduling scheduling;
};

enum billing { BILLING_ON_DEMAND, BILLING_SPOT, BILLING_RESERVED };
enum price_pick { PICK_CHEAPEST, PICK_MEDIAN, PICK_DEAREST };

struct price_wish {
	struct record_list providers, regions; /* texts; empty regions: all */
	bool all_providers;
	int billing, pick;
	struct record_list owned; /* of struct owned_machine, whose GPUs cost what these do */
};

/* One candidate of `gpus`, with its overrides applied. */
struct candidate {
	struct gpu gpu;		     /* its id is the name that a price is looked up by */
	char *shown;		     /* id, "BASE+" or the override's own id */
	double price_override;	     /* --price GPU=USD an hour a GPU; NAN: the book */
	const struct engine *engine; /* of a pool with keys of its own; NULL: the scenario's */
};

/* Equal units of a mixed fleet: an element of `pools`. */
struct pool {
	char *name;
	int64_t replicas, tensor_parallel, pipeline_parallel; /* pipeline_parallel: 1 */
	struct candidate candidate;
	struct engine engine; /* the scenario's under the pool's own keys, if it has any */
};

/* What the command line adds, in order. */
struct scenario_options {
	const char *file; /* scenario file, "-" stdin */
	const char *text; /* NULL, or the scenario itself (a command's own); `file` then names it in
			     messages */
	const char *const *catalog; /* --catalog folders, NULL-terminated, or NULL */
	const char *const *gpus;    /* --gpu, NULL-terminated, or NULL */
	const char *gpus_option;    /* what messages call them; NULL: --gpu */
	const char *const *sets;    /* --set PATH=VALUE, NULL-terminated, or NULL */
	const char *const *points; /* a sweep's point: PATH=VALUE as of a --set, NULL-terminated, or
				      NULL; messages name it --over */
	const char *points_folder; /* of relative paths in points; NULL: the working folder */
	const char *const *prices; /* --price GPU=USD, NULL-terminated, or NULL */
	const char *data_dir; /* installed data; the source tree next to the scenario or the binary
				 comes first */
	int64_t seed;	      /* --seed, or RECORD_INT_UNSET */
};

struct scenario {
	char *name, *file;
	struct model model;
	struct precision precision;
	/* With pools one candidate stands for them all: "4 l4-24gb + 1 a100-sxm-80gb", its gpu
	 * is unset and the GPUs are those of the pools. */
	size_t candidates;
	struct candidate *candidate;
	size_t pools;
	struct pool *pool;
	struct deployment deployment;
	struct engine engine;
	struct traffic traffic;
	struct traffic_facts facts;
	struct slo slo;
	struct price_wish prices;
	cJSON *resolved;	     /* the `scenario` of a result: defaults filled in */
	struct record_places places; /* where each value was set */
	struct record_list ignored;  /* texts: keys of a config.json that had no say (--verbose) */
};

/*
 * Reads everything; NULL with d filled on a user's mistake. A model that is a path to a .json file
 * is read from there: a model file of our own keys, or a Hugging Face config.json (hf_config.h).
 */
struct scenario *scenario_read(const struct scenario_options *options, struct diag *d);
void scenario_del(struct scenario *s);

/* What readings of one scenario share: the catalogue and the file's text. */
struct scenario_source {
	struct catalog *catalog;
	struct json_doc *doc;
};

/* False with d filled, and nothing to close. */
bool scenario_source_open(struct scenario_source *from, const struct scenario_options *options,
			  struct diag *d);
void scenario_source_close(struct scenario_source *from);

/* scenario_read() from there. */
struct scenario *scenario_read_from(const struct scenario_source *from,
				    const struct scenario_options *options, struct diag *d);

/* The candidate's engine. */
static inline const struct engine *scenario_engine(const struct scenario *s,
						   const struct candidate *c)
{
	return c->engine ? c->engine : &s->engine;
}

/* The i-th GPU that is asked about, a candidate or that of a pool; NULL: there are no more. */
struct candidate *scenario_gpu(const struct scenario *s, size_t i);

/* Puts file, line and column of the value at d->path ("prices.regions[0]") into d: for checks that
 * are made after reading. */
void scenario_locate(const struct scenario *s, struct diag *d);

extern const struct record scenario_record, engine_record, pool_record, price_wish_record;

#endif
