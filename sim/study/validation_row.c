/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/validation_row.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "base/xmalloc.h"
#include "study/measure.h"
#include "study/saturation.h"
#include "study/settled_fleet.h"
#include "study/validation_floor.h"
#include "traffic/arrival_kind.h"
#include "traffic/length_kind.h"

#define BELOW	 0.9
#define A_CLIENT 20
#define TAIL	 0.025

const char *const validation_load_names[] = {"below 0.9", "above 0.9", "closed", NULL};

/* ---- how much is simulated ---- */

static bool length_is_drawn(const struct length_law *law)
{
	return law->dist != LENGTH_constant && !(law->cv == 0);
}

static bool arrivals_are_drawn(const struct arrivals *a)
{
	return a->process != ARRIVAL_constant && a->process != ARRIVAL_closed &&
	       a->process != ARRIVAL_offline;
}

/* Whether replications differ; routers may draw too. */
static bool is_random(const struct scenario *s)
{
	const struct traffic *t = &s->traffic;

	if (s->deployment.replicas > 1 || s->pools)
		return true;
	return !t->trace && (arrivals_are_drawn(&t->arrivals) || length_is_drawn(&t->input) ||
			     length_is_drawn(&t->output));
}

static int64_t plan_requests(const struct scenario *s)
{
	const struct traffic *t = &s->traffic;
	int64_t n = VALIDATION_REQUESTS;

	if (t->trace || t->requests != RECORD_INT_UNSET)
		n = load_plan_requests(s, 1);
	else if (traffic_is_closed(t))
		n = max64(n, A_CLIENT * t->arrivals.concurrency);
	return min64(n, VALIDATION_REQUESTS_MAX);
}

static int plan_replications(const struct validation_row_setup *setup, const struct scenario *s,
			     int64_t requests)
{
	int64_t most = max64(1, VALIDATION_REQUESTS_ALL_MAX / requests);

	if (!is_random(s))
		return 1;
	if (setup->replications > 0)
		return setup->replications;
	return (int)min64(most, VALIDATION_REPLICATIONS);
}

/* ---- figures ---- */

/* What one replication alone measured. */
static void measure_one(struct outcome *o, const struct load *l, int replication,
			const struct settled_fleet *f, bool open)
{
	struct load one = *l;

	one.replications = 1;
	one.tally = &l->tally[replication];
	memset(o, 0, sizeof *o);
	record_init(&outcome_record, o);
	o->gpus_total = fleet_gpus(&f->fleet);
	o->memory = f->unit[0].memory;
	measure_fill(o, &one, &f->fleet, open, false);
}

/* The value at rank q(n + 1) of n ascending ones: at 0.025 and 0.975 one more lies between them
 * with a probability of 95 %, from 39 values on. */
static double at_rank(const double *value, size_t n, double q)
{
	double rank = fmin(fmax(q * (double)(n + 1), 1), (double)n);
	size_t below = (size_t)rank;
	double part = rank - (double)below;

	return value[below - 1] + (part > 0 ? part * (value[below] - value[below - 1]) : 0);
}

static void summarise_logs(struct validation_figure *f, const double *value, size_t n)
{
	double *logs = xcalloc(n, sizeof *logs);

	for (size_t i = 0; i < n; i++)
		logs[i] = value[i] > 0 ? log(value[i]) : (double)NAN;
	f->log_mean = gsl_stats_mean(logs, 1, n);
	f->log_sd = n > 1 ? gsl_stats_sd_m(logs, 1, n, f->log_mean) : 0;
	free(logs);
}

static void summarise(struct validation_figure *f, double *value, size_t n)
{
	size_t kept = 0;

	summarise_logs(f, value, n);
	for (size_t i = 0; i < n; i++)
		if (isfinite(value[i]))
			value[kept++] = value[i];
	f->simulated = f->low = f->high = NAN;
	if (kept == 0)
		return;
	gsl_sort(value, 1, kept);
	f->simulated = at_rank(value, kept, 0.5);
	if (n == 1)
		return;
	f->low = at_rank(value, kept, TAIL);
	f->high = at_rank(value, kept, 1 - TAIL);
}

