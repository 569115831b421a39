/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/capacity_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/xmalloc.h"
#include "study/capacity.h"
#include "study/rate_constants.h"
#include "study/settled_fleet.h"

#define NARROW 0.05 /* of a limit: that near, a run may miss it by chance */

#define FIELD(type, text, member)                                                                  \
	{                                                                                          \
		.key = (text), .kind = (type), .offset = offsetof(struct capacity_result, member)  \
	}
#define BUFFER(text, member)                                                                       \
	{                                                                                          \
		.key = (text), .kind = FIELD_TEXT, .flags = FIELD_BUFFER,                          \
		.offset = offsetof(struct capacity_result, member)                                 \
	}

static const struct field constants_fields[] = {
	{.key = "level", .kind = FIELD_REAL, .offset = offsetof(struct capacity_constants, level)},
	{.key = "max_rps",
	 .kind = FIELD_VECTOR,
	 .count = 2,
	 .offset = offsetof(struct capacity_constants, max_rps),
	 .help = "req/s"},
	{.key = "largest",
	 .kind = FIELD_TEXT,
	 .flags = FIELD_BUFFER,
	 .offset = offsetof(struct capacity_constants, largest)},
	{.key = "largest_share",
	 .kind = FIELD_REAL,
	 .offset = offsetof(struct capacity_constants, largest_share)},
};

static const struct record constants_record = {.name = "interval_constants",
					       .size = sizeof(struct capacity_constants),
					       .fields = COUNT(constants_fields),
					       .field = constants_fields};

static const struct field fields[] = {
	FIELD(FIELD_TEXT, "gpu", gpu),
	FIELD(FIELD_INT, "replicas", replicas),
	FIELD(FIELD_INT, "tensor_parallel", tensor_parallel),
	FIELD(FIELD_INT, "gpus_total", gpus_total),
	FIELD(FIELD_REAL, "max_rps", max_rps),
	{.key = "interval",
	 .kind = FIELD_VECTOR,
	 .offset = offsetof(struct capacity_result, interval),
	 .count = 2,
	 .help = "req/s"},
	{.key = "interval_constants",
	 .kind = FIELD_RECORD,
	 .flags = FIELD_POINTER,
	 .offset = offsetof(struct capacity_result, interval_constants),
	 .of = &constants_record},
	BUFFER("limited_by", limited_by),
	FIELD(FIELD_REAL, "saturated_rps", saturated_rps),
	FIELD(FIELD_REAL, "usd_per_hour", usd_per_hour),
	FIELD(FIELD_REAL, "usd_per_1k_requests", usd_per_1k_requests),
	{.key = "verdict",
	 .kind = FIELD_CHOICE,
	 .offset = offsetof(struct capacity_result, verdict),
	 .of = verdict_names},
	BUFFER("reason", reason),
	FIELD(FIELD_BOOL, "certain", certain),
	FIELD(FIELD_INT, "simulations", simulations),
	{.key = "at",
	 .kind = FIELD_RECORD,
	 .flags = FIELD_POINTER,
	 .offset = offsetof(struct capacity_result, at),
	 .of = &outcome_record},
};

const struct record capacity_result_record = {.name = "capacity",
					      .size = sizeof(struct capacity_result),
					      .fields = COUNT(fields),
					      .field = fields};

static void fill_capacity(struct capacity_result *r, const struct capacity *c)
{
	r->max_rps = c->alone_misses ? 0 : c->max_rps;
	r->interval = c->interval;
	r->certain = c->certain;
	r->slope = c->slope;
	r->saturated_rps = c->saturated_rps > 0 ? c->saturated_rps : (double)NAN;
	r->simulations = c->simulations;
	memcpy(r->limited_by, c->limited_by, sizeof r->limited_by);
	memcpy(r->reason, c->reason, sizeof r->reason);
	if (c->alone_misses)
		r->verdict = c->saturated_rps > 0 ? VERDICT_CANNOT : VERDICT_DOES_NOT_FIT;
	if (r->verdict == VERDICT_DOES_NOT_FIT)
		r->max_rps = NAN;
}

static void perturb(struct capacity_result *r, const struct evaluate_setup *e, size_t index,
		    const struct capacity *c)
{
	struct capacity_constants *k = r->interval_constants = xcalloc(1, sizeof *k);
	struct perturb p;

	rate_constants_find(&p, e, index, c);
	k->level = PERTURB_LEVEL;
	k->max_rps = perturb_interval(&p, 0, c->max_rps);
	k->largest_share = perturb_largest(&p, k->largest);
	perturb_free(&p);
}

static bool search(struct capacity_result *r, const struct evaluate_setup *e, size_t index,
		   const struct fleet *fleet, struct diag *d)
{
	const struct capacity_setup setup = {.fleet = {.scenario = e->scenario,
						       .fleet = fleet,
						       .replications = e->replications,
						       .jobs = e->jobs}};
	struct capacity c;

	if (!capacity_find(&c, &setup, d))
		return false;
	fill_capacity(r, &c);
	if (e->constants && r->max_rps > 0)
		perturb(r, e, index, &c);
	return true;
}

/* At max_rps the percentile meets its limit, so that half of such runs find it a little above. What
 * contradicts is a run that is sure of more than the rate's interval makes of it. */
static bool contradicts(const struct outcome *at, double slope)
{
	return at->verdict != VERDICT_OK && at->certain &&
	       (at->verdict != VERDICT_SLO_MISSED ||
		at->excess > fmax(NARROW, slope * CAPACITY_POINT));
}

static bool run_at(struct capacity_result *r, const struct evaluate_setup *setup, size_t index,
		   struct diag *d)
{
	struct evaluate_setup at = *setup;

	at.constants = false;
	at.rate_factor = r->max_rps / setup->scenario->facts.rate_rps;
	r->at = xcalloc(1, sizeof *r->at);
	if (!evaluate(&at, index, r->at, d))
		return false;
	r->certain = r->certain && !contradicts(r->at, r->slope);
	r->usd_per_hour = r->at->rental.usd_per_hour;
	r->usd_per_1k_requests = r->usd_per_hour / 3600 / r->max_rps * 1e3;
	return true;
}

bool capacity_result_find(struct capacity_result *r, const struct evaluate_setup *setup,
			  size_t index, struct diag *d)
{
	struct settled_fleet f;
	bool good = settled_fleet_init(&f, setup, index, d);

	memset(r, 0, sizeof *r);
	record_init(&capacity_result_record, r);
	r->gpu = setup->scenario->candidate[index].shown;
	r->replicas = fleet_units(&f.fleet);
	if (f.fleet.parts == 1)
		r->tensor_parallel = f.unit->tp;
	r->gpus_total = fleet_gpus(&f.fleet);
	r->certain = true;
	r->verdict = f.verdict;
	memcpy(r->reason, f.reason, sizeof r->reason);
	if (good && f.verdict == VERDICT_OK)
		good = search(r, setup, index, &f.fleet, d);
	settled_fleet_free(&f);
	return good && (!(r->max_rps > 0) || run_at(r, setup, index, d));
}

void capacity_result_free(struct capacity_result *r)
{
	if (r->at)
		outcome_free(r->at);
	free(r->at);
	free(r->interval_constants);
	r->at = NULL;
	r->interval_constants = NULL;
}
