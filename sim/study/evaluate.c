/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/evaluate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "study/judge.h"
#include "study/measure.h"
#include "study/provenance.h"
#include "study/run_constants.h"
#include "study/run_data.h"
#include "study/saturation.h"
#include "study/settled_fleet.h"

#define LEVEL 0.95

const char *const verdict_names[] = {"ok",	    "slo-missed", "overloaded", "does-not-fit",
				     "unsupported", "cannot",	  NULL};
const char *const bound_names[] = {
	"memory-bandwidth", "compute", "interconnect", "overhead", "kv-capacity", "arrivals", NULL};

#define NOTE(o, format, ...)                                                                       \
	text_add((o)->notes, sizeof((o)->notes), "%s" format, (o)->notes[0] ? "; " : "",           \
		 __VA_ARGS__)

/* All that outcome_record names is unset: what is not filled prints null. */
static void outcome_init(struct outcome *o, const char *shown)
{
	memset(o, 0, sizeof *o);
	record_init(&outcome_record, o);
	o->interval_level = LEVEL;
	o->gpu = shown;
	o->use.bound = BOUND_NONE;
	o->certain = true;
}

/* What the GPU and the layout made of the scenario's defaults. */
static void fill_resolved(struct outcome *o, const struct unit *u, const struct engine *e,
			  const struct gpu *g)
{
	const struct precision_use *use = &u->precision;

	o->resolved.max_num_seqs = u->replica.max_num_seqs;
	o->resolved.max_num_batched_tokens = u->replica.max_num_batched_tokens;
	o->resolved.max_model_len = u->memory.max_model_len;
	o->resolved.kv_pool_blocks = u->memory.pool_blocks;
	o->resolved.gpu_memory_utilization = e->cost.gpu_memory_utilization.value;
	o->resolved.mfu = gpu_mfu(g, use->linear)->value;
	o->resolved.mbu = g->mbu.value;
	o->resolved.weights = weight_format_names[use->weights];
	o->resolved.kv = kv_format_names[use->kv];
	o->resolved.compute = compute_type_names[use->linear];
	o->memory = u->memory;
}

/* `name`: the GPU's and ": ", where there are others. */
static void add_provenance(struct outcome *o, const struct unit *u, const struct engine *e,
			   const struct gpu *g, const char *name)
{
	struct record_list list;

	provenance_list(&list, e, g, u);
	for (size_t i = 0; i < list.count; i++)
		record_texts_add(&o->provenance, xasprintf("%s%s", name, ((char **)list.data)[i]));
	provenance_free(&list);
}

static void note_unit(struct outcome *o, const struct unit *u, const char *name)
{
	if (u->precision.note != NULL)
		NOTE(o, "%s%s", name, u->precision.note);
	if (u->verdict == VERDICT_OK && u->memory.max_model_len_cut)
		NOTE(o, "%smax_model_len is cut to %" PRId64 " tokens", name,
		     u->memory.max_model_len);
}

static void fill_pool(struct outcome *o, const struct fleet_part *p, const char *name)
{
	struct outcome_pool pool;

	record_init(&outcome_pool_record, &pool);
	pool.name = name;
	pool.gpu = p->candidate->shown;
	pool.replicas = p->replicas;
	pool.tensor_parallel = p->unit->tp;
	pool.use.bound = BOUND_NONE;
	if (p->unit->verdict != VERDICT_UNSUPPORTED)
		pool.memory = p->unit->memory;
	((struct outcome_pool *)o->pools.data)[o->pools.count++] = pool;
}

/* What does not depend on the load. Of unlike parts memory and resolved are no single figures. */
static void fill_parts(struct outcome *o, const struct fleet *f, const struct scenario *s)
{
	char name[160] = "";

	if (f->parts > 1)
		o->pools.data = xcalloc(f->parts, sizeof(struct outcome_pool));
	else
		o->resolved.tensor_parallel = f->part[0].unit->tp;
	for (size_t i = 0; i < f->parts; i++) {
		const struct fleet_part *p = &f->part[i];
		const struct engine *e = scenario_engine(s, p->candidate);

		if (f->parts > 1) {
			fill_pool(o, p, s->pools ? s->pool[i].name : NULL);
			snprintf(name, sizeof name, "%s: ", p->candidate->shown);
		}
		if (p->unit->verdict == VERDICT_UNSUPPORTED)
			continue;
		if (f->parts == 1)
			fill_resolved(o, p->unit, e, &p->candidate->gpu);
		add_provenance(o, p->unit, e, &p->candidate->gpu, name);
		note_unit(o, p->unit, name);
	}
}