static void fill_figures(struct validation_row *r, const struct load *l,
			 const struct settled_fleet *f, const struct scenario *s,
			 const struct measured_row *row)
{
	bool open = r->load != VALIDATION_CLOSED;
	size_t n = (size_t)l->replications;
	double *value = xcalloc(n * row->figures + 1, sizeof *value);

	for (size_t k = 0; k < n; k++) {
		struct outcome o;

		measure_one(&o, l, (int)k, f, open);
		for (size_t i = 0; i < row->figures; i++)
			value[i * n + k] = record_number(&outcome_record, &o, row->figure[i].path);
		outcome_free(&o);
	}
	for (size_t i = 0; i < row->figures; i++) {
		summarise(&r->figure[i], &value[i * n], n);
		if (f->fleet.parts == 1)
			r->figure[i].impossible =
				validation_floor_breaks(&row->figure[i], s, &f->unit[0]);
	}
	free(value);
}

/* ---- running ---- */

/* Of a load that comes and goes the rate of its highest part, else the long-run mean. */
static double highest_rps(const struct scenario *s)
{
	const struct arrivals *a = &s->traffic.arrivals;
	const double *rate = a->rates.data;
	double most = 0;

	if (s->traffic.trace || (a->process != ARRIVAL_schedule && a->process != ARRIVAL_onoff))
		return s->facts.rate_rps;
	if (a->process == ARRIVAL_onoff)
		return a->rate;
	for (size_t i = 0; i < a->rates.count; i++)
		most = fmax(most, rate[i]);
	return most;
}

static bool find_load(struct validation_row *r, const struct validation_row_setup *setup,
		      const struct scenario *s, const struct fleet *f, struct diag *d)
{
	struct saturation saturated;

	r->offered_rps = r->saturated_rps = NAN;
	r->load = VALIDATION_CLOSED;
	if (traffic_is_closed(&s->traffic) || traffic_is_offline(&s->traffic))
		return true;
	r->offered_rps = highest_rps(s);
	r->load = VALIDATION_BELOW;
	if (setup->figures_only)
		return true;
	if (!saturation_measure(&saturated, s, f, d))
		return false;
	r->saturated_rps = saturated.rps;
	if (!(r->offered_rps < BELOW * saturated.rps))
		r->load = VALIDATION_ABOVE;
	return true;
}

static bool simulate(struct validation_row *r, const struct validation_row_setup *setup,
		     const struct scenario *s, const struct measured_row *row,
		     const struct settled_fleet *f, struct diag *d)
{
	const struct load_setup load = {
		.scenario = s,
		.fleet = &f->fleet,
		.rate_factor = 1,
		.replications = r->replications,
		.jobs = setup->jobs,
		.requests = r->requests,
		.warmup = s->traffic.warmup == RECORD_INT_UNSET
				  ? 0
				  : min64(s->traffic.warmup, r->requests - 1),
	};
	struct load l;

	if (!find_load(r, setup, s, &f->fleet, d) || !load_run(&l, &load, d))
		return false;
	fill_figures(r, &l, f, s, row);
	load_free(&l);
	return true;
}

bool validation_row_run(struct validation_row *r, const struct validation_row_setup *setup,
			const struct scenario *s, const struct measured_row *row, struct diag *d)
{
	const struct evaluate_setup evaluated = {.scenario = s, .rate_factor = 1, .quiet = true};
	struct settled_fleet f;
	bool good;

	*r = (struct validation_row){.requests = plan_requests(s),
				     .replayed = s->traffic.trace != NULL};
	r->replications = plan_replications(setup, s, r->requests);
	r->figure = xcalloc(row->figures + 1, sizeof *r->figure);
	good = settled_fleet_init(&f, &evaluated, 0, d);
	if (good) {
		r->verdict = f.verdict;
		snprintf(r->reason, sizeof r->reason, "%s", f.reason);
	}
	if (good && f.verdict == VERDICT_OK)
		good = simulate(r, setup, s, row, &f, d);
	settled_fleet_free(&f);
	if (!good)
		validation_row_free(r);
	return good;
}

void validation_row_free(struct validation_row *r)
{
	free(r->figure);
	*r = (struct validation_row){0};
}

/* ---- headings ---- */

static bool is_number(const char *path, struct diag *d)
{
	static struct outcome none;
	void *in = &none;
	const struct field *f = record_find(&outcome_record, &in, path, d);

	if (!f || f->kind == FIELD_REAL || f->kind == FIELD_INT)
		return f != NULL;
	return diag_fail(d, "is no number of a result");
}

bool validation_row_check(const struct measured_table *t, struct diag *d)
{
	for (size_t i = 0; i < t->columns; i++) {
		const struct measured_column *c = &t->column[i];

		if (c->kind != MEASURED_FIGURE || is_number(c->name + 1, d))
			continue;
		diag_at(d, t->file, 1, c->place);
		diag_path(d, c->name + 1);
		return false;
	}
	return true;
}