/* The rentals of all parts together. */
static void rent(struct rental *r, const struct evaluate_setup *setup, const struct fleet *f)
{
	for (size_t i = 0; i < f->parts; i++) {
		const struct fleet_part *p = &f->part[i];
		struct rental part;

		price_book_rent(setup->book, &setup->scenario->prices, &p->candidate->gpu,
				p->replicas, p->unit->tp, p->candidate->price_override, &part);
		if (i == 0)
			*r = part;
		else
			rental_add(r, &part);
	}
}

static void explain_rejection(struct outcome *o, const struct fleet *f)
{
	const struct unit *u = f->part[0].unit;

	if (f->parts > 1) {
		snprintf(o->reason, sizeof o->reason,
			 "all %" PRId64 " requests are rejected by the pools that they go to",
			 o->rejected);
		return;
	}
	int used =
		snprintf(o->reason, sizeof o->reason,
			 "all %" PRId64 " requests are rejected: none fits max_model_len %" PRId64
			 ", a pool of %" PRId64 " tokens",
			 o->rejected, o->memory.max_model_len, o->memory.kv_pool_tokens);

	if (!u->replica.chunked_prefill)
		snprintf(o->reason + used, sizeof o->reason - (size_t)used,
			 " and a step of %" PRId64 " tokens for its whole prompt",
			 u->replica.max_num_batched_tokens);
}

/* The strongest that the simulation gives; `overload`: why more arrives than leaves, or empty. */
static void fill_verdict(struct outcome *o, const struct load *l, const struct slo *slo,
			 const struct fleet *f, const char *overload)
{
	struct finding found[FINDINGS_MAX];
	char text[256];
	size_t n = judge_load(found, slo, l);

	if (o->rejected == o->offered) {
		o->verdict = VERDICT_DOES_NOT_FIT;
		explain_rejection(o, f);
	} else if (overload[0]) {
		o->verdict = VERDICT_OVERLOADED;
		o->certain = !(o->throughput.high >= o->offered_rps);
		snprintf(o->reason, sizeof o->reason, "%s", overload);
	} else if (n > 0) {
		o->certain = judge_certain(found, n);
		o->excess = found[0].excess;
		if (found[0].excess > 0) {
			o->verdict = VERDICT_SLO_MISSED;
			judge_text(text, &found[0]);
			snprintf(o->reason, sizeof o->reason, "%s", text);
		}
	}
}

/* Over the rate served: what is offered, unless more is offered than served. What is offered below
 * saturation pays for idle capacity, and only there is that part known. */
static void fill_cost(struct outcome *o)
{
	bool offered = !isnan(o->offered_rps) && o->verdict != VERDICT_OVERLOADED;
	double rate = offered ? o->offered_rps : o->requests_per_s;
	double a_request = rate / o->requests_per_s, usd = o->rental.usd_per_hour;

	if (o->completed == 0)
		return;
	o->usd_per_1k_requests = rental_usd_for(usd, rate, 1e3);
	o->usd_per_1k_requests_saturated = rental_usd_for(usd, o->saturated_rps, 1e3);
	if (offered)
		o->usd_per_1k_requests_idle =
			o->usd_per_1k_requests - o->usd_per_1k_requests_saturated;
	o->usd_per_1m_output_tokens = rental_usd_for(usd, o->output_tokens_per_s * a_request, 1e6);
	o->usd_per_1m_tokens = rental_usd_for(usd, o->total_tokens_per_s * a_request, 1e6);
}

static bool is_trace(const struct scenario *s)
{
	return s->traffic.trace != NULL;
}

/* N and the warm-up of a first run. */
static void plan_load(struct load_setup *setup, const struct evaluate_setup *e, double saturated)
{
	const struct scenario *s = e->scenario;
	const struct traffic *t = &s->traffic;
	bool steady = !traffic_is_terminating(t) && !traffic_is_offline(t) &&
		      !(s->facts.rate_rps * e->rate_factor >= saturated);
	bool fixed = t->warmup != RECORD_INT_UNSET;

	setup->warmup = fixed ? t->warmup : steady ? LOAD_WARMUP_AUTO : 0;
	setup->requests = load_plan_requests(s, e->rate_factor);
	if (fixed && t->requests == RECORD_INT_UNSET && !is_trace(s))
		setup->requests += t->warmup;
	setup->replications = is_trace(s) ? 1 : e->replications;
}

/* Runs the load; `auto` requests run once more, longer by a warm-up that was cut. */
static bool run_load(struct load *l, struct load_setup *setup, double saturated, char overload[256],
		     struct diag *d)
{
	const struct traffic *t = &setup->scenario->traffic;
	bool open = !traffic_is_closed(t) && !traffic_is_offline(t);

	if (!load_run(l, setup, d))
		return false;
	if (open && measure_overloaded(l, saturated, overload) && setup->warmup == LOAD_WARMUP_AUTO)
		load_keep_all(l);
	if (setup->warmup != LOAD_WARMUP_AUTO || l->cut == 0 || t->requests != RECORD_INT_UNSET)
		return true;
	setup->warmup = l->cut;
	setup->sliced = l->requests;
	setup->requests = l->requests + l->cut;
	load_free(l);
	if (!load_run(l, setup, d))
		return false;
	overload[0] = '\0';
	if (open)
		measure_overloaded(l, saturated, overload);
	return true;
}

static void note_run(struct outcome *o, const struct load *l, const struct evaluate_setup *e)
{
	const struct scenario *s = e->scenario;
	double cycle = load_cycle_requests(s, e->rate_factor);

	if (cycle > (double)l->requests + 0.5)
		NOTE(o, "a cycle of the schedule holds %.4g requests: its end is not simulated",
		     cycle);
	if (load_is_stopped(l))
		NOTE(o, "stopped with more than %d requests waiting", LOAD_BACKLOG_MAX);
	if (s->facts.skipped > 0)
		NOTE(o, "%" PRId64 " rows of the trace cannot be used, the first in line %ld: %s",
		     s->facts.skipped, s->facts.skipped_line, s->facts.skipped_reason);
}

static bool simulate(struct outcome *o, const struct evaluate_setup *e, const struct fleet *f,
		     struct diag *d)
{
	const struct scenario *s = e->scenario;
	bool open = !traffic_is_closed(&s->traffic) && !traffic_is_offline(&s->traffic);
	struct load_setup setup = {
		.scenario = s, .fleet = f, .rate_factor = e->rate_factor, .jobs = e->jobs};
	struct saturation saturated;
	struct load l;
	char overload[256] = "";

	if (!saturation_measure(&saturated, s, f, d))
		return false;
	o->saturated_rps = saturated.rps > 0 ? saturated.rps : (double)NAN;
	plan_load(&setup, e, saturated.rps);
	if (setup.warmup != LOAD_WARMUP_AUTO && setup.warmup >= setup.requests)
		return diag_fail(d,
				 "a warm-up of %" PRId64 " requests leaves none of %" PRId64
				 " to measure",
				 setup.warmup, setup.requests);
	if (!run_load(&l, &setup, saturated.rps, overload, d))
		return false;
	measure_fill(o, &l, f, open, slo_is_set(&s->slo));
	fill_verdict(o, &l, &s->slo, f, overload);
	note_run(o, &l, e);
	bool good = !e->keep_data || (o->data = run_data_new(&l, &setup, d));
	load_free(&l);
	return good;
}

bool evaluate_fleet(const struct evaluate_setup *setup, const struct fleet *f, const char *shown,
		    struct outcome *o, struct diag *d)
{
	bool good = true;

	outcome_init(o, shown);
	o->gpus_total = fleet_gpus(f);
	o->verdict = fleet_verdict(f, o->reason);
	fill_parts(o, f, setup->scenario);
	length_table_shares(&o->resolved.length_shares, f);
	rent(&o->rental, setup, f);
	if (o->verdict == VERDICT_OK)
		good = simulate(o, setup, f, d);
	if (good)
		fill_cost(o);
	return good;
}

bool evaluate(const struct evaluate_setup *setup, size_t index, struct outcome *o, struct diag *d)
{
	struct settled_fleet f;
	bool good = settled_fleet_init(&f, setup, index, d);

	if (good)
		good = evaluate_fleet(setup, &f.fleet, setup->scenario->candidate[index].shown, o,
				      d);
	else
		memset(o, 0, sizeof *o);
	settled_fleet_free(&f);
	if (good && setup->constants)
		o->interval_constants = run_constants_new(setup, index, o);
	return good;
}
